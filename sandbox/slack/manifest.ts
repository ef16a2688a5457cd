import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import type { FunctionParameter, SandboxCommand, SandboxFunction, SandboxShortcut } from '../protocol.ts';

/** What the workspace takes from an app's manifest: the parts that Slack acts on when the app is installed. */
export interface AppManifest {
  name: string;
  botDisplayName: string;
  /** The conversation with the app has no composer. */
  isConversationReadOnly: boolean;
  commands: SandboxCommand[];
  shortcuts: SandboxShortcut[];
  functions: SandboxFunction[];
  /** Bot scopes; calls that need another answer `missing_scope`. Null: no manifest, everything is granted. */
  botScopes: string[] | null;
  /** Events the app subscribed to. Null: no manifest, every event is sent. */
  botEvents: string[] | null;
}

const parameters = z
  .record(
    z.string(),
    z.object({
      type: z.string(),
      title: z.string().default(''),
      description: z.string().default(''),
      is_required: z.boolean().default(false),
    }),
  )
  .default({});

const manifestSchema = z.object({
  display_information: z.object({ name: z.string().min(1).max(35) }),
  features: z
    .object({
      app_home: z.object({ messages_tab_read_only_enabled: z.boolean().default(false) }).optional(),
      bot_user: z.object({ display_name: z.string() }).optional(),
      slash_commands: z
        .array(
          z.object({
            command: z.string().regex(/^\/\S+$/),
            description: z.string().max(2000),
            usage_hint: z.string().max(1000).optional(),
            should_escape: z.boolean().default(false),
          }),
        )
        .max(50)
        .default([]),
      shortcuts: z
        .array(
          z.object({
            name: z.string(),
            callback_id: z.string().max(255),
            description: z.string().max(150),
            type: z.enum(['global', 'message']),
          }),
        )
        .max(10)
        .default([]),
    })
    .default({ slash_commands: [], shortcuts: [] }),
  functions: z
    .record(
      z.string(),
      z.object({
        title: z.string(),
        description: z.string().default(''),
        input_parameters: parameters,
        output_parameters: parameters,
      }),
    )
    .default({}),
  oauth_config: z
    .object({ scopes: z.object({ bot: z.array(z.string()).default([]) }).default({ bot: [] }) })
    .default({ scopes: { bot: [] } }),
  settings: z
    .object({
      event_subscriptions: z
        .object({ bot_events: z.array(z.string()).default([]) })
        .default({ bot_events: [] }),
    })
    .default({ event_subscriptions: { bot_events: [] } }),
});

/** The app as it is without a manifest: no commands, every scope, every event. */
export const NO_MANIFEST: AppManifest = {
  name: 'Herald',
  botDisplayName: 'Herald',
  isConversationReadOnly: false,
  commands: [],
  shortcuts: [],
  functions: [],
  botScopes: null,
  botEvents: null,
};

/**
 * Reads an app manifest (YAML or JSON).
 *
 * @throws Error when the file is missing or is no manifest; the message names the file and the place
 */
export async function readManifest(path: string): Promise<AppManifest> {
  const parsed = manifestSchema.safeParse(parse(await readFile(path, 'utf8')));
  if (!parsed.success)
    throw new Error(`${path} is not a valid app manifest:\n${z.prettifyError(parsed.error)}`);
  const { display_information: display, features, oauth_config: oauth, functions, settings } = parsed.data;
  return {
    name: display.name,
    botDisplayName: features.bot_user?.display_name ?? display.name,
    isConversationReadOnly: features.app_home?.messages_tab_read_only_enabled ?? false,
    commands: features.slash_commands.map((entry) => ({
      command: entry.command,
      description: entry.description,
      usageHint: entry.usage_hint ?? '',
      ...(entry.should_escape && { shouldEscape: true }),
    })),
    shortcuts: features.shortcuts.map((entry) => ({
      callbackId: entry.callback_id,
      name: entry.name,
      description: entry.description,
      type: entry.type,
    })),
    functions: Object.entries(functions).map(([callbackId, one]) => ({
      callbackId,
      title: one.title,
      description: one.description,
      inputs: parametersOf(one.input_parameters),
      outputs: parametersOf(one.output_parameters),
    })),
    botScopes: oauth.scopes.bot,
    botEvents: settings.event_subscriptions.bot_events,
  };
}

function parametersOf(declared: z.output<typeof parameters>): FunctionParameter[] {
  return Object.entries(declared).map(([name, { is_required: required, ...rest }]) => ({
    name,
    required,
    ...rest,
  }));
}
