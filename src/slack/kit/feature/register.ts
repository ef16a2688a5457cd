import type {
  AllMiddlewareArgs,
  App,
  BlockButtonAction,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { sayingPlainly } from '../clicks/answering.ts';
import type { MessageShortcutHandler } from '../clicks/arguments.ts';
import { slackPieces, typedText } from '../message-text/command-text.ts';
import { entranceName, entranceOf, type Feature, helpOf, subcommandIn } from './feature.ts';
import { isHelp } from './rights.ts';

/** Adds what a feature declares, with what its handlers work with. */
export type AddFeature = <Services>(feature: Feature<Services>, services: Services) => void;

/** What answers at one entrance. */
type Answer<Arguments> = (args: Arguments & AllMiddlewareArgs) => Promise<void>;

const ANY = /^/;

/**
 * Who answers, by kind of entrance. Bolt gets one listener of each, since it would try each of its listeners on each payload;
 * who answers is found by the name that the right was asked by. What nobody answers to is not acknowledged.
 */
function listen(app: App, declared: Readonly<Record<string, unknown>>) {
  /** `Arguments` are what Bolt hands over at entrances of this kind. */
  function entrances<Arguments extends { readonly body: object }>(kind: string) {
    const answers = new Map<string, Answer<Arguments>>();
    return {
      listener: async (args: Arguments & AllMiddlewareArgs) =>
        answers.get(entranceOf(args.body) ?? '')?.(args),
      add: (id: string, answer: Answer<Arguments>) => {
        const name = entranceName(kind, id);
        if (!Object.hasOwn(declared, name)) throw new Error(`${name} is no entrance of features.ts.`);
        if (answers.has(name)) throw new Error(`${name} was added twice.`);
        answers.set(name, answer);
      },
    };
  }

  const commands = entrances<SlackCommandMiddlewareArgs>('command');
  const shortcuts = entrances<SlackShortcutMiddlewareArgs<MessageShortcut>>('shortcut');
  const actions = entrances<SlackActionMiddlewareArgs<BlockButtonAction>>('action');
  const options = entrances<SlackOptionsMiddlewareArgs<'block_suggestion'>>('options');
  const views = entrances<SlackViewMiddlewareArgs<ViewSubmitAction>>('view');
  const events = entrances<SlackEventMiddlewareArgs<'app_home_opened'>>('event');
  const steps = entrances<SlackEventMiddlewareArgs<'function_executed'>>('function');
  app.command(ANY, commands.listener);
  app.shortcut<MessageShortcut>(ANY, shortcuts.listener);
  app.action<BlockButtonAction>(ANY, actions.listener);
  app.options<'block_suggestion'>(ANY, options.listener);
  app.view<ViewSubmitAction>(ANY, views.listener);
  app.event('app_home_opened', events.listener);
  app.event('function_executed', steps.listener);
  return { commands, shortcuts, actions, options, views, events, steps };
}

/**
 * Registers features with Bolt; nothing else does. What is not in `declared` has no right that anybody would ask for: it
 * and what is added twice are errors of the start.
 */
export function createAddFeature(app: App, declared: Readonly<Record<string, unknown>>): AddFeature {
  const { commands, shortcuts, actions, options, views, events, steps } = listen(app, declared);
  return (feature, services) => {
    for (const [id, row] of Object.entries(feature.commands ?? {})) {
      const help = row.help && [`*${id}* – ${row.description}.`, ...helpOf(row)].join('\n');
      commands.add(id, (args) => {
        if (help && isHelp(args.command.text)) return args.ack({ response_type: 'ephemeral', text: help });
        const typed = { ...sayingPlainly(args), help: help ?? '' };
        const sub = subcommandIn(row.subcommands, typedText(slackPieces(args.command.text)));
        return sub === undefined ? row.handle(typed, services) : sub.row.handle(typed, services, sub.rest);
      });
    }
    // What only tells of a click or a choice takes no answer.
    for (const [id, shortcut] of Object.entries(feature.shortcuts ?? {})) {
      // What can be chosen anywhere reads nothing of a message.
      const handle: MessageShortcutHandler<typeof services> = shortcut.handle;
      shortcuts.add(id, (args) => args.ack().then(() => handle(args, services)));
    }
    for (const [id, { handle }] of Object.entries(feature.actions ?? {}))
      actions.add(id, (args) => args.ack().then(() => handle(sayingPlainly(args), services)));
    for (const [id, { handle }] of Object.entries(feature.options ?? {}))
      options.add(id, (args) => handle(args, services));
    for (const [id, { handle }] of Object.entries(feature.views ?? {}))
      views.add(id, (args) => handle(args, services));
    for (const [id, { handle }] of Object.entries(feature.events ?? {}))
      events.add(id, (args) => handle(args, services));
    for (const [id, { handle }] of Object.entries(feature.steps ?? {}))
      steps.add(id, (args) => handle(args, services));
  };
}
