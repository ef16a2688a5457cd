import type { FunctionExecution, SandboxChannel, SandboxFunction } from '../protocol.ts';
import { messageShape, viewShape } from './api-shapes.ts';
import { asObject, type Json } from './block-identity.ts';
import type { WorkspaceClock } from './clock.ts';
import type { AppDelivery } from './delivery.ts';
import type { DeliveryResult } from './delivery-request.ts';
import { newId, newToken } from './identifiers.ts';
import { APP, TEAM } from './seed.ts';
import type { Reaction, StoredMessage, WorkspaceState } from './state.ts';

/** The verification token of old; nobody should rely on it, yet every payload carries one. */
export const VERIFICATION_TOKEN = 'sandbox-verification-token';

/**
 * The Events API: tells the app what happens where its bot is a member, if the manifest subscribes to it.
 * Source: https://docs.slack.dev/apis/events-api
 */
export class AppEvents {
  #state: WorkspaceState;
  #delivery: AppDelivery;
  #clock: WorkspaceClock;

  constructor(state: WorkspaceState, delivery: AppDelivery, clock: WorkspaceClock) {
    this.#state = state;
    this.#delivery = delivery;
    this.#clock = clock;
  }

  /** A message, from whomever; app_mention too when it names the bot. */
  messagePosted(channel: SandboxChannel, message: StoredMessage): void {
    if (message.ephemeralFor !== undefined || !hasBot(channel)) return;
    const event = {
      ...messageShape(message),
      channel: channel.id,
      channel_type: channelType(channel),
      event_ts: message.ts,
    };
    this.#send(messageEventName(channel), event, message.otherTeam);
    const mentionsBot = message.text.includes(`<@${APP.botUserId}>`);
    if (mentionsBot && message.user !== APP.botUserId && channel.kind !== 'im') {
      this.#send('app_mention', { ...event, type: 'app_mention' });
    }
  }

  messageChanged(channel: SandboxChannel, before: StoredMessage, after: StoredMessage, ts: string): void {
    if (after.ephemeralFor !== undefined || !hasBot(channel)) return;
    this.#send(
      messageEventName(channel),
      {
        type: 'message',
        subtype: 'message_changed',
        hidden: true,
        channel: channel.id,
        channel_type: channelType(channel),
        ts,
        event_ts: ts,
        message: messageShape(after),
        previous_message: messageShape(before),
      },
      after.otherTeam,
    );
  }

  messageDeleted(channel: SandboxChannel, message: StoredMessage, ts: string): void {
    if (message.ephemeralFor !== undefined || !hasBot(channel)) return;
    this.#send(
      messageEventName(channel),
      {
        type: 'message',
        subtype: 'message_deleted',
        hidden: true,
        channel: channel.id,
        channel_type: channelType(channel),
        ts,
        event_ts: ts,
        deleted_ts: message.ts,
        previous_message: messageShape(message),
      },
      message.otherTeam,
    );
  }

  reacted(channel: SandboxChannel, message: StoredMessage, reaction: Reaction, ts: string): void {
    if (!hasBot(channel)) return;
    const type = reaction.isAdded ? 'reaction_added' : 'reaction_removed';
    const { user, name } = reaction;
    this.#send(type, {
      type,
      user,
      reaction: name,
      item: { type: 'message', channel: channel.id, ts: message.ts },
      ...(message.user === undefined ? {} : { item_user: message.user }),
      event_ts: ts,
    });
  }

  homeOpened(userId: string, channelId: string): void {
    const view = this.#state.homes.get(userId);
    this.#send('app_home_opened', {
      type: 'app_home_opened',
      user: userId,
      channel: channelId,
      tab: 'home',
      event_ts: String(this.#clock.now() / 1000),
      ...(view === undefined ? {} : { view: viewShape(view) }),
    });
  }

  /** Slack drops events of this minute, and says so without a subscription. */
  rateLimited(): Promise<DeliveryResult> {
    const payload = {
      token: VERIFICATION_TOKEN,
      type: 'app_rate_limited',
      team_id: TEAM.id,
      minute_rate_limited: Math.floor(this.#clock.now() / 60_000) * 60,
      api_app_id: APP.id,
    };
    return this.#delivery.deliver({ kind: 'events_api', payload });
  }

  /**
   * Whoever gives the challenge back, as text, as JSON or as a form, answers at the request URL.
   * Source: https://docs.slack.dev/reference/events/url_verification
   */
  async verifyRequestUrl(): Promise<DeliveryResult> {
    const challenge = newToken();
    const payload = { token: VERIFICATION_TOKEN, challenge, type: 'url_verification' };
    const result = await this.#delivery.deliver({ kind: 'url_verification', payload });
    if (!result.ok || challengeIn(result.body) === challenge) return result;
    const message = 'The challenge did not come back.';
    return { ok: false, error: 'dispatch_failed', message };
  }

  /** A step of the app runs: sent without a subscription. A workflow waits for the acknowledgement. */
  functionExecuted(
    step: SandboxFunction,
    execution: FunctionExecution,
    token: string,
  ): Promise<DeliveryResult> {
    const parameters = (declared: SandboxFunction['inputs']) =>
      declared.map(({ required, ...rest }) => ({ ...rest, is_required: required }));
    const payload = this.#callback({
      type: 'function_executed',
      function: {
        id: `Fn${execution.callbackId.length.toString().padStart(9, '0')}`,
        callback_id: step.callbackId,
        title: step.title,
        description: step.description,
        type: 'app',
        input_parameters: parameters(step.inputs),
        output_parameters: parameters(step.outputs),
        app_id: APP.id,
        date_created: 1_700_000_000,
        date_updated: 1_700_000_000,
        date_deleted: 0,
      },
      inputs: execution.inputs,
      function_execution_id: execution.id,
      workflow_execution_id: `Wx${execution.id.slice(2)}`,
      event_ts: (this.#clock.now() / 1000).toFixed(6),
      bot_access_token: token,
    });
    return this.#delivery.deliver({ kind: 'events_api', payload });
  }

  /** @param otherTeam the workspace it happened in, where that is another one sharing the channel */
  #send(subscription: string, event: Json, otherTeam?: string): void {
    const subscribed = this.#state.manifest.botEvents;
    if (subscribed !== null && !subscribed.includes(subscription)) return;
    // Nobody waits for an event: what comes of its delivery is the app's affair.
    void this.#delivery.deliver({ kind: 'events_api', payload: this.#callback(event, otherTeam) });
  }

  /** Of a shared channel the outer team_id is the source's; where the app is installed stands in `authorizations`. */
  #callback(event: Json, otherTeam?: string): Json {
    const { organisation } = this.#state;
    const enterpriseId = organisation?.id ?? null;
    const isInstalled = organisation?.isInstalled === true;
    return {
      token: VERIFICATION_TOKEN,
      team_id: otherTeam ?? TEAM.id,
      ...(enterpriseId && { enterprise_id: enterpriseId }),
      context_team_id: TEAM.id,
      context_enterprise_id: enterpriseId,
      api_app_id: APP.id,
      event,
      type: 'event_callback',
      event_id: newId('E').replace('E', 'Ev'),
      event_time: Math.floor(this.#clock.now() / 1000),
      authorizations: [
        {
          enterprise_id: enterpriseId,
          team_id: isInstalled ? null : TEAM.id,
          user_id: APP.botUserId,
          is_bot: true,
          is_enterprise_install: isInstalled,
        },
      ],
      is_ext_shared_channel: otherTeam !== undefined || this.#isShared(event.channel),
      event_context: newId('E'),
    };
  }

  #isShared(channelId: unknown): boolean {
    return this.#state.channels.get(String(channelId))?.sharedWith !== undefined;
  }
}

function hasBot(channel: SandboxChannel): boolean {
  return channel.memberIds.includes(APP.botUserId);
}

function channelType(channel: SandboxChannel): string {
  if (channel.kind === 'im') return 'im';
  return channel.isPrivate ? 'group' : 'channel';
}

function messageEventName(channel: SandboxChannel): string {
  if (channel.kind === 'im') return 'message.im';
  return channel.isPrivate ? 'message.groups' : 'message.channels';
}

function challengeIn(answer: unknown): unknown {
  if (typeof answer !== 'string') return asObject(answer).challenge;
  return new URLSearchParams(answer).get('challenge') ?? answer;
}
