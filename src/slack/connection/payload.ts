import { given } from '../../core/given.ts';

/**
 * Slack's deliveries, read only as far as Herald's connection must: which kind it is, who acted, and where they
 * can be answered. Handlers get the whole payload from Bolt.
 */

const INTERACTIONS = [
  'block_actions',
  'view_submission',
  'view_closed',
  'block_suggestion',
  'shortcut',
  'message_action',
] as const;
export type PayloadKind = (typeof INTERACTIONS)[number] | 'command' | 'event' | 'other';

export type Payload = Readonly<Record<string, unknown>>;

export function payloadKind(payload: Payload): PayloadKind {
  if (typeof payload.command === 'string') return 'command';
  if (payload.event !== undefined) return 'event';
  return INTERACTIONS.find((kind) => kind === payload.type) ?? 'other';
}

/** An object, and so is the event in it: Bolt relies on both. */
export function isPayload(value: unknown): value is Payload {
  return isRecord(value) && (value.event === undefined || isRecord(value.event));
}

export function actorOf(payload: Payload): { readonly userId?: string; readonly channelId?: string } {
  const userId = textAt(payload, 'user_id') ?? textAt(payload, 'user', 'id');
  const channelId = textAt(payload, 'channel_id') ?? textAt(payload, 'channel', 'id');
  return given({ userId, channelId });
}

/** Every workspace a payload speaks of: the one it was delivered for, and the actor's own. */
export function teamsOf(payload: Payload): {
  readonly teamId?: string;
  readonly userTeamId?: string;
  readonly enterpriseId?: string;
} {
  const teamId =
    textAt(payload, 'view', 'app_installed_team_id') ??
    textAt(payload, 'team_id') ??
    textAt(payload, 'team', 'id');
  const userTeamId = textAt(payload, 'user', 'team_id');
  const enterpriseId = textAt(payload, 'enterprise_id') ?? textAt(payload, 'enterprise', 'id');
  return given({ teamId, userTeamId, enterpriseId });
}

/**
 * True for an event that happened at home, or that Slack delivers because the app is installed there: in a channel that is
 * shared with another workspace `team_id` is that of the event's source, and where the app is installed stands in
 * `authorizations`; for an app of a whole organisation nothing stands there, and `context_team_id` says by which workspace it hears.
 */
export function isEventForHome(payload: Payload, { teamId }: { readonly teamId: string }): boolean {
  if ([textAt(payload, 'team_id'), textAt(payload, 'context_team_id')].includes(teamId)) return true;
  const { authorizations } = payload;
  const install: unknown = Array.isArray(authorizations) ? authorizations[0] : undefined;
  return isRecord(install) && install.team_id === teamId;
}

/** The block_id of the first input of a submitted view: where a sentence about the whole form can stand. */
export function firstInputBlockId(payload: Payload): string | undefined {
  const blocks = valueAt(payload, 'view', 'blocks');
  const inputs = Array.isArray(blocks) ? blocks.filter((one) => isRecord(one) && one.type === 'input') : [];
  return inputs.map((input) => input.block_id).find((id) => typeof id === 'string');
}

/** The text at `path`, or undefined when it is not there or empty. */
export function textAt(payload: Payload, ...path: readonly string[]): string | undefined {
  const value = valueAt(payload, ...path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(payload: Payload, ...path: readonly string[]): unknown {
  let value: unknown = payload;
  for (const key of path) {
    if (!isRecord(value)) return undefined;
    value = value[key];
  }
  return value;
}
