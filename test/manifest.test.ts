import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMANDS, FEATURES, SCOPES } from '../src/slack/features.ts';
import { readText } from './written.ts';

const parameters = z.record(
  z.string().regex(/^[a-z_]+$/),
  z.strictObject({
    type: z.string(),
    title: z.string().min(1),
    description: z.string().min(1),
    is_required: z.boolean(),
    dynamic_options: z
      .strictObject({
        function: z.string().regex(/^#\/functions\/[a-z_]+$/),
        inputs: z.record(z.string(), z.strictObject({ value: z.string() })),
      })
      .optional(),
  }),
);

/** The parts of a manifest that Herald writes, with the limits that Slack's manifest reference gives them. */
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.int(), minor_version: z.int() }),
  display_information: z.strictObject({
    name: z.string().max(35),
    description: z.string().max(140),
    long_description: z.string().min(175).max(4000),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/i),
  }),
  features: z.strictObject({
    app_home: z
      .strictObject({
        home_tab_enabled: z.boolean(),
        messages_tab_enabled: z.boolean(),
        messages_tab_read_only_enabled: z.boolean(),
      })
      .optional(),
    bot_user: z.strictObject({ display_name: z.string().max(80), always_online: z.boolean() }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().regex(/^\/[a-z_-]{1,31}$/),
          description: z.string().min(1).max(2000),
          usage_hint: z.string().max(1000),
          should_escape: z.boolean(),
        }),
      )
      .min(1)
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().max(24),
          type: z.enum(['global', 'message']),
          callback_id: z.string().max(255),
          description: z.string().max(150),
        }),
      )
      .max(10)
      .default([]),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()).max(255) }) }),
  functions: z.record(
    z.string().max(100),
    z.strictObject({
      title: z.string().min(1),
      description: z.string(),
      input_parameters: parameters,
      output_parameters: parameters,
    }),
  ),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()).max(100) }).optional(),
    function_runtime: z.literal('remote'),
    interactivity: z.strictObject({ is_enabled: z.literal(true) }),
    // Herald refuses to start for an installation of a whole organisation, so it must not offer itself for one.
    // https://docs.slack.dev/tools/bolt-js/tutorials/custom-steps: an app must be org-ready to have steps.
    org_deploy_enabled: z.literal(true),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
});

const manifest = manifestSchema.parse(parse(readText('manifest.yml')));

describe('manifest.yml and the code name the same', () => {
  it('commands', () => {
    const written = manifest.features.slash_commands.map(({ usage_hint: usageHint, ...command }) => ({
      ...command,
      usageHint,
    }));
    expect(written).toEqual(
      COMMANDS.map(({ command, description, usageHint }) =>
        expect.objectContaining({ command, description, usageHint }),
      ),
    );
  });

  it('shortcuts', () => {
    const declared = FEATURES.flatMap(({ shortcuts = {} }) => Object.entries(shortcuts));
    expect(manifest.features.shortcuts).toEqual(
      declared.map(([callback_id, { type, name, description }]) => ({
        callback_id,
        type,
        name,
        description,
      })),
    );
  });

  it('steps of workflows', () => {
    const declared = FEATURES.flatMap(({ steps = {} }) => Object.entries(steps));
    const written = declared.map(([callbackId, { title, description, inputs, outputs }]) => [
      callbackId,
      { title, description, input_parameters: inputs, output_parameters: outputs },
    ]);
    expect(Object.entries(manifest.functions)).toEqual(written);
  });

  it('events', () => {
    const subscribed = FEATURES.flatMap(({ events = {}, steps, keeps = [] }) => [
      ...Object.keys(events),
      ...(steps === undefined ? [] : ['function_executed']),
      ...keeps,
    ]);
    expect(manifest.settings.event_subscriptions?.bot_events ?? []).toEqual(
      [...new Set(subscribed)].toSorted(),
    );
  });

  it('scopes, each once', () => {
    expect(manifest.oauth_config.scopes.bot).toEqual(SCOPES.map(({ scope }) => scope));
    expect(new Set(manifest.oauth_config.scopes.bot).size).toBe(SCOPES.length);
  });
});
