import { randomUUID } from 'node:crypto';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import type { DeliveryRequest } from '../../sandbox/slack/delivery-request.ts';
import { HttpDelivery } from '../../sandbox/slack/http-delivery.ts';
import { type E2eStack, TEAM } from '../e2e/stack.ts';

const WORKSPACE = 'T0ACME';

/** Who acts, and the workspace that Slack says they are of. */
export interface Actor {
  readonly userId: string;
  readonly teamId?: string;
}

/** What a forged button or form carries. */
export interface Carried {
  readonly text?: string;
  readonly value?: string;
  /** As it is where it is a text. */
  readonly metadata?: object | string;
  readonly state?: object;
  readonly blocks?: readonly object[];
}

/**
 * Comes in by any entrance as anybody, signed as Slack signs: what no client would offer is tried as well.
 *
 * @returns what Herald acknowledged it with
 */
export function forge(
  stack: Pick<E2eStack, 'heraldUrl' | 'workspace'>,
  name: string,
  { userId, teamId = WORKSPACE }: Actor,
  carried: Carried,
) {
  const delivery = new HttpDelivery(
    `${stack.heraldUrl}/slack/events`,
    SANDBOX_CREDENTIALS.signingSecret,
    Date.now,
  );
  const [kind = '', id = ''] = name.split(/:(.*)/);
  // Each its own: a response_url takes five answers.
  const responseUrl = `${stack.workspace.origin}/response/${randomUUID()}`;
  const request = requestOf(kind, id, { userId, teamId }, carried, responseUrl);
  return delivery.deliver(request, { times: 1, ackTimeoutMs: 10_000 });
}

function requestOf(
  kind: string,
  id: string,
  { userId, teamId }: Required<Actor>,
  { text = '', value = '', metadata = {}, state = {}, blocks = [] }: Carried,
  response_url: string,
): DeliveryRequest {
  const interaction = {
    api_app_id: 'A0HERALD',
    trigger_id: randomUUID(),
    team: { id: WORKSPACE, domain: 'acme' },
    user: { id: userId, team_id: teamId },
  };
  const view = {
    id: 'V0FORGED',
    hash: '1',
    type: 'modal',
    callback_id: id,
    blocks,
    private_metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
    state: { values: state },
    app_installed_team_id: WORKSPACE,
  };
  switch (kind) {
    case 'command':
      return {
        kind: 'slash_commands',
        payload: {
          command: id,
          text,
          user_id: userId,
          team_id: teamId,
          channel_id: TEAM,
          trigger_id: randomUUID(),
          response_url,
        },
      };
    case 'action':
      return {
        kind: 'interactive',
        payload: {
          type: 'block_actions',
          ...interaction,
          channel: { id: TEAM },
          container: { type: 'message', channel_id: TEAM, message_ts: '1.000001' },
          message: { ts: '1.000001', text: '', blocks: [] },
          response_url,
          actions: [{ type: 'button', action_id: id, block_id: 'b', action_ts: '1', value }],
        },
      };
    case 'options':
      return {
        kind: 'interactive',
        payload: { type: 'block_suggestion', ...interaction, action_id: id, block_id: 'b', value: 'a', view },
      };
    case 'view':
      return { kind: 'interactive', payload: { type: 'view_submission', ...interaction, view } };
    case 'shortcut': {
      const message = { type: 'message', ts: '1.000001', user: userId, text: 'Hello' };
      const isGlobal = id === 'send_message';
      return {
        kind: 'interactive',
        payload: {
          type: isGlobal ? 'shortcut' : 'message_action',
          ...interaction,
          callback_id: id,
          ...(isGlobal ? {} : { channel: { id: TEAM }, message, message_ts: message.ts, response_url }),
        },
      };
    }
    default:
      return {
        kind: 'events_api',
        payload: {
          type: 'event_callback',
          team_id: WORKSPACE,
          api_app_id: 'A0HERALD',
          event_id: `Ev${randomUUID()}`,
          event_time: 1,
          event: { type: id, user: userId, channel: `D${userId.slice(1)}`, tab: 'home', event_ts: '1' },
        },
      };
  }
}
