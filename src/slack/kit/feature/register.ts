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
import type { Payload } from '../../connection/payload.ts';
import type { MessageShortcutHandler } from '../clicks/arguments.ts';
import { sayingPlainly } from '../clicks/respond.ts';
import { entranceName, entranceOf } from './entrance-name.ts';
import type { Feature } from './feature.ts';
import { isHelp } from './rights.ts';

/** Adds what a feature declares, with what its handlers work with. */
export type AddFeature = <Dependencies>(feature: Feature<Dependencies>, dependencies: Dependencies) => void;

type Answer<Arguments> = (args: Arguments & AllMiddlewareArgs) => Promise<void>;

/**
 * Registers features with Bolt; nothing else does. What is not in `declared` has no right that anybody would ask for: it
 * and what is added twice are errors of the start. Bolt itself would try each of its listeners on each payload; it is given one,
 * which finds who answers by the name that the right was asked by. What nobody answers to is not acknowledged.
 */
export function createAddFeature(app: App, declared: Readonly<Record<string, unknown>>): AddFeature {
  const answers = new Map<string, Answer<never>>();
  app.use(async (args) => {
    const answer = answers.get(entranceOf(args.body as Payload) ?? '');
    await (answer === undefined ? args.next() : answer(args as never));
  });

  /** `Arguments` are what Bolt hands over at such an entrance. */
  function add<Arguments>(kind: string, id: string, answer: Answer<Arguments>): void {
    const name = entranceName(kind, id);
    if (!Object.hasOwn(declared, name)) throw new Error(`${name} is no entrance of features.ts.`);
    if (answers.has(name)) throw new Error(`${name} was added twice.`);
    answers.set(name, answer);
  }

  return (feature, dependencies) => {
    const {
      commands = {},
      shortcuts = {},
      actions = {},
      options = {},
      views = {},
      events,
      steps = {},
    } = feature;
    for (const [id, { description, help: lines, handle }] of Object.entries(commands)) {
      const help = lines === undefined ? '' : [`*${id}* – ${description}.`, ...lines].join('\n');
      add<SlackCommandMiddlewareArgs>('command', id, (args) =>
        help !== '' && isHelp(args.command.text)
          ? args.ack({ response_type: 'ephemeral', text: help })
          : handle({ ...sayingPlainly(args), help }, dependencies),
      );
    }
    // What only tells of a click or a choice takes no answer.
    for (const [id, shortcut] of Object.entries(shortcuts)) {
      // What can be chosen anywhere reads nothing of a message.
      const handle: MessageShortcutHandler<typeof dependencies> = shortcut.handle;
      add<SlackShortcutMiddlewareArgs<MessageShortcut>>('shortcut', id, (args) =>
        args.ack().then(() => handle(args, dependencies)),
      );
    }
    for (const [id, { handle }] of Object.entries(actions))
      add<SlackActionMiddlewareArgs<BlockButtonAction>>('action', id, (args) =>
        args.ack().then(() => handle(sayingPlainly(args), dependencies)),
      );
    for (const [id, { handle }] of Object.entries(options))
      add<SlackOptionsMiddlewareArgs<'block_suggestion'>>('options', id, (args) =>
        handle(args, dependencies),
      );
    for (const [id, { handle }] of Object.entries(views))
      add<SlackViewMiddlewareArgs<ViewSubmitAction>>('view', id, (args) => handle(args, dependencies));
    for (const [id, { handle }] of Object.entries(events ?? {}))
      add<SlackEventMiddlewareArgs<'app_home_opened'>>('event', id, (args) => handle(args, dependencies));
    for (const [id, { handle }] of Object.entries(steps))
      add<SlackEventMiddlewareArgs<'function_executed'>>('function', id, (args) =>
        handle(args, dependencies),
      );
  };
}
