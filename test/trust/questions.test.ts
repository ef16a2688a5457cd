import { setImmediate } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import type { Alert } from '../../src/sends/alerts/alert.ts';
import { createReactions } from '../../src/slack/alerts/reactions.ts';
import { askIdentity } from '../../src/slack/connection/identity.ts';
import { createResponseUrls } from '../../src/slack/connection/response-url.ts';
import { createSocketModeClient, openSocket } from '../../src/slack/connection/socket-session.ts';
import {
  createBoltLogger,
  createSlackFetch,
  webClientOptions,
} from '../../src/slack/connection/web-client.ts';
import { notify, openModal } from '../../src/slack/kit/clicks/answering.ts';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createBotApps } from '../../src/slack/kit/people/bot-apps.ts';
import { createChannelMembers, createMembers } from '../../src/slack/kit/people/membership.ts';
import { createPeople } from '../../src/slack/kit/people/people.ts';
import { findPost } from '../../src/slack/kit/posting/find-post.ts';
import { createLinks } from '../../src/slack/kit/posting/links.ts';
import { createManualClock, type ManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { NO_METRICS } from '../slack/test-app.ts';
import { errorsOf, type Method } from './slack-errors.ts';
import { ON_THE_WAY, refusal, says, type Trouble } from './slack-troubles.ts';

/*
 * What Herald asks of Slack, one question at a time, while Slack refuses, is busy, is away, is silent or cuts the connection.
 * No trouble is taken for an answer, and each is over by itself.
 */

const API = 'https://slack.example/api/';
/** A question is asked again while Slack does not say no. */
const MOST_CALLS = 3;
/** By then Slack is asked again, whatever it said. */
const LATER_MS = 2 * 60 * 60_000;

const HERALD = { teamId: 'T0', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };
const CARD = { ts: '1.0', bot_id: HERALD.botId, text: 'S-1' };
const MODAL: ModalView = { type: 'modal', title: { type: 'plain_text', text: 'A' }, blocks: [] };
const view = { id: 'V1', hash: '1' };

/** What Slack answers where nothing is wrong. */
const ANSWERS: Readonly<Record<string, object>> = {
  'apps.connections.open': { url: 'ws://127.0.0.1:1/' },
  'auth.test': { team_id: 'T0', team: 'Acme', user_id: HERALD.botUserId, bot_id: HERALD.botId },
  'bots.info': { bot: { app_id: 'A1', name: 'grafana' } },
  'chat.getPermalink': { permalink: 'https://acme.example/1' },
  'conversations.history': { messages: [CARD] },
  'conversations.info': { channel: { name: 'team' } },
  'conversations.members': { members: ['U1'] },
  'conversations.replies': { messages: [CARD] },
  'files.info': { file: { mimetype: 'image/png' } },
  'usergroups.list': { usergroups: [{ id: 'S1', handle: 'managers' }] },
  'usergroups.users.list': { users: ['U1'] },
  'users.info': { user: { id: 'U1', team_id: 'T0', name: 'asha' } },
  'views.open': { view },
  'views.push': { view },
};

function createSetting() {
  const clock: ManualClock = createManualClock();
  const logger = createRecordingLogger();
  const calls: string[] = [];
  const setting: { trouble?: readonly [Method, Trouble] | undefined } = {};
  const fetch: webApi.FetchFunction = async (url) => {
    const method = String(url).slice(API.length);
    const [at, trouble] = setting.trouble ?? [];
    calls.push(method);
    return at === method && trouble !== undefined ? trouble.answer() : says({ ok: true, ...ANSWERS[method] });
  };
  const options = () =>
    webClientOptions({
      slackApiUrl: API,
      logger: createBoltLogger(logger),
      fetch: createSlackFetch(API, createResponseUrls([], clock), NO_METRICS, clock, fetch),
    });
  const client = new webApi.WebClient('xoxb-1', options());
  return { ...{ clock, logger, calls, client, options }, surroundings: { client, clock, logger }, setting };
}
type Setting = ReturnType<typeof createSetting>;

interface Question {
  readonly method: Method;
  /** Makes what asks; what it gives asks once. */
  readonly make: (setting: Setting) => () => Promise<unknown>;
  /** What may come of it while there is trouble. An error is its message. */
  readonly fits: RegExp;
  /** The answer where there is none. */
  readonly right: unknown;
  /** Trouble that answers the question. */
  readonly answers?: readonly string[];
}

const place = { channelId: 'C1', mark: 'S-1', since: 0 };
const named = (id: string) => (all: Setting) => {
  const { names } = createPeople({ ...all.surroundings, identity: () => HERALD });
  return () => names.nameOf(id);
};
const reacting = (from: Alert['state'], to: Alert['state']) => (all: Setting) => {
  const show = createReactions(all.surroundings);
  const alert = (state: Alert['state']) => ({ id: 'L-1', channelId: 'C1', ts: '1.0', state }) as Alert;
  return async () => {
    await show(alert(from));
    await show(alert(to));
  };
};
const opening =
  (how: 'open' | 'push') =>
  ({ client }: Setting) =>
  () =>
    openModal(client, 'trigger', MODAL, how);
const NOT_OPENED = /Slack did not (?:say whether it opened the form\.|open the form \(\w+\)\.)|three seconds/;

const QUESTIONS: readonly Question[] = [
  {
    method: 'auth.test',
    make:
      ({ client }) =>
      () =>
        askIdentity(client, []).then(({ ok }) => ok),
    fits: /^false$/,
    right: true,
  },
  {
    method: 'apps.connections.open',
    make: (all) => () => {
      const { logger, clock } = all;
      const installerOptions = { clientOptions: all.options() };
      const socket = createSocketModeClient(
        { appToken: 'xapp-1', logger: createBoltLogger(logger), installerOptions },
        () => {},
      );
      const opened = openSocket(socket, clock, new AbortController().signal);
      return opened.then((result) => result.ok || result.error.kind);
    },
    fits: /^"(?:refused|unreachable)"$/,
    // Nothing listens at that address.
    right: 'unreachable',
  },
  {
    method: 'bots.info',
    make: ({ surroundings }) => {
      const apps = createBotApps(surroundings);
      return () => apps.of('B1');
    },
    // Where it is an error Slack delivers the alert again.
    fits: /^\{\}$|^"rejected: /,
    right: { appId: 'A1', name: 'grafana' },
  },
  {
    method: 'chat.getPermalink',
    make: ({ surroundings }) => {
      const linkTo = createLinks(surroundings);
      return () => linkTo({ channelId: 'C1', ts: '1.0' });
    },
    fits: /^undefined$/,
    right: 'https://acme.example/1',
  },
  // What is taken for “not there” would be posted a second time.
  {
    method: 'conversations.history',
    make:
      ({ client }) =>
      () =>
        findPost(client, HERALD.botId, place),
    fits: /"state":"(?:later|unreadable)"/,
    right: { state: 'found', channelId: 'C1', ts: '1.0' },
  },
  {
    method: 'conversations.replies',
    make:
      ({ client }) =>
      () =>
        findPost(client, HERALD.botId, { ...place, threadTs: '0.5' }),
    fits: /"state":"(?:later|unreadable)"/,
    right: { state: 'found', channelId: 'C1', ts: '1.0' },
  },
  { method: 'conversations.info', make: named('C1'), fits: /^"C1"$/, right: '#team' },
  { method: 'usergroups.list', make: named('S1'), fits: /^"S1"$/, right: '@managers' },
  { method: 'users.info', make: named('U1'), fits: /^"U1"$/, right: '@asha' },
  // Nobody has a right because Slack does not say that they have none.
  {
    method: 'conversations.members',
    make: (all) => () => createChannelMembers(all.surroundings).includes('C1', 'U1'),
    fits: /^"(?:unknown|stranger)"$/,
    right: 'member',
  },
  {
    method: 'usergroups.users.list',
    make: ({ surroundings }) => {
      const members = createMembers(surroundings);
      return () => members.includes(['S1'], 'U1', { fresh: true });
    },
    fits: /^"(?:unknown|stranger)"$/,
    right: 'member',
  },
  {
    method: 'users.info',
    make: ({ surroundings }) => {
      const { standings } = createPeople({ ...surroundings, identity: () => HERALD });
      return () => standings.of('U1', { fresh: true });
    },
    fits: /^"(?:unknown|other_workspace)"$/,
    right: 'member',
  },
  {
    method: 'files.info',
    make: ({ surroundings }) => {
      const files = createSlackFiles({ ...surroundings, botToken: 'xoxb-1', slackApiUrl: API });
      return () => files.isShowable('F1');
    },
    fits: /^false$/,
    right: true,
  },
  { method: 'reactions.add', make: reacting('open', 'acknowledged'), fits: /^undefined$/, right: undefined },
  {
    method: 'reactions.remove',
    make: reacting('open', 'acknowledged'),
    fits: /^undefined$/,
    right: undefined,
  },
  {
    method: 'views.open',
    make: opening('open'),
    fits: NOT_OPENED,
    right: { ok: true, value: view },
    answers: ['exchanged_trigger_id'],
  },
  {
    method: 'views.push',
    make: opening('push'),
    fits: NOT_OPENED,
    right: { ok: true, value: view },
    answers: ['exchanged_trigger_id'],
  },
  {
    method: 'chat.postEphemeral',
    make: ({ client, logger, calls }) => {
      return async () => {
        const before = calls.length;
        await notify(client, { channelId: 'C1', userId: 'U1' }, 'Nothing was sent.', logger);
        return calls.slice(before);
      };
    },
    fits: /^\["chat.postEphemeral","chat.postMessage"\]$/,
    right: ['chat.postEphemeral'],
  },
];

const inWords = (value: unknown) => JSON.stringify(value) ?? 'undefined';

/** Asks, while sleeps of the clock pass. */
async function asked(ask: () => Promise<unknown>, clock: ManualClock): Promise<unknown> {
  const answer = ask().catch((error: unknown) => `rejected: ${error}`);
  let isOver = false;
  void answer.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.advance(1_000);
    await setImmediate();
  }
  return answer;
}

test('questions: no trouble is taken for an answer, and each is over by itself', async ({ task }) => {
  const wrong: object[] = [];
  let tried = 0;
  for (const { method, make, fits, right, answers = [] } of QUESTIONS) {
    const refusals = errorsOf(method).filter((one) => !answers.includes(one));
    for (const trouble of [...refusals.map(refusal), ...ON_THE_WAY]) {
      const all = createSetting();
      const ask = make(all);
      all.setting.trouble = [method, trouble];
      const meanwhile = inWords(await asked(ask, all.clock));
      const calls = all.calls.filter((one) => one === method).length;
      all.setting.trouble = undefined;
      await all.clock.advance(LATER_MS);
      const after = await asked(ask, all.clock);
      tried += 1;
      if (!fits.test(meanwhile) || inWords(after) !== inWords(right) || calls === 0 || calls > MOST_CALLS)
        wrong.push({ method, trouble: trouble.name, meanwhile, after, calls });
    }
  }
  expect(wrong).toEqual([]);
  const methods = new Set(QUESTIONS.map(({ method }) => method)).size;
  task.meta.figure = `${tried} troubles of ${methods} methods: none taken for an answer, all over later`;
});
