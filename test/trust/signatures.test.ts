import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, CUSTOMER, RAVI, TEAM_CONFIGURATION } from '../e2e/team.ts';
import {
  CLOCK_OF_SLACK_S,
  commandBody,
  FORM,
  headersOf,
  hmac,
  JSON_TYPE,
  messageEvent,
  now,
  postSigned,
  SECRET,
  type Signed,
  sign,
} from './signed.ts';
import { ALERTS, got } from './world.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 2 }
alerts:
  groups: { night: [{ name: Mei, number: "${CUSTOMER}" }] }
  rules: [{ name: fire, channel: ${ALERTS}, match: "^Fire", notify: [night] }]
`;

const stack = runningStack({ mode: 'http', config: CONFIG, others: { withOthers: true } });

const post = (request: Signed) => postSigned(stack.heraldUrl, request);

const command = (text: string, more: object = {}) =>
  commandBody(stack.workspace.origin, '/flash', `${CUSTOMER} ${text}`, more);
const sent = (text: string) => got(stack, text).length;
const requests = () => stack.wholeRequests().length;
const arrives = (text: string) => stack.eventually(text, () => sent(text) > 0);

test('signatures: whatever is not signed as it stands, or not now, does nothing', async ({ task }) => {
  const body = command('Forged.');
  const timestamp = String(now());
  const right = `v0:${timestamp}:${body}`;
  const digest = hmac(right).digest('hex');
  const flip = (text: string, at: number) =>
    `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
  const signatures = [
    ...Array.from(digest, (_digit, at) => `v0=${flip(digest, at)}`),
    ...['', 'v0', 'v0=', '=', digest, `v1=${digest}`, `V0=${digest}`, `v0=${digest.toUpperCase()}`],
    ...[`v0=${digest.slice(0, -1)}`, `v0=${digest}0`, `v0=v0=${digest}`, `v0=${digest},v0=${digest}`],
    ...['', 'null', 'undefined', `${SECRET}\n`, SECRET.toUpperCase(), SECRET.slice(0, -1)].map(
      (secret) => `v0=${hmac(right, secret).digest('hex')}`,
    ),
    ...[
      '',
      body,
      timestamp,
      `v0:${timestamp}:`,
      `v0::${body}`,
      right.slice(3),
      right.replace('v0', 'v1'),
    ].map((text) => `v0=${hmac(text).digest('hex')}`),
    `v0=${createHmac('sha1', SECRET).update(right).digest('hex')}`,
    `v0=${hmac(right).digest('base64')}`,
    `v0=${'0'.repeat(64)}`,
  ];
  const wrong: Signed[] = [
    ...signatures.map((signature) => ({ type: FORM, body, headers: headersOf(signature, timestamp) })),
    { type: FORM, body, headers: {} },
    { type: FORM, body, headers: headersOf(`v0=${digest}`) },
    { type: FORM, body, headers: headersOf(undefined, timestamp) },
    { type: FORM, body, headers: headersOf(`v0=${digest}`, `${timestamp}, ${timestamp}`) },
    // Signed by who has the secret, for a moment that is not now.
    ...[300 + CLOCK_OF_SLACK_S, 3_600, 86_400, -360, -3_600, -86_400].map((age) =>
      sign(body, FORM, String(now() - age)),
    ),
    ...['', '0', '-1', '1e9', 'NaN'].map((moment) => sign(body, FORM, moment)),
    ...[`${timestamp}.5`, `+${timestamp}`, `0x${now().toString(16)}`, `${timestamp}000`].map((moment) =>
      sign(body, FORM, moment),
    ),
    // Signed for another moment, which is as good as now.
    ...[1, -1, 60, -60].map((seconds) => ({
      type: FORM,
      body,
      headers: headersOf(`v0=${digest}`, String(now() + seconds)),
    })),
    { type: FORM, body, headers: headersOf(`v0=${digest}`, `0${timestamp}`) },
    // Each byte of the body another, gone, or one more.
    ...Array.from(body, (_character, at) => changed(flip(body, at))),
    ...Array.from(body, (_character, at) => changed(body.slice(0, at) + body.slice(at + 1))),
    ...[' ', '\n', '\u0000', '&', '&text=%2B6591234567+More', `&${body}`].map((more) => changed(body + more)),
    ...[' ', '\n', '\ufeff', 'v0:', `command=%2Fflash&`].map((more) => changed(more + body)),
    changed(''),
    changed(body.split('&').toReversed().join('&')),
    changed(decodeURIComponent(body)),
  ];
  function changed(other: string): Signed {
    return { type: FORM, body: other, headers: headersOf(`v0=${digest}`, timestamp) };
  }
  const answers: Record<string, number> = {};
  for (const one of wrong) {
    const answer = await post(one);
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
  expect(answers).toEqual({ '401': wrong.length });
  // Not the forging fails: with its own signature it goes out, once, and alone.
  await post(sign(body));
  await arrives('Forged.');
  await stack.stopHerald();
  expect(requests()).toBe(1);
  await stack.restart();
  task.meta.figure = `${wrong.length} requests, each refused with 401`;
});

test('replay: a signed request that comes again runs once, also after a restart', async ({ task }) => {
  const before = requests();
  const event = messageEvent(ALERTS, 'Fire.');
  const recorded: Readonly<Record<string, Signed>> = {
    'Command.': sign(command('Command.')),
    'Fire.': sign(JSON.stringify(event), JSON_TYPE),
  };
  const all = () =>
    Promise.all(Object.values(recorded).flatMap((one) => Array.from({ length: TIMES }, () => post(one))));
  await all();
  for (const text of Object.keys(recorded)) await arrives(text);
  await stack.restart();
  await all();
  // The same event, signed anew as Slack does when it tries again.
  const again = Array.from({ length: TIMES }, (_none, n) =>
    sign(JSON.stringify({ ...event, event_time: now() + n }), JSON_TYPE),
  );
  await Promise.all(again.map(post));
  // The same bytes read in another way: no header but the two is signed.
  for (const { body, headers } of Object.values(recorded))
    for (const type of [FORM, JSON_TYPE, 'text/plain', 'multipart/form-data', `${JSON_TYPE}; charset=utf-16`])
      await post({ type, body, headers });
  await stack.stopHerald();
  expect(Object.keys(recorded).map((text) => [text, sent(text)])).toEqual([
    ['Command.', 1],
    ['Fire.', 1],
  ]);
  expect(requests()).toBe(before + 2);
  await stack.restart();
  task.meta.figure = `${Object.keys(recorded).length} requests, ${TIMES} times each, before and after a restart: one message each`;
});

const TIMES = 50;

/** Whose a request is, as Slack would never say it, or says it of strangers, guests and other installs. */
const STRANGERS: readonly Record<string, string>[] = [
  { team_id: 'T0PARTNER' },
  { team_id: '' },
  { team_id: 't0acme' },
  { team_id: 'T0ACME ' },
  { team_id: 'T0PARTNER', enterprise_id: 'E0ACME' },
  { team_id: 'T0PARTNER', enterprise_id: '', is_enterprise_install: 'true' },
  { team_id: 'T0PARTNER', enterprise_id: 'E0ACME', is_enterprise_install: 'true' },
  { user_id: 'U0LENA' },
  { user_id: 'U0GUEST' },
  { user_id: 'U0LENA', enterprise_id: 'E0ACME' },
  { user_id: 'U0NOBODY' },
  { user_id: '' },
  { user_id: 'B0HERALD' },
  { user_id: `${ASHA},${RAVI}` },
  { user_id: 'U0LENA', channel_id: 'C0SHARED' },
];

test('strangers: nobody of another workspace, no guest and no other install sends', async ({ task }) => {
  const before = requests();
  for (const more of STRANGERS) await post(sign(command('Strange.', more)));
  const fire = (more: object) => messageEvent(ALERTS, 'Fire. Strange.', more);
  const events = [
    { team_id: 'T0PARTNER' },
    { team_id: 'T0PARTNER', authorizations: [] },
    { team_id: 'T0PARTNER', authorizations: [{ team_id: 'T0PARTNER' }] },
    { team_id: 'T0PARTNER', authorizations: [{ team_id: 'T0PARTNER' }, { team_id: 'T0ACME' }] },
    { team_id: 'T0PARTNER', authorizations: { 0: { team_id: 'T0ACME' } } },
    { team_id: ['T0ACME'] },
    { team_id: null, enterprise_id: 'E0ACME', is_enterprise_install: true },
    {},
  ];
  for (const more of events) await post(sign(JSON.stringify(fire(more)), JSON_TYPE));
  // What a member has typed into a message, read as if it were a form.
  const typed = new URLSearchParams(command('Strange. Typed.', { user_id: RAVI })).toString();
  const told = fire({ team_id: 'T0ACME' });
  const text = `Hello&${typed}&y=`;
  await post(sign(JSON.stringify({ ...told, event: { ...told.event, text } })));
  await post(sign(command('By a member.')));
  await arrives('By a member.');
  await stack.stopHerald();
  expect(sent('Strange.')).toBe(0);
  expect(requests()).toBe(before + 1);
  task.meta.figure = `${STRANGERS.length + events.length + 1} signed requests of others: none sent`;
});
