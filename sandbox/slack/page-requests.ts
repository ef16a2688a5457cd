import { z } from 'zod';
import type { Act, Faults } from '../protocol.ts';

/** What the page and the tests may ask over HTTP, checked where it comes in. */

const stateValues = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())));
const container = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({ type: z.literal('view'), viewId: z.string() }),
]);
const as = z.string();
const place = { channel: z.string(), ts: z.string() };
const typed = { text: z.string(), isEncoded: z.boolean().exactOptional() };
const element = { as, container, blockId: z.string(), actionId: z.string() };

const done = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command'), as, channel: z.string(), command: z.string(), ...typed }),
  z.object({
    type: z.literal('post'),
    as,
    channel: z.string(),
    ...typed,
    thread_ts: z.string().exactOptional(),
    files: z.array(z.string()).exactOptional(),
  }),
  z.object({
    type: z.literal('app_post'),
    appId: z.string(),
    channel: z.string(),
    text: z.string(),
    team: z.string().exactOptional(),
    blocks: z.array(z.unknown()).exactOptional(),
    attachments: z.array(z.unknown()).exactOptional(),
  }),
  z.object({ type: z.literal('edit'), as, ...place, ...typed }),
  z.object({
    type: z.literal('react'),
    as,
    ...place,
    name: z.string(),
    isTakenBack: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal('app_edit'),
    appId: z.string(),
    ...place,
    text: z.string().exactOptional(),
    blocks: z.array(z.unknown()).exactOptional(),
    attachments: z.array(z.unknown()).exactOptional(),
  }),
  z.object({
    type: z.literal('block_action'),
    ...element,
    value: z.record(z.string(), z.unknown()),
    state: stateValues.exactOptional(),
  }),
  z.object({ type: z.literal('view_submission'), as, viewId: z.string(), state: stateValues }),
  z.object({ type: z.literal('view_closed'), as, viewId: z.string(), clearAll: z.boolean().exactOptional() }),
  z.object({ type: z.literal('suggestion'), ...element, value: z.string() }),
  z.object({ type: z.literal('shortcut'), as, callbackId: z.string() }),
  z.object({
    type: z.literal('message_shortcut'),
    as,
    callbackId: z.string(),
    channel: z.string(),
    ts: z.string(),
  }),
  z.object({
    type: z.literal('workflow_step'),
    as,
    callbackId: z.string(),
    inputs: z.record(z.string(), z.unknown()),
  }),
  z.object({ type: z.literal('home_opened'), as }),
]);

export const actSchema: z.ZodType<Act> = done.and(z.object({ tab: z.string().exactOptional() }));

const times = z.int().min(0);
const api = { on: z.literal('api'), method: z.string(), times };

export const faultsSchema: z.ZodType<Faults> = z.object({
  faults: z.array(
    z.union([
      z.object({ ...api, do: z.literal('rate_limit'), retryAfterSeconds: z.int().min(0) }),
      z.object({ ...api, do: z.literal('error'), error: z.string() }),
      z.object({ ...api, do: z.literal('drop_answer') }),
      z.object({ ...api, do: z.literal('hang') }),
      z.object({ ...api, do: z.literal('status'), status: z.int().min(400).max(599) }),
      z.object({ on: z.literal('delivery'), times, do: z.literal('duplicate') }),
      z.object({ on: z.literal('socket'), times, do: z.literal('disconnect') }),
    ]),
  ),
});
