import { setImmediate } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import type { Alert } from '../../src/sends/alerts/alert.ts';
import { createReactions } from '../../src/slack/alerts/posts.ts';
import { createBoltLogger, createSlackFetch, webClientOptions } from '../../src/slack/connection/client.ts';
import { askIdentity } from '../../src/slack/connection/identity.ts';
import { createSocketModeClient, openSocket } from '../../src/slack/connection/socket-session.ts';
import { notify, openModal } from '../../src/slack/kit/clicks/answering.ts';
import { createSlackFiles } from '../../src/slack/kit/files/files.ts';
import { createBotApps } from '../../src/slack/kit/people/bot-apps.ts';
import { createChannelMembers, createMembers, createPeople } from '../../src/slack/kit/people/people.ts';
import { createLinks } from '../../src/slack/kit/posting/links.ts';
import { findPost } from '../../src/slack/kit/posting/place-post.ts';
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
const NOT_KEPT =
  'This file is not kept in Slack, so Herald cannot read it. Nothing was sent. Choose a file from your computer.';

/** What Slack answers where nothing is wrong. */
const ANSWERS: Readonly<Record<string, object>> = {
  'apps.connections.open': { url: 'ws://127.0.0.1:1/' },
  'auth.teams.list': { teams: [{ id: 'T0', name: 'Acme' }] },
  'auth.test': { team_id: 'T0', team: 'Acme', user_id: HERALD.botUserId, bot_id: HERALD.botId },
  'bots.info': { bot: { app_id: 'A1', name: 'grafana' } },
  'chat.getPermalink': { permalink: 'https://acme.example/1' },
  'conversations.history': { messages: [CARD] },
  'conversations.info': { channel: { name: 'team' } },
  'conversations.members': { members: ['U1'] },
  'conversations.replies': { messages: [CARD] },
  'files.info': { file: { url_private: 'https://files.example/a.csv' } },
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
      fetch: createSlackFetch(API, [], NO_METRICS, clock, fetch),
    });
  const client = new webApi.WebClient('xoxb-1', options());
  return { ...{ clock, logger, calls, client, options }, surroundings: { client, clock, logger }, setting };
}
type Setting = ReturnType<typeof createSetting>;

interface Question {
  readonly method: Method;
  /** Makes what asks; what it gives asks once. */
  readonly make: (all: Setting) => () => Promise<unknown>;
  /** What may come of it while there is trouble. An error is its message. */
  readonly fits: RegExp;
  /** The answer where there is none. */
  readonly right: unknown;
  /** Trouble that answers the question. */
  readonly answers?: readonly string[];
}

const identity = () => HERALD;
const place = { channelId: 'C1', mark: 'S-1', since: 0 };
const found = { state: 'found', ts: '1.0' };
const NOT_FOUND = /"state":"(?:later|unreadable)"/;
const named = (method: Method, id: string, right: string): Question => ({
  ...{ method, fits: new RegExp(`^"${id}"$`), right },
  make: ({ surroundings }) => {
    const { names } = createPeople({ ...surroundings, identity });
    return () => names.nameOf(id);
  },
});
const reacting = (method: Method): Question => ({
  ...{ method, fits: /^undefined$/, right: undefined },
  make: ({ surroundings }) => {
    const show = createReactions(surroundings);
    return async () => {
      for (const state of ['open', 'acknowledged'] as const)
        await show({ id: 'L-1', channelId: 'C1', ts: '1.0', state } as Alert);
    };
  },
});
const opening = (how: 'open' | 'push'): Question => ({
  ...{ method: `views.${how}`, right: { ok: true, value: view }, answers: ['exchanged_trigger_id'] },
  fits: /Slack did not (?:say whether it opened the form\.|open the form \(\w+\)\.)|three seconds/,
  make: (all) => () => openModal(all.client, 'trigger', MODAL, how),
});

const QUESTIONS: readonly Question[] = [
  {
    ...{ method: 'auth.test', fits: /^false$/, right: true },
    make: (all) => async () => (await askIdentity(all.client, [])).ok,
  },
  {
    ...{ method: 'auth.teams.list', fits: /^true$/, right: true },
    // An app of a whole organisation, whose home is one workspace: only what Slack says keeps it from starting.
    make: (all) => async () => {
      const test = async () => ({ ok: true, ...ANSWERS['auth.test'], is_enterprise_install: true });
      const auth = Object.assign(Object.create(all.client.auth), { test });
      return (await askIdentity(Object.assign(Object.create(all.client), { auth }), [], 'T0')).ok;
    },
  },
  {
    ...{ method: 'apps.connections.open', fits: /^"(?:refused|unreachable)"$/ },
    // Nothing listens at that address.
    right: 'unreachable',
    make: (all) => async () => {
      const boltLogger = createBoltLogger(all.logger);
      const settings = { appToken: 'xapp-1', clientOptions: all.options, boltLogger };
      const socket = createSocketModeClient(settings, () => {});
      const opened = await openSocket(socket, all.clock, new AbortController().signal);
      return opened.ok || opened.error.kind;
    },
  },
  {
    ...{ method: 'bots.info', right: { appId: 'A1', name: 'grafana' } },
    // Where it is an error Slack delivers the alert again.
    fits: /^\{\}$|^"rejected: /,
    make: ({ surroundings }) => {
      const apps = createBotApps(surroundings);
      return () => apps.of('B1');
    },
  },
  {
    ...{ method: 'chat.getPermalink', fits: /^undefined$/, right: 'https://acme.example/1' },
    make: ({ surroundings }) => {
      const linkTo = createLinks(surroundings);
      return () => linkTo({ channelId: 'C1', ts: '1.0' });
    },
  },
  // What is taken for “not there” would be posted a second time.
  {
    ...{ method: 'conversations.history', fits: NOT_FOUND, right: found },
    make: (all) => () => findPost(all.client, HERALD.botId, place),
  },
  {
    ...{ method: 'conversations.replies', fits: NOT_FOUND, right: found },
    make: (all) => () => findPost(all.client, HERALD.botId, { ...place, threadTs: '0.5' }),
  },
  named('conversations.info', 'C1', '#team'),
  named('usergroups.list', 'S1', '@managers'),
  named('users.info', 'U1', '@asha'),
  // Nobody has a right because Slack does not say that they have none.
  {
    ...{ method: 'conversations.members', fits: /^"(?:unknown|stranger)"$/, right: 'member' },
    make: (all) => () => createChannelMembers(all.surroundings).includes('C1', 'U1'),
  },
  {
    ...{ method: 'usergroups.users.list', fits: /^"(?:unknown|stranger)"$/, right: 'member' },
    make: ({ surroundings }) => {
      const members = createMembers(surroundings);
      return () => members.includes(['S1'], 'U1', { fresh: true });
    },
  },
  {
    ...{ method: 'users.info', fits: /^"(?:unknown|other_workspace)"$/, right: 'member' },
    make: ({ surroundings }) => {
      const { standings } = createPeople({ ...surroundings, identity });
      return () => standings.of('U1', { fresh: true });
    },
  },
  {
    ...{ method: 'files.info', fits: /^\{"ok":false,"error":".*"\}$/, right: { ok: false, error: NOT_KEPT } },
    make: ({ surroundings }) => {
      const files = createSlackFiles({ ...surroundings, botToken: 'xoxb-1', slackApiUrl: API });
      return () => files.download({ id: 'F1', name: 'a.csv' }, 100);
    },
  },
  reacting('reactions.add'),
  reacting('reactions.remove'),
  opening('open'),
  opening('push'),
  {
    ...{ method: 'chat.postEphemeral', right: ['chat.postEphemeral'] },
    fits: /^\["chat.postEphemeral","chat.postMessage"\]$/,
    make: (all) => async () => {
      const before = all.calls.length;
      await notify(all.client, { channelId: 'C1', userId: 'U1' }, 'Nothing was sent.', all.logger);
      return all.calls.slice(before);
    },
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
