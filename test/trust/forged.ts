import { randomUUID } from 'node:crypto';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import type { DeliveryRequest } from '../../sandbox/slack/delivery-request.ts';
import { HttpDelivery } from '../../sandbox/slack/http-delivery.ts';
import type { E2eStack } from '../e2e/stack.ts';
import { TEAM } from '../e2e/team.ts';

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
  { heraldUrl, workspace }: Pick<E2eStack, 'heraldUrl' | 'workspace'>,
  name: string,
  actor: Actor,
  carried: Carried,
) {
  const { signingSecret } = SANDBOX_CREDENTIALS;
  const delivery = new HttpDelivery(`${heraldUrl}/slack/events`, signingSecret, Date.now);
  return delivery.deliver(requestOf(workspace.origin, name, actor, carried), {
    times: 1,
    ackTimeoutMs: 10_000,
  });
}

const interactive = (payload: Record<string, unknown>) => ({ kind: 'interactive' as const, payload });

/** @param origin of the workspace @param name a kind of entrance, and after a colon which one */
export function requestOf(
  origin: string,
  name: string,
  { userId, teamId = WORKSPACE }: Actor,
  { text = '', value = '', metadata = {}, state = {}, blocks = [] }: Carried,
): DeliveryRequest {
  const [kind = '', id = ''] = name.split(/:(.*)/);
  // Each its own: a response_url takes five answers.
  const response_url = `${origin}/response/${randomUUID()}`;
  const trigger_id = randomUUID();
  const user = { id: userId, team_id: teamId };
  const interaction = { api_app_id: 'A0HERALD', trigger_id, team: { id: WORKSPACE, domain: 'acme' }, user };
  const view = {
    ...{ id: 'V0FORGED', hash: '1', type: 'modal', callback_id: id, blocks, state: { values: state } },
    private_metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
    app_installed_team_id: WORKSPACE,
  };
  switch (kind) {
    case 'command': {
      const who = { user_id: userId, team_id: teamId, channel_id: TEAM };
      return { kind: 'slash_commands', payload: { command: id, text, ...who, trigger_id, response_url } };
    }
    case 'action':
      return interactive({
        ...{ type: 'block_actions', ...interaction, channel: { id: TEAM }, response_url },
        container: { type: 'message', channel_id: TEAM, message_ts: '1.000001' },
        message: { ts: '1.000001', text: '', blocks: [] },
        actions: [{ type: 'button', action_id: id, block_id: 'b', action_ts: '1', value }],
      });
    case 'options': {
      const asked = { action_id: id, block_id: 'b', value: 'a', view };
      return interactive({ type: 'block_suggestion', ...interaction, ...asked });
    }
    case 'view':
      return interactive({ type: 'view_submission', ...interaction, view });
    case 'shortcut': {
      if (id === 'send_message') return interactive({ type: 'shortcut', ...interaction, callback_id: id });
      const message = { type: 'message', ts: '1.000001', user: userId, text: 'Hello' };
      const where = { channel: { id: TEAM }, message, message_ts: message.ts, response_url };
      return interactive({ type: 'message_action', ...interaction, callback_id: id, ...where });
    }
    default: {
      const event = { type: id, user: userId, channel: `D${userId.slice(1)}`, tab: 'home', event_ts: '1' };
      const around = { team_id: WORKSPACE, api_app_id: 'A0HERALD', event_id: `Ev${randomUUID()}` };
      const payload = { type: 'event_callback', ...around, event_time: 1, event };
      return { kind: 'events_api', payload };
    }
  }
}
