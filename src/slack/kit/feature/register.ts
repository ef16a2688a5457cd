import type {
  AllMiddlewareArgs,
  App,
  BlockButtonAction,
  GlobalShortcut,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { sayingPlainly } from '../clicks/respond.ts';
import { entrancesOf, type Feature } from './feature.ts';
import { isHelp } from './rights.ts';

/** Adds what a feature declares, with what its handlers work with. */
export type AddFeature = <Dependencies>(feature: Feature<Dependencies>, dependencies: Dependencies) => void;

/**
 * Registers features with Bolt; nothing else does. What is not in `declared` has no right that anybody would ask for: it
 * and what is added twice are errors of the start.
 */
export function createAddFeature(app: App, declared: Readonly<Record<string, unknown>>): AddFeature {
  const added = new Set<string>();
  const answers = listen(app);
  return (feature, dependencies) => {
    for (const [name] of entrancesOf(feature)) {
      if (!Object.hasOwn(declared, name)) throw new Error(`${name} is no entrance of features.ts.`);
      if (added.has(name)) throw new Error(`${name} was added twice.`);
      added.add(name);
    }
    register(app, answers, feature, dependencies);
  };
}

/** Who answers, by the name of the entrance. */
type Answers<Arguments> = Map<string, (args: Arguments & AllMiddlewareArgs) => Promise<void>>;

const ANY = /^/;

/**
 * One listener for each kind of payload: Bolt tries each of its listeners on each payload. What nobody answers to is not
 * acknowledged.
 */
function listen(app: App) {
  const commands: Answers<SlackCommandMiddlewareArgs> = new Map();
  const globalShortcuts: Answers<SlackShortcutMiddlewareArgs<GlobalShortcut>> = new Map();
  const messageShortcuts: Answers<SlackShortcutMiddlewareArgs<MessageShortcut>> = new Map();
  const actions: Answers<SlackActionMiddlewareArgs<BlockButtonAction>> = new Map();
  const options: Answers<SlackOptionsMiddlewareArgs<'block_suggestion'>> = new Map();
  const views: Answers<SlackViewMiddlewareArgs<ViewSubmitAction>> = new Map();
  app.command(ANY, async (args) => commands.get(args.command.command)?.(sayingPlainly(args)));
  app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: ANY }, async (args) =>
    globalShortcuts.get(args.shortcut.callback_id)?.(args),
  );
  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: ANY }, async (args) =>
    messageShortcuts.get(args.shortcut.callback_id)?.(args),
  );
  app.action<BlockButtonAction>(ANY, async (args) => {
    const { action_id: id } = args.action;
    const answer = actions.get(id) ?? actions.get(id.slice(0, id.indexOf(':') + 1));
    await answer?.(sayingPlainly(args));
  });
  app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: ANY }, async (args) =>
    options.get(args.payload.action_id)?.(args),
  );
  app.view<ViewSubmitAction>(ANY, async (args) => views.get(args.view.callback_id)?.(args));
  return { commands, globalShortcuts, messageShortcuts, actions, options, views };
}

function register<Dependencies>(
  app: App,
  answers: ReturnType<typeof listen>,
  feature: Feature<Dependencies>,
  dependencies: Dependencies,
): void {
  const {
    commands = {},
    shortcuts = {},
    actions = {},
    options = {},
    views = {},
    events,
    steps = {},
  } = feature;
  for (const [name, { description, help: lines, handle }] of Object.entries(commands)) {
    const help = lines === undefined ? '' : [`*${name}* – ${description}.`, ...lines].join('\n');
    answers.commands.set(name, (args) =>
      help !== '' && isHelp(args.command.text)
        ? args.ack({ response_type: 'ephemeral', text: help })
        : handle({ ...args, help }, dependencies),
    );
  }
  // What only tells of a click or a choice takes no answer.
  for (const [name, shortcut] of Object.entries(shortcuts)) {
    if (shortcut.type === 'global')
      answers.globalShortcuts.set(name, (args) => args.ack().then(() => shortcut.handle(args, dependencies)));
    else
      answers.messageShortcuts.set(name, (args) =>
        args.ack().then(() => shortcut.handle(args, dependencies)),
      );
  }
  for (const [name, { handle }] of Object.entries(actions))
    answers.actions.set(name, (args) => args.ack().then(() => handle(args, dependencies)));
  for (const [name, { handle }] of Object.entries(options))
    answers.options.set(name, (args) => handle(args, dependencies));
  for (const [name, { handle }] of Object.entries(views))
    answers.views.set(name, (args) => handle(args, dependencies));
  if (events) app.event('app_home_opened', (args) => events.app_home_opened.handle(args, dependencies));
  for (const [name, { handle }] of Object.entries(steps))
    app.function(name, { autoAcknowledge: false }, (args) => handle(args, dependencies));
}
