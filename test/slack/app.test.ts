import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { validateView } from '../../sandbox/slack/block-kit/index.ts';
import type { Identity } from '../../src/slack/connection/identity.ts';
import { NothingSent } from '../../src/slack/connection/notify-person.ts';
import type { Payload } from '../../src/slack/connection/payload.ts';
import { SCOPES } from '../../src/slack/features.ts';
import { clickerOf } from '../../src/slack/kit/clicks/answering.ts';
import { readListQuery } from '../../src/slack/sends/query.ts';
import { createManualClock, type ManualClock } from '../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../fakes/logger.ts';
import { AUTH_TEST, type FakeAnswer, type FakeSlack, startFakeSlack, until } from './fake-slack.ts';
import {
  createTestApp,
  listening,
  NO_METRICS,
  SIGNING_SECRET,
  signed,
  type TestApp,
  type TestAppOptions,
} from './test-app.ts';

const ORGANISATION = {
  ...AUTH_TEST,
  ...{ team_id: 'E111', enterprise_id: 'E111', is_enterprise_install: true },
};

let slack: FakeSlack;
let clock: ManualClock;
let logger: RecordingLogger;
let app: TestApp;
let closeServer: () => void;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  logger = createRecordingLogger();
  closeServer = () => {};
});

afterEach(async () => {
  closeServer();
  const stopped = app.stop(0);
  await clock.advance(0);
  await stopped;
  await slack.close();
});

const HTTP = { kind: 'http', signingSecrets: [SIGNING_SECRET] } as const;

function create(more: Partial<TestAppOptions> = {}): TestApp {
  app = createTestApp({
    mode: HTTP,
    botToken: 'xoxb-1',
    slackApiUrl: slack.apiUrl.slice(0, -1),
    logger,
    clock,
    random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length).fill(7) },
    register: () => {},
    ...more,
  });
  return app;
}

async function serve(aheadMs = 0): Promise<(payload: object) => Promise<{ status: number; body: unknown }>> {
  const { url, close } = await listening(app.httpHandler);
  closeServer = close;
  return async (payload) => {
    const form = 'command' in payload ? { ...payload } : { payload: JSON.stringify(payload) };
    const isEvent = 'api_app_id' in payload;
    const body = isEvent
      ? JSON.stringify(payload)
      : new URLSearchParams(form as Record<string, string>).toString();
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
        ...signed(body, clock.now() - aheadMs),
      },
      body,
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
  };
}

/** Starts an app with these handlers and serves it. */
async function started(register: (bolt: App) => void): ReturnType<typeof serve> {
  await create({ register }).start();
  return serve();
}

const answers = (method: string, ...given: FakeAnswer[]) => slack.answers.set(method, given);
const ephemeral = (text: string) => ({ status: 200, body: { response_type: 'ephemeral', text } });
const errorUnderTo = (sentence: string) => ({
  status: 200,
  body: { response_action: 'errors', errors: { to: sentence } },
});
const saidBy = (path: string, text: string) => [
  { path, body: { response_type: 'ephemeral', replace_original: false, text } },
];
const errorsLogged = () => logger.lines.filter(({ level }) => level === 'error');
const withScopes = (scopes: readonly string[]) => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'x-oauth-scopes': scopes.join(',') },
  body: JSON.stringify(AUTH_TEST),
});
const allScopesBut = (left: string) => SCOPES.map(({ scope }) => scope).filter((scope) => scope !== left);

const COMMAND = {
  command: '/sms',
  text: 'secret words',
  team_id: 'T0ACME',
  user_id: 'U0ASHA',
  channel_id: 'C0TEAM',
  trigger_id: '1.2',
};
const submission = (view: object = {}) => ({
  type: 'view_submission',
  team: { id: 'T0ACME' },
  user: { id: 'U0ASHA', team_id: 'T0ACME' },
  view: {
    id: 'V1',
    type: 'modal',
    callback_id: 'sms',
    blocks: [
      { type: 'section', block_id: 'preview' },
      { type: 'input', block_id: 'to' },
    ],
    ...view,
  },
});
const click = (more: object = {}) => ({
  type: 'block_actions',
  team: { id: 'T0ACME' },
  user: { id: 'U0ASHA', team_id: 'T0ACME' },
  channel: { id: 'C0TEAM' },
  actions: [{ action_id: 'retry', block_id: 'b', type: 'button' }],
  ...more,
});

describe('starting', () => {
  const NOT_READY = { mode: 'http', authenticated: false, ready: false };
  const { bot_id: _botId, ...PERSON } = AUTH_TEST;
  const LABS = {
    ok: true,
    teams: [{ id: 'T222', name: 'Acme Labs' }],
    response_metadata: { next_cursor: '' },
  };

  const refusedWith = (error: string) => ({ ok: false, error });
  test.each<[string, FakeAnswer, RegExp, string?]>([
    ['a token that Slack does not know', refusedWith('invalid_auth'), /^Slack does not know SLACK_BOT_TOKEN/],
    ['that of an app that was removed', refusedWith('account_inactive'), /no longer valid .* Reinstall/],
    ['an expired token', refusedWith('token_expired'), /has expired .* token rotation to be off\. Reinstall/],
    ['any other refusal', refusedWith('access_denied'), /^Slack refused SLACK_BOT_TOKEN \(access_denied\)/],
    ['a person’s token', PERSON, /^SLACK_BOT_TOKEN belongs to a person/],
    // As bolt-python's tests of organisations record auth.test: tests/scenario_tests/test_events_org_apps.py
    ['an install for a whole organisation', ORGANISATION, /organisation “Acme”, .* Set SLACK_TEAM_ID/],
    ['a workspace that the app is not granted to', ORGANISATION, /granted to: “Acme Labs”, T222\./, 'T111'],
    [
      'a token of another workspace than the one that is named',
      AUTH_TEST,
      /is T111, .* “Acme”, T0ACME/,
      'T111',
    ],
    ['a missing permission', withScopes(allScopesBut('chat:write')), /lacks these permissions: chat:write\./],
  ])('%s stops the start', async (_name, answer, problem, teamId = '') => {
    answers('auth.test', answer);
    answers('auth.teams.list', LABS);
    const error = expect.stringMatching(problem);
    expect(await create(teamId === '' ? {} : { teamId }).start()).toEqual({ ok: false, error });
    expect(app.health()).toEqual({ ...NOT_READY, isRefused: true, problem: error });
    expect(slack.calls.filter(({ method }) => method === 'auth.test')).toHaveLength(1);
  });

  test('nothing stops one for an organisation in a workspace of it that is granted, or may be', async () => {
    answers('auth.test', ORGANISATION);
    const granted = { ...LABS, teams: [{ id: 'T111', name: 'Acme' }] };
    answers('auth.teams.list', refusedWith('missing_scope'), granted);
    for (let times = 0; times < 2; times += 1) {
      const { ok } = await create({ teamId: 'T111' }).start();
      expect([ok, app.identity()]).toEqual([
        true,
        {
          ...{ teamId: 'T111', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' },
          ...{ enterpriseId: 'E111', isForAll: true },
        },
      ]);
    }
  });

  describe.each([{ mode: 'http' as const }, { mode: 'socket' as const }])('later ($mode)', ({ mode }) => {
    const begin = async () => {
      const how = mode === 'http' ? HTTP : { kind: mode, appToken: 'xapp-1' };
      expect(await create({ mode: how }).start()).toEqual({ ok: true, value: undefined });
      await until(() => app.health().ready);
    };
    const well = { mode, authenticated: true, ready: true };
    const asked = () => slack.calls.filter(({ method }) => method === 'auth.test').length;

    test.each(['account_inactive', 'token_revoked'])(
      'a call that Slack refuses with %s makes it not ready, until Slack takes the token again',
      async (error) => {
        await begin();
        answers('chat.postMessage', { ok: false, error });
        answers('auth.test', { ok: false, error }, AUTH_TEST);
        for (let times = 0; times < 3; times += 1)
          await app.client.chat.postMessage({ channel: 'C0TEAM', text: 'Hello' }).catch(() => undefined);
        expect(app.health()).toEqual({
          ...{ ...well, ready: false },
          problem: expect.stringMatching(new RegExp(`SLACK_BOT_TOKEN.*\\(${error}\\)`)),
        });
        expect(errorsLogged()).toMatchObject([{ fields: {}, message: app.health().problem }]);
        await clock.advance(500);
        await until(() => asked() === 2, 'a question at once');
        await clock.advance(500);
        expect([asked(), app.health().ready]).toEqual([2, false]);
        await clock.advance(30_000);
        await until(() => app.health().ready, 'the end');
        expect(app.health()).toEqual(well);
        await clock.advance(60_000);
        expect(asked()).toBe(3);
      },
    );

    test.each(['missing_scope', 'internal_error'])('%s says nothing of the token', async (error) => {
      await begin();
      answers('chat.postMessage', { ok: false, error });
      await app.client.chat.postMessage({ channel: 'C0TEAM', text: 'Hello' }).catch(() => undefined);
      expect(app.health()).toEqual(well);
    });

    test('the app’s own token is another one', async () => {
      await begin();
      answers('apps.connections.open', { ok: false, error: 'invalid_auth' });
      await app.client.apps.connections.open({}).catch(() => undefined);
      expect(app.health()).toEqual(well);
    });
  });

  test('an app that was installed before reactions were asked for starts without them', async () => {
    const given = allScopesBut('reactions:write');
    expect(given).toHaveLength(SCOPES.length - 1);
    answers('auth.test', withScopes(given));
    expect(await create().start()).toEqual({ ok: true, value: undefined });
  });

  test('Slack out of reach is waited for, and health says why', async () => {
    answers('auth.test', 'reset', { status: 429, headers: { 'retry-after': '20' } }, AUTH_TEST);
    expect(await create().start()).toEqual({ ok: true, value: undefined });
    const problem = expect.stringMatching(
      /^Slack gave no usable answer \(\w+\)\. Herald tries again by itself;/,
    );
    expect(app.health()).toEqual({ ...NOT_READY, problem });
    await clock.advance(500);
    await until(() => app.health().problem?.startsWith('Slack asked to wait 20 s'));
    await clock.advance(19_000);
    expect(slack.calls.length).toBe(2);
    await clock.advance(1_000);
    await until(() => app.health().ready);
    expect(app.health()).toEqual({ mode: 'http', authenticated: true, ready: true });
  });

  test('who acts before that is told to try again', async () => {
    answers('auth.test', 'reset');
    let runs = 0;
    const post = await started((bolt) => bolt.command('/sms', async ({ ack }) => ack(`run ${++runs}`)));
    expect(await post(COMMAND)).toEqual(
      ephemeral('Herald is still starting. Nothing was sent. Try again in a minute.'),
    );
    expect(runs).toBe(0);
  });
});

describe('other workspaces', () => {
  const SENTENCE =
    'Herald works only for members of the workspace it is installed in. Nothing was sent. Ask a member of that workspace to send this for you.';
  let runs: number;
  let post: Awaited<ReturnType<typeof serve>>;

  beforeEach(async () => {
    runs = 0;
  });

  async function begin(aheadMs?: number): Promise<void> {
    const count = async ({ ack }: { ack: () => Promise<void> }) => {
      runs += 1;
      await ack();
    };
    const register = (bolt: App) => {
      bolt.command('/sms', count);
      bolt.view('sms', count);
      bolt.action('retry', count);
    };
    await create({ register }).start();
    post = await serve(aheadMs);
  }

  const stranger = { user: { id: 'U0X', team_id: 'T0OTHER' } };
  test.each([
    ['a command', { ...COMMAND, team_id: 'T0OTHER' }, ephemeral(SENTENCE)],
    ['a form of a guest from elsewhere', { ...submission(), ...stranger }, errorUnderTo(SENTENCE)],
    ['a payload without a workspace', { ...COMMAND, team_id: '' }, ephemeral(SENTENCE)],
  ])('%s is refused with a sentence', async (_name, payload, answer) => {
    await begin();
    expect(await post(payload)).toEqual(answer);
    expect(runs).toBe(0);
  });

  test('a click is refused through its response_url', async () => {
    await begin();
    const clicked = await post(click({ ...stranger, response_url: `${slack.origin}/response/1` }));
    expect(clicked).toEqual({ status: 200, body: '' });
    await until(() => slack.responses.length === 1);
    expect(slack.responses).toEqual(saidBy('/response/1', SENTENCE));
    expect(runs).toBe(0);
  });

  test.each([1_200_000, -1_200_000])(
    'a clock %i ms ahead of Slack’s refuses none of its requests',
    async (aheadMs) => {
      const headers = {
        'content-type': 'application/json',
        date: new Date(clock.now() - aheadMs).toUTCString(),
      };
      answers('auth.test', { status: 200, headers, body: JSON.stringify(AUTH_TEST) });
      await begin(aheadMs);
      expect(await post(COMMAND)).toMatchObject({ status: 200 });
      expect(runs).toBe(1);
      // Nor does it take old ones for new.
      post = await serve(aheadMs + 400_000);
      expect(await post(COMMAND)).toMatchObject({ status: 401 });
    },
  );

  // Which workspace `team` names is that of the person, as bolt-python's tests/slack_bolt/request/test_request.py has it.
  test('people of another workspace of the same organisation get through, whichever the payload names', async () => {
    answers('auth.test', { ...AUTH_TEST, enterprise_id: 'E0ACME' });
    await begin();
    const theirs = { team: { id: 'T0SISTER' }, user: { id: 'U0X', team_id: 'T0SISTER' } };
    await post(click({ ...theirs, enterprise: { id: 'E0ACME', name: 'Acme' } }));
    await post({ ...submission(), user: theirs.user, enterprise: { id: 'E0ACME' } });
    expect(runs).toBe(2);
    await post(click({ ...theirs, enterprise: { id: 'E0OTHER', name: 'Other' } }));
    await post({ ...COMMAND, team_id: 'T0SISTER', enterprise_id: 'E0OTHER', trigger_id: '1.3' });
    await post(click({ ...theirs, enterprise: null, trigger_id: '1.4' }));
    expect(runs).toBe(2);
  });
});

/*
 * What Slack delivers to an app of a whole organisation, as bolt-python's tests record it:
 * tests/slack_bolt/request/test_request.py and tests/scenario_tests/test_events_org_apps.py.
 */
describe('an app of a whole organisation', () => {
  const theirs = {
    ...{ team: null, enterprise: { id: 'E111', name: 'Sandbox Org' }, is_enterprise_install: true },
    user: { id: 'W111', username: 'primary-owner', name: 'primary-owner', team_id: 'T_expected' },
    ...{ token: 'fixed-value', trigger_id: '111.222.xxx' },
  };
  const recorded = {
    click: {
      ...theirs,
      type: 'block_actions',
      container: { type: 'message', message_ts: '1643113871.000700', channel_id: 'C111', is_ephemeral: true },
      channel: { id: 'C111', name: 'random' },
      state: { values: {} },
      actions: [{ action_id: 'a', block_id: 'b', value: 'click_me_123', type: 'button' }],
    },
    submission: {
      ...theirs,
      type: 'view_submission',
      view: {
        ...{ id: 'V111', team_id: 'T_unexpected', type: 'modal', blocks: [], private_metadata: '' },
        ...{ callback_id: 'view-id', state: { values: {} }, hash: '111.xxx', previous_view_id: null },
        ...{ root_view_id: 'V111', app_id: 'A111', app_installed_team_id: 'T_expected', bot_id: 'B111' },
      },
      response_urls: [],
    },
  };
  const event = (more: object) => ({
    ...{ token: 'verification-token', enterprise_id: 'E111', api_app_id: 'A111' },
    ...{ type: 'event_callback', event_id: 'Ev111', event_time: 1606810927, is_ext_shared_channel: false },
    event: { type: 'app_home_opened', user: 'W111', channel: 'D111', tab: 'messages' },
    authorizations: [
      { enterprise_id: 'E111', team_id: null, user_id: 'W111', is_bot: true, is_enterprise_install: true },
    ],
    ...more,
  });

  async function begin() {
    const seen: unknown[] = [];
    const kept: unknown[] = [];
    answers('auth.test', ORGANISATION);
    answers('views.open', { ok: true, view: {} });
    answers('usergroups.list', { ok: true, usergroups: [] });
    const register = (bolt: App) => {
      bolt.action(/^/, async ({ ack, body, client }) => {
        await ack();
        seen.push(clickerOf({ body }));
        const title = { type: 'plain_text' as const, text: 'Title' };
        await client.views.open({ trigger_id: '1', view: { type: 'modal', title, blocks: [] } });
      });
      bolt.view(/^/, async ({ ack, body }) => {
        seen.push(clickerOf({ body }));
        await ack();
      });
    };
    const keepEvent = async () => void kept.push('an event');
    await create({ register, teamId: 'T111', keepEvent }).start();
    return { post: await serve(), seen, kept };
  }

  test('is clicked by people whose workspace stands with them alone', async () => {
    const { post, seen } = await begin();
    for (const payload of Object.values(recorded)) expect(await post(payload)).toMatchObject({ status: 200 });
    const person = { userId: 'W111', teamId: 'T_expected' };
    expect(seen).toEqual([person, person]);
  });

  test('names the workspace where Slack asks for it, and nowhere else', async () => {
    const { post } = await begin();
    await post(recorded.click);
    await app.client.usergroups.list({});
    const named = slack.calls.map(({ method, arguments: given }) => [method, given.team_id]);
    expect(named).toContainEqual(['views.open', undefined]);
    expect(named).toContainEqual(['usergroups.list', 'T111']);
  });

  test('hears what happens in the workspace that it works for, and in no other', async () => {
    const { post, kept } = await begin();
    await post(event({ team_id: 'T222', event_id: 'Ev1' }));
    expect(kept).toHaveLength(0);
    await post(event({ team_id: 'T111', event_id: 'Ev2' }));
    await post(event({ team_id: 'T_source', context_team_id: 'T111', event_id: 'Ev3' }));
    expect(kept).toHaveLength(2);
    // What names no workspace at all is about the organisation.
    const granted = { type: 'team_access_granted', team_ids: ['T111', 'T222'], event_ts: '111.222' };
    expect(await post(event({ event: granted, event_id: 'Ev4' }))).toMatchObject({ status: 200 });
    expect(kept).toHaveLength(2);
  });
});

// Slack revokes the token of a run while the run is still under way: https://github.com/slackapi/bolt-js/issues/2288.
test('the run of a step is ended by Herald’s own token', async () => {
  const post = await started((bolt) => {
    bolt.function('send', { autoAcknowledge: false }, async ({ ack, client, event }) => {
      await client.functions.completeSuccess({ ...event, outputs: {} });
      await ack();
    });
  });
  const run = { function_execution_id: 'Fx1', bot_access_token: 'xwfp-revoked', inputs: {} };
  const event = { type: 'function_executed', function: { callback_id: 'send' }, ...run };
  answers('functions.completeSuccess', { ok: true });
  const named = { type: 'event_callback', event_id: 'Ev1', team_id: 'T0ACME', api_app_id: 'A0HERALD' };
  expect(await post({ ...named, event })).toMatchObject({ status: 200 });
  const ended = slack.calls.filter(({ method }) => method === 'functions.completeSuccess');
  expect(ended.map(({ authorization }) => authorization)).toEqual(['Bearer xoxb-1']);
});

// As https://docs.slack.dev/reference/events/app_rate_limited shows it: an event without an inner one.
describe('Slack says that it drops events', () => {
  const DROPPED = {
    token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
    type: 'app_rate_limited',
    team_id: 'T0ACME',
    minute_rate_limited: 1518467820,
    api_app_id: 'A0HERALD',
  };
  const well = { mode: 'http', authenticated: true, ready: true };
  let counted: number;

  beforeEach(async () => {
    counted = 0;
    const eventsDropped = () => {
      counted += 1;
    };
    await create({ metrics: { ...NO_METRICS, eventsDropped } }).start();
  });

  test('it is taken, counted, logged, and known for an hour', async () => {
    const post = await serve();
    expect(await post(DROPPED)).toEqual({ status: 200, body: '' });
    expect(counted).toBe(1);
    expect(app.health()).toEqual({ ...well, droppedAt: clock.now() });
    expect(errorsLogged()).toMatchObject([
      { fields: { minute: 1518467820 }, message: expect.stringMatching(/^Slack drops events: /) },
    ]);
    await clock.advance(60 * 60_000 - 1);
    expect(app.health()).toHaveProperty('droppedAt');
    await clock.advance(1);
    expect(app.health()).toEqual(well);
  });

  test('that of another workspace is not Herald’s', async () => {
    const post = await serve();
    expect((await post({ ...DROPPED, team_id: 'T0OTHER' })).status).toBe(200);
    expect([counted, app.health()]).toEqual([0, well]);
  });
});

describe('a handler that throws', () => {
  const SENTENCE =
    'Something went wrong in Herald, and what you asked for may have been done all the same. Look in the channel or at /sends for a result before you try again; if it happens again, give whoever runs Herald the reference E-777777.';
  const broken = async () => {
    throw new TypeError('undefined is no object');
  };

  test('what the person is told as it is needs no reference, and is no failure of Herald', async () => {
    const nothing = async () => {
      throw new NothingSent('Slack did not show this. Nothing was sent.');
    };
    const post = await started((bolt) => bolt.action('retry', async ({ ack }) => ack().then(nothing)));
    await post(click({ response_url: `${slack.origin}/response/1` }));
    await until(() => slack.responses.length > 0);
    expect(slack.responses[0]?.body).toMatchObject({ text: 'Slack did not show this. Nothing was sent.' });
    expect(errorsLogged()).toEqual([]);
  });

  test('tells the person who typed a command, and the log under the same reference', async () => {
    const post = await started((bolt) => bolt.command('/sms', broken));
    expect(await post(COMMAND)).toEqual(ephemeral(SENTENCE));
    const error = { name: 'TypeError', message: 'undefined is no object', stack: expect.any(String) };
    const fields = { reference: 'E-777777', kind: 'command', error };
    expect(errorsLogged()).toEqual([{ level: 'error', fields, message: 'a Slack handler failed' }]);
    expect(JSON.stringify(logger.lines)).not.toContain('secret words');
  });

  test('replaces a form that has no input with a sentence', async () => {
    const post = await started((bolt) => bolt.view('sms', broken));
    const { body } = await post(submission({ blocks: [{ type: 'section', block_id: 'x' }] }));
    expect(body).toMatchObject({ response_action: 'update', view: { title: { text: 'Herald' } } });
    expect(JSON.stringify(body)).toContain(SENTENCE);
    expect(validateView((body as { view: unknown }).view)).toEqual([]);
  });

  test('after acknowledging, tells through the response_url', async () => {
    const post = await started((bolt) =>
      bolt.command('/sms', async ({ ack }) => {
        await ack();
        await broken();
      }),
    );
    await post({ ...COMMAND, response_url: `${slack.origin}/response/2` });
    await until(() => slack.responses.length === 1);
    expect(slack.responses).toEqual(saidBy('/response/2', SENTENCE));
  });

  test('without a response_url, tells only that person in the channel, else directly', async () => {
    answers('chat.postEphemeral', { ok: false, error: 'not_in_channel' });
    answers('chat.postMessage', { ok: true, channel: 'D1', ts: '1.1' });
    const post = await started((bolt) => bolt.action('retry', broken));
    expect(await post(click())).toEqual({ status: 200, body: '' });
    await until(() => slack.calls.length === 3);
    expect(slack.calls.slice(1).map(({ method, arguments: sent }) => ({ method, ...sent }))).toEqual([
      { method: 'chat.postEphemeral', channel: 'C0TEAM', user: 'U0ASHA', text: SENTENCE },
      { method: 'chat.postMessage', channel: 'U0ASHA', text: SENTENCE },
    ]);
  });

  const typed = { type: 'block_suggestion', action_id: 'template', block_id: 'template', value: 'ord' };
  test.each<[string, object, object]>([
    ['keeps a form open with everything in it', submission(), errorUnderTo(SENTENCE)],
    [
      'of a type-ahead leaves the list empty',
      { ...click(), ...typed },
      { status: 200, body: { options: [] } },
    ],
  ])('%s, and bothers nobody', async (_name, payload, answer) => {
    const post = await started((bolt) => {
      bolt.view('sms', broken);
      bolt.options('template', broken);
    });
    expect(await post(payload)).toEqual(answer);
    expect(slack.calls.length).toBe(1);
  });
});

describe('what a button or a form carries, of another version', () => {
  const SENTENCE =
    'Herald cannot read what this button or form carries: another version of it made them. Nothing was sent or changed. Open it again.';
  const warnings = () => logger.lines.filter(({ level }) => level === 'warn' || level === 'error');
  const fields = { kind: expect.any(String), why: SENTENCE };
  const told = [{ level: 'warn', fields, message: expect.any(String) }];

  test.each(['{', '{"whose":"nobody"}'])(
    'a button with %j: its presser is told that nothing was done',
    async (value) => {
      answers('chat.postEphemeral', { ok: true });
      const post = await started((bolt) =>
        bolt.action('retry', async ({ action, ack }) => {
          await ack();
          readListQuery('value' in action ? String(action.value) : '');
        }),
      );
      await post(click({ actions: [{ action_id: 'retry', block_id: 'b', type: 'button', value }] }));
      await until(() => slack.calls.length === 2);
      expect(slack.calls[1]).toMatchObject({
        method: 'chat.postEphemeral',
        arguments: { user: 'U0ASHA', text: SENTENCE },
      });
      expect(warnings()).toEqual(told);
    },
  );

  test('a form stays open, and says so', async () => {
    const post = await started((bolt) =>
      bolt.view('sms', async ({ view }) => void readListQuery(view.private_metadata)),
    );
    expect(await post(submission())).toEqual(errorUnderTo(SENTENCE));
    expect(warnings()).toEqual(told);
  });
});

test('a response_url elsewhere is never used', async () => {
  const elsewhere = await startFakeSlack();
  const broken = async () => {
    throw new Error('broken');
  };
  const post = await started((bolt) => bolt.command('/sms', async ({ ack }) => ack().then(broken)));
  answers('chat.postEphemeral', { ok: true, message_ts: '1.1' });
  await post({ ...COMMAND, response_url: `${elsewhere.origin}/response/4` });
  await until(() => slack.calls.length === 2);
  expect(slack.calls[1]?.method).toBe('chat.postEphemeral');
  expect(elsewhere.responses).toEqual([]);
  await elsewhere.close();
});

/* Bolt acknowledges an event before any handler sees it: what must not be lost is kept before that. */
describe('an event', () => {
  let keep: () => Promise<void>;
  let kept: unknown[];
  let handled: number;
  /** Delivers an event as Slack does over HTTP; returns the status. */
  let deliver: (eventId: string, envelope?: object) => Promise<number>;

  beforeEach(async () => {
    [keep, kept, handled] = [async () => {}, [], 0];
    const keepEvent = async ({ event_id }: Payload, { botId }: Identity) => {
      await keep();
      kept.push([event_id, botId]);
    };
    const register = (bolt: App) =>
      bolt.event('message', async () => {
        handled += 1;
      });
    await create({ register, keepEvent }).start();
    const post = await serve();
    deliver = async (event_id, envelope = {}) => {
      const event = { type: 'message', channel: 'C0ALERTS', ts: '1.2', text: 'Down' };
      const named = { type: 'event_callback', api_app_id: 'A0HERALD', event_id, team_id: 'T0ACME' };
      return (await post({ ...named, ...envelope, event })).status;
    };
  });

  test('is acknowledged once it is kept, and not before', async () => {
    const disk = Promise.withResolvers<void>();
    let asked = false;
    keep = () => {
      asked = true;
      return disk.promise;
    };
    let status: number | undefined;
    const delivered = deliver('Ev1').then((answer) => {
      status = answer;
    });
    await until(() => asked);
    await clock.advance(100);
    expect(status).toBeUndefined();
    disk.resolve();
    await delivered;
    expect([status, kept]).toEqual([200, [['Ev1', 'B0HERALD']]]);
    await until(() => handled === 1);
  });

  test('that could not be kept is not acknowledged, so that Slack delivers it again', async () => {
    keep = () => Promise.reject(new Error('The disk is full.'));
    expect(await deliver('Ev2')).toBe(500);
    keep = async () => {};
    // Slack signs it anew.
    await clock.advance(60_000);
    expect(await deliver('Ev2')).toBe(200);
    expect(kept).toHaveLength(1);
  });

  // Where it comes from and where the app is installed, as captures of Slack's own SDKs show them.
  const installed = (team_id: string) => [{ enterprise_id: null, team_id, is_enterprise_install: false }];

  test('of another workspace is not kept', async () => {
    expect(await deliver('Ev3', { team_id: 'T0OTHER' })).toBe(200);
    expect(await deliver('Ev4', { team_id: 'T0OTHER', authorizations: installed('T0OTHER') })).toBe(200);
    expect(kept).toEqual([]);
    expect(logger.lines.map(({ message }) => message)).toContain('refused somebody from another workspace');
  });

  test('of a shared channel, whose source is another workspace, is kept, and no handler sees it', async () => {
    const source = { team_id: 'T0SOURCE', enterprise_id: 'E0SOURCE', is_ext_shared_channel: true };
    expect(await deliver('Ev6', { ...source, authorizations: installed('T0ACME') })).toBe(200);
    expect([kept, handled]).toEqual([[['Ev6', 'B0HERALD']], 0]);
    expect(logger.lines).not.toContainEqual(expect.objectContaining({ level: 'warn' }));
  });
});
