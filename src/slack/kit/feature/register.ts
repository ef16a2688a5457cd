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
import type { NewBlocks } from '../../connection/new-blocks.ts';
import { sayingPlainly } from '../clicks/answering.ts';
import type { MessageShortcutHandler } from '../clicks/arguments.ts';
import { slackPieces, typedText } from '../message-text/command-text.ts';
import { actionIn, entranceName, entranceOf, type Feature, helpOf, subcommandIn } from './feature.ts';
import { isHelp } from './rights.ts';

/** Adds what a feature declares, with what its handlers work with. */
export type AddFeature = <Services>(feature: Feature<Services>, services: Services) => void;

/**
 * Bolt gets one middleware, since it would try each of its listeners on each payload. It finds what answers by the name that the
 * right was asked by. What nobody answers to is not acknowledged.
 */
function listen(app: App, declared: Readonly<Record<string, unknown>>) {
  const answers = new Map<string, (args: never) => Promise<void>>();
  app.use(async (args) => answers.get(entranceOf(args.body) ?? '')?.(args as never));
  /** Takes the answers of one kind of entrance, at which Bolt hands over `Arguments`. */
  return <Arguments>(kind: string) =>
    (id: string, answer: (args: Arguments & AllMiddlewareArgs) => Promise<void>): void => {
      const name = entranceName(kind, id);
      if (!Object.hasOwn(declared, name)) throw new Error(`${name} is no entrance of features.ts.`);
      if (answers.has(name)) throw new Error(`${name} was added twice.`);
      answers.set(name, answer);
    };
}

/**
 * Registers features with Bolt; nothing else does. What is not in `declared` has no right that anybody would ask for: it
 * and what is added twice are errors of the start.
 */
export function createAddFeature(
  app: App,
  declared: Readonly<Record<string, unknown>>,
  newBlocks: NewBlocks,
): AddFeature {
  const answerTo = listen(app, declared);
  const addCommand = answerTo<SlackCommandMiddlewareArgs>('command');
  const addShortcut = answerTo<SlackShortcutMiddlewareArgs<MessageShortcut>>('shortcut');
  const addAction = answerTo<SlackActionMiddlewareArgs<BlockButtonAction>>('action');
  const addOptions = answerTo<SlackOptionsMiddlewareArgs<'block_suggestion'>>('options');
  const addView = answerTo<SlackViewMiddlewareArgs<ViewSubmitAction>>('view');
  const addEvent = answerTo<SlackEventMiddlewareArgs<'app_home_opened'>>('event');
  const addStep = answerTo<SlackEventMiddlewareArgs<'function_executed'>>('function');
  return (feature, services) => {
    for (const [id, row] of Object.entries(feature.commands ?? {})) {
      const help = row.help && [`*${id}* – ${row.description}.`, ...helpOf(row)].join('\n');
      addCommand(id, (args) => {
        if (help && isHelp(args.command.text)) return args.ack({ response_type: 'ephemeral', text: help });
        const typed = { ...sayingPlainly(args, newBlocks), help: help ?? '' };
        const sub = subcommandIn(row.subcommands, typedText(slackPieces(args.command.text)));
        return sub === undefined ? row.handle(typed, services) : sub.row.handle(typed, services, sub.rest);
      });
    }
    // A click or a choice takes no answer.
    for (const [id, shortcut] of Object.entries(feature.shortcuts ?? {})) {
      // A shortcut that can be chosen anywhere reads nothing of a message.
      const handle: MessageShortcutHandler<typeof services> = shortcut.handle;
      addShortcut(id, (args) => args.ack().then(() => handle(args, services)));
    }
    for (const [id, { handle }] of Object.entries(feature.actions ?? {}))
      addAction(id, (args) => {
        const action = { ...args.action, ...actionIn({ ...args.body }) };
        return args.ack().then(() => handle(sayingPlainly({ ...args, action }, newBlocks), services));
      });
    for (const [id, { handle }] of Object.entries(feature.options ?? {}))
      addOptions(id, (args) => handle(args, services));
    for (const [id, { handle }] of Object.entries(feature.views ?? {}))
      addView(id, (args) => handle(args, services));
    for (const [id, { handle }] of Object.entries(feature.events ?? {}))
      addEvent(id, (args) => handle(args, services));
    for (const [id, { handle }] of Object.entries(feature.steps ?? {}))
      addStep(id, (args) => handle(args, services));
  };
}
