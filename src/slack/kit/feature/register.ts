import type { App, BlockButtonAction, GlobalShortcut, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
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
  return (feature, dependencies) => {
    for (const [name] of entrancesOf(feature)) {
      if (!Object.hasOwn(declared, name)) throw new Error(`${name} is no entrance of features.ts.`);
      if (added.has(name)) throw new Error(`${name} was added twice.`);
      added.add(name);
    }
    register(app, feature, dependencies);
  };
}

function register<Dependencies>(
  app: App,
  {
    commands = {},
    shortcuts = {},
    actions = {},
    options = {},
    views = {},
    events,
    steps = {},
  }: Feature<Dependencies>,
  dependencies: Dependencies,
): void {
  for (const [name, { description, help: lines, handle }] of Object.entries(commands)) {
    const help = lines === undefined ? '' : [`*${name}* – ${description}.`, ...lines].join('\n');
    app.command(name, (args) =>
      help !== '' && isHelp(args.command.text)
        ? args.ack({ response_type: 'ephemeral', text: help })
        : handle({ ...args, help }, dependencies),
    );
  }
  for (const [name, shortcut] of Object.entries(shortcuts)) {
    if (shortcut.type === 'global')
      app.shortcut<GlobalShortcut>(name, (args) => shortcut.handle(args, dependencies));
    else app.shortcut<MessageShortcut>(name, (args) => shortcut.handle(args, dependencies));
  }
  for (const [name, { handle }] of Object.entries(actions))
    app.action<BlockButtonAction>(name.endsWith(':') ? new RegExp(`^${name}`) : name, (args) =>
      handle(args, dependencies),
    );
  for (const [name, { handle }] of Object.entries(options))
    app.options(name, (args) => handle(args, dependencies));
  for (const [name, { handle }] of Object.entries(views))
    app.view<ViewSubmitAction>(name, (args) => handle(args, dependencies));
  if (events) app.event('app_home_opened', (args) => events.app_home_opened.handle(args, dependencies));
  for (const [name, { handle }] of Object.entries(steps))
    app.function(name, { autoAcknowledge: false }, (args) => handle(args, dependencies));
}
