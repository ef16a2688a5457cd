import { describe, expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { type Alert, dueAtOf, ended, type OpenEvent } from '../../../src/sends/alerts/alert.ts';
import { decideEvent, isFrom } from '../../../src/sends/alerts/decide.ts';
import { misfits, tryRule } from '../../../src/sends/alerts/dry-run.ts';
import type { Situation } from '../../../src/sends/alerts/plan.ts';
import {
  type AlertRule,
  type AlertSettings,
  compilePattern,
  overridesQuietHours,
} from '../../../src/sends/alerts/rules.ts';
import { eventOfSignal } from '../../../src/sends/alerts/signal.ts';
import { ARUN, alertIdOf, CHANNEL, MEI, MINUTE_MS, RULE, SETTINGS } from './setting.ts';

/* Decisions about messages, on a situation in memory: no store, no clock. */

const NOON = Date.UTC(2026, 0, 5, 4, 0);
const HOUR_MS = 60 * MINUTE_MS;
const FIRING = '[FIRING:1] Disk full';
const PERSON = { name: 'Mei', number: MEI };
const OTHER = { name: 'Arun', number: ARUN };

/** What a rule decides of one message after the other. `post` takes the minutes since noon in Singapore. */
function deciding(rule: Partial<AlertRule> = {}, over: Partial<AlertSettings> = {}) {
  const settings = { ...SETTINGS, rules: [{ ...RULE, ...rule }], ...over };
  const situation: Situation = { settings, now: 0, alerts: new Map(), rules: new Map(), numbers: new Map() };
  let posts = 0;
  function tsAt(at: number): string {
    posts += 1;
    return `${at / 1_000}.${String(posts).padStart(6, '0')}`;
  }
  function post(minutes: number, text = FIRING, more: Partial<OpenEvent> = {}) {
    const at = NOON + minutes * MINUTE_MS;
    const ts = more.ts ?? tsAt(at);
    const author = { appId: 'A0GRAFANA' };
    const event = { eventId: 'E', kind: 'posted', channelId: CHANNEL, eventTs: ts, author, text } as const;
    const open = { ...event, receivedAt: at, superseded: false, ...more, ts };
    return {
      ts,
      id: alertIdOf(CHANNEL, ts, 'critical'),
      made: decideEvent(open, { ...situation, now: at }) ?? [],
    };
  }
  const alert = (id: string) => situation.alerts.get(id);
  const acknowledge = (id: string, at: number) => {
    const one = alert(id);
    if (one) situation.alerts.set(id, ended(one, { state: 'acknowledged', at, by: 'U0ASHA' }));
  };
  return { post, alert, acknowledge, situation, settings };
}

/** The decision of the usual rule. */
const critical = (what: string, alertId?: string) => [
  { rule: 'critical', what, ...(alertId !== undefined && { alertId }) },
];
const what = ({ made }: { readonly made: readonly { readonly what: string }[] }) =>
  made.map((decision) => decision.what);

/** The escalation ten minutes after noon. */
const LATER = { kind: 'escalation', groups: ['second'], dueAt: NOON + 10 * MINUTE_MS, people: [] };

test('a new alert is whole: who gets what now, and who later', () => {
  const { post, alert } = deciding({ escalate: [{ afterMinutes: 10, notify: ['second'] }] });
  const text = `${FIRING}\nValue: 3`;
  const { ts, id, made } = post(0, text);
  expect(made).toStrictEqual(critical('sent', id));
  const first = { kind: 'alert', state: 'planned', groups: ['oncall'], dueAt: NOON, at: NOON };
  const whole = {
    ...{ id, rule: 'critical', channelId: CHANNEL, ts, threadTs: ts, text, title: 'Disk full' },
    fingerprint: 'text:disk full value: #',
    postedAt: Number(ts) * 1_000,
    ...{ receivedAt: NOON, state: 'open', repeats: 0 },
    steps: [
      { ...first, people: [{ ...PERSON, text }] },
      { ...LATER, state: 'waiting' },
    ],
  };
  expect(alert(id)).toStrictEqual(whole);
  expect(dueAtOf(whole as Alert)).toBe(NOON);
  const sent = { ...first, state: 'sent', people: [] };
  expect(dueAtOf({ ...whole, steps: [sent, ...whole.steps.slice(1)] } as Alert)).toBe(NOON + 10 * MINUTE_MS);
  expect(dueAtOf({ ...whole, steps: [] } as unknown as Alert)).toBeUndefined();
});

test('where nobody of a group is on call, all of it is reached, and that is said', () => {
  const onCall = [{ from: '22:00', to: '06:00' }];
  const { post, alert } = deciding({ text: 'Look' }, { groups: { oncall: [{ number: MEI, onCall }] } });
  const people = [{ name: 'Somebody', number: MEI, text: 'Look' }];
  expect(alert(post(0).id)?.steps).toMatchObject([{ state: 'planned', uncovered: ['oncall'], people }]);
});

test('quiet hours do not hold what is critical, unless its rule says so', () => {
  expect(overridesQuietHours(RULE)).toBe(true);
  expect(overridesQuietHours({ ...RULE, severity: 'warning' })).toBe(false);
  expect(overridesQuietHours({ ...RULE, severity: 'warning', overrideQuietHours: true })).toBe(true);
  expect(overridesQuietHours({ ...RULE, overrideQuietHours: false })).toBe(false);
});

test('every rule of the channel decides for itself', () => {
  const once = { ...RULE, capPerHour: 1 };
  const rules = [once, { ...once, name: 'second' }, { ...RULE, name: 'elsewhere', channel: 'C0OTHER' }];
  const { post } = deciding({}, { rules });
  const { ts, made } = post(0);
  expect(made).toStrictEqual(
    ['critical', 'second'].map((rule) => ({ rule, what: 'sent', alertId: alertIdOf(CHANNEL, ts, rule) })),
  );
});

test.each([
  [{}, {}, true],
  [{ apps: [], bots: [], users: [], names: [] }, { userId: 'U1' }, true],
  [{ apps: ['A1'] }, { appId: 'A1' }, true],
  [{ apps: ['A1'] }, { botId: 'A1', userId: 'A1', name: 'A1' }, false],
  [{ bots: ['B1'] }, { botId: 'B1' }, true],
  [{ bots: ['B1'] }, {}, false],
  [{ users: ['U1'] }, { userId: 'U1' }, true],
  [{ users: ['U1'] }, { appId: 'A1' }, false],
  [{ names: ['Nightly', 'Build'] }, { name: 'BUILD' }, true],
  [{ names: ['Nightly', 'Build'] }, { name: 'Build 2' }, false],
])('whose messages fit %j, posted by %j: %s', (from, author, isTrue) => {
  expect(isFrom({ author }, { from })).toBe(isTrue);
});

test('whose messages fit by their words: those of the pattern, without the exception, or all', () => {
  const { post } = deciding({ except: compilePattern('staging') });
  expect([post(0, 'firing: a'), post(0, 'firing: staging'), post(0, 'all is well')].map(what)).toStrictEqual([
    ['sent'],
    [],
    [],
  ]);
  expect(what(deciding({ match: undefined }).post(0, 'all is well'))).toStrictEqual(['sent']);
});

test('whose messages fit once: what is said of a message later, or was overtaken, makes no other alert', () => {
  const { post } = deciding();
  const { ts, id, made } = post(0);
  const before = { text: FIRING, decisions: made };
  expect(post(1, FIRING, { ts, kind: 'changed', before }).made).toStrictEqual(critical('known', id));
  expect(post(2, 'firing: b', { superseded: true }).made).toStrictEqual([]);
});

test('a repetition is one until the cool-down has passed, to the minute', () => {
  const { post, alert } = deciding();
  const { id } = post(0);
  expect(post(14.99).made).toStrictEqual(critical('repeated', id));
  expect(alert(id)?.repeats).toBe(1);
  expect(what(post(15))).toStrictEqual(['sent']);
});

test('a repetition of the newest of several; another rule’s, or other words, are none', () => {
  const rules = [RULE, { ...RULE, name: 'second' }];
  const { post, situation } = deciding({}, { rules });
  post(0);
  const newer = post(15);
  post(15, 'firing: other');
  expect(post(16).made[0]).toStrictEqual({ rule: 'critical', what: 'repeated', alertId: newer.id });
  expect([...situation.alerts.values()].map(({ repeats }) => repeats)).toStrictEqual([0, 0, 1, 1, 0, 0]);
});

test('a repetition of an acknowledged alert is one for longer; of a resolved one it is news', () => {
  const { post, acknowledge } = deciding();
  const { id } = post(0);
  acknowledge(id, NOON + 5 * MINUTE_MS);
  expect(post(244.9).made).toStrictEqual(critical('acknowledged_before', id));
  expect(what(post(244.95, '[RESOLVED] Disk full'))).toStrictEqual(['resolved']);
  expect(what(post(244.95))).toStrictEqual(['sent']);
  const longer = deciding({ coolDownMinutes: 300 });
  const other = longer.post(0);
  longer.acknowledge(other.id, NOON);
  expect(what(longer.post(299))).toStrictEqual(['acknowledged_before']);
  expect(what(longer.post(301))).toStrictEqual(['sent']);
});

test('a repetition of a deleted alert is one within the cool-down', () => {
  const { post, alert } = deciding();
  const { ts, id } = post(0);
  expect(post(1, '', { ts, kind: 'deleted' }).made).toStrictEqual(critical('withdrawn', id));
  expect(alert(id)).toMatchObject({ state: 'deleted', ended: { at: NOON + MINUTE_MS } });
  expect(post(1, '', { ts, kind: 'deleted' }).made).toStrictEqual([]);
  expect(post(1, '', { kind: 'deleted' }).made).toStrictEqual([]);
  expect([what(post(15.9)), what(post(16.1))]).toStrictEqual([['repeated'], ['sent']]);
});

test('a repetition that was silent because somebody had acknowledged stays so when its message is edited', () => {
  const { post, acknowledge } = deciding();
  const { id } = post(0);
  acknowledge(id, NOON);
  const { ts, made } = post(10);
  expect(made).toStrictEqual(critical('acknowledged_before', id));
  const before = { text: FIRING, decisions: made };
  expect(post(300, FIRING, { ts, kind: 'changed', before }).made).toStrictEqual(critical('known', id));
});

test('an alert is withdrawn with its message, whatever was said of that later', () => {
  const { post } = deciding();
  const { ts, id } = post(0);
  const deleted = { ts, kind: 'deleted', superseded: true } as const;
  expect(post(1, '', deleted).made).toStrictEqual(critical('withdrawn', id));
});

test('an alert is not sent while its rule is muted', () => {
  const { post, situation } = deciding();
  situation.rules.set('critical', { rule: 'critical', muted: { until: NOON + MINUTE_MS, by: 'U1' } });
  expect(post(0.9).made).toStrictEqual(critical('muted'));
  expect(what(post(1))).toStrictEqual(['sent']);
});

test('an alert is not sent when it comes late, by the time of what it says', () => {
  const { post, alert } = deciding();
  const ts = String((NOON - 15 * MINUTE_MS) / 1_000);
  const late = String((NOON - 15 * MINUTE_MS - 1_000) / 1_000);
  expect(what(post(0, 'firing: a', { ts }))).toStrictEqual(['sent']);
  const { id, made } = post(0, 'firing: b', { ts: late });
  expect(made).toStrictEqual(critical('late', id));
  expect(alert(id)?.steps).toMatchObject([{ state: 'late', at: NOON, people: [] }]);
  const changed = { ts: String(Number(late) - 60), kind: 'changed', eventTs: ts } as const;
  expect(what(post(0, 'firing: c', changed))).toStrictEqual(['sent']);
});

test('an alert is not sent where nobody can be reached', () => {
  const { post, alert } = deciding({}, { groups: {} });
  const { id, made } = post(0);
  expect(made).toStrictEqual(critical('nobody', id));
  expect(alert(id)?.steps).toMatchObject([{ state: 'nobody', at: NOON, people: [] }]);
});

describe('over the cap of a rule', () => {
  test('alerts are held until the first of the hour is an hour old, counted by title', () => {
    const { post, situation, alert } = deciding({ capPerHour: 2 });
    post(0, 'firing: a');
    const last = post(10, 'firing: b');
    expect(alert(last.id)?.steps[0]?.people).toStrictEqual([
      { ...PERSON, text: '(Last until 13:00, more are held) firing: b' },
    ]);
    const held = post(20, 'firing: c');
    expect(held.made).toStrictEqual(critical('held'));
    expect(alert(held.id)).toBeUndefined();
    post(30, 'firing: c\nagain');
    post(40, 'firing: d');
    const titles = { 'firing: c': 2, 'firing: d': 1 };
    const times = { since: NOON + 20 * MINUTE_MS, until: NOON + HOUR_MS };
    const hold = { id: held.id, channelId: CHANNEL, ...times, count: 3, titles };
    expect(situation.rules.get('critical')).toStrictEqual({ rule: 'critical', holds: [hold] });
    expect(what(post(60, 'firing: e'))).toStrictEqual(['sent']);
  });

  test('what is held after that waits for a digest of its own, and the one before is kept for a day', () => {
    const { post, situation } = deciding({ capPerHour: 1 });
    const counts = () => situation.rules.get('critical')?.holds?.map(({ count }) => count);
    for (const [index, minutes] of [0, 10, 20, 60, 70].entries()) post(minutes, `firing: a${'bcdef'[index]}`);
    expect(counts()).toStrictEqual([2, 1]);
    for (const minutes of [25 * 60, 25 * 60 + 1]) post(minutes, `firing: later, after ${minutes}`);
    expect(counts()).toStrictEqual([1, 1]);
  });

  test('the last says until when by whichever cap ends later; what is over says nothing of caps', () => {
    const rules = [
      { ...RULE, resolved: { notify: true }, capPerHour: 2 },
      { ...RULE, name: 'one', match: compilePattern('one'), capPerHour: 1 },
    ];
    const { post, situation } = deciding({}, { rules, capPerPersonPerHour: 3 });
    post(0, 'firing: a');
    post(1, 'resolved: firing: a');
    post(50, 'this one');
    const texts = [...situation.alerts.values()].flatMap(({ steps }) => steps.map(({ people }) => people));
    expect(texts.map(([person]) => person?.text)).toStrictEqual([
      'firing: a',
      'Over: firing: a',
      '(Last until 13:50, more are held) this one',
    ]);
  });

  test('only what was sent within an hour counts, also where the clock was ahead then', () => {
    const { post } = deciding({ capPerHour: 1 }, { capPerPersonPerHour: 1 });
    const made = [180, 239, 241, 0, 59].map((minutes, n) => post(minutes, `firing: a${'bcdef'[n]}`));
    expect(made.map(what)).toStrictEqual([['sent'], ['held'], ['sent'], ['sent'], ['held']]);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'the title %s is counted as any other',
    (title) => {
      const { post, situation } = deciding({ capPerHour: 1, match: undefined });
      post(0, 'first');
      for (const minutes of [1, 2]) post(minutes, `${title}\nnumber ${minutes}`);
      const { titles } = JSON.parse(JSON.stringify(situation.rules.get('critical')?.holds?.[0]));
      expect(Object.entries(titles)).toStrictEqual([[title, 2]]);
    },
  );

  test('the titles of at most twenty are kept, and all are counted', () => {
    const { post, situation } = deciding({ capPerHour: 1 });
    const name = (n: number) => `firing: machine-${String.fromCharCode(97 + n)}`;
    post(0, name(0));
    for (let n = 1; n <= 22; n += 1) post(1, name(n));
    post(1, name(1));
    const hold = situation.rules.get('critical')?.holds?.[0];
    expect([hold?.count, Object.keys(hold?.titles ?? {}).length, hold?.titles[name(1)]]).toStrictEqual([
      23, 20, 2,
    ]);
  });

  test('one person’s messages of all rules are counted together, and the last says until when', () => {
    const both = { ...RULE, name: 'both', notify: ['oncall', 'second'], match: compilePattern('both') };
    const rules = [RULE, { ...both, resolved: { notify: true } }];
    const { post, situation } = deciding({}, { rules, capPerPersonPerHour: 2 });
    const refusal = 'Had 2 alerts within the hour, which is the most; again from 13:00.';
    post(0, 'firing: a');
    post(10, 'firing: b');
    post(20, 'it is for both');
    const steps = [...situation.alerts.values()].flatMap((alert) => alert.steps);
    expect(steps.map(({ state, people }) => [state, ...people])).toStrictEqual([
      ['planned', { ...PERSON, text: 'firing: a' }],
      ['planned', { ...PERSON, text: '(Last until 13:00, more are held) firing: b' }],
      ['planned', { ...PERSON, text: 'it is for both', refusal }, { ...OTHER, text: 'it is for both' }],
    ]);
    post(25, 'resolved: it is for both');
    // Who was not told of it is not told that it is over.
    expect([...situation.alerts.values()].at(-1)?.steps.at(-1)?.people).toStrictEqual([
      { ...OTHER, text: 'Over: (Last until 13:20, more are held) it is for both' },
    ]);
    expect(what(post(30, 'firing: d'))).toStrictEqual(['held']);
    expect(what(post(60, 'firing: e'))).toStrictEqual(['sent']);
  });
});

describe('an alert is over', () => {
  const OVER = '[RESOLVED] Disk full';

  test('by the same message, the same words or, where only one has it, the same title', () => {
    const { post, alert } = deciding();
    const { ts, id } = post(0, 'firing: queue');
    expect(post(1, 'resolved: anything', { ts, kind: 'changed' }).made).toStrictEqual(
      critical('resolved', id),
    );
    expect(alert(id)).toMatchObject({ state: 'resolved', ended: { at: NOON + MINUTE_MS } });
    expect(post(2, 'resolved: anything', { ts, kind: 'changed' }).made).toStrictEqual([]);
    const old = post(3);
    const newer = post(20);
    expect(post(21, OVER).made).toStrictEqual(critical('resolved', newer.id));
    expect(post(22, `${OVER}\nand more`).made).toStrictEqual(critical('resolved', old.id));
    expect(post(23, OVER).made).toStrictEqual([]);
    for (const more of ['a', 'b']) post(40, `${FIRING}\n${more}`);
    expect(post(41, OVER).made).toStrictEqual([]);
  });

  test('by what its rule’s pattern catches, and then by nothing else', () => {
    const { post } = deciding({ fingerprint: compilePattern('id=(\\w+)') });
    post(0, `${FIRING}\nid=a`);
    expect(post(1, `${OVER}\nid=b`).made).toStrictEqual([]);
    expect(what(post(1, `${OVER}\nid=a`))).toStrictEqual(['resolved']);
  });

  test('by no other title, and not for another rule', () => {
    const { post, alert } = deciding({}, { rules: [{ ...RULE, match: compilePattern('FIRING') }] });
    const queue = post(0, '[FIRING:1] Queue full\na');
    expect(post(1, `${OVER}\nb`).made).toStrictEqual([]);
    const disk = post(2, `${FIRING}\na`);
    expect(post(3, `${OVER}\nb`).made).toStrictEqual(critical('resolved', disk.id));
    expect(alert(queue.id)?.state).toBe('open');
    const two = deciding({}, { rules: [RULE, { ...RULE, name: 'second', match: compilePattern('Queue') }] });
    two.post(0);
    expect(two.post(1, OVER).made.map(({ rule }) => rule)).toStrictEqual(['critical']);
  });

  test('and who was told hears it, not who is on call by then, nor anybody who was told nothing', () => {
    const until = { ...PERSON, onCall: [{ from: '12:00', to: '13:00' }] };
    const oncall = [until, { ...OTHER, onCall: [{ from: '13:00', to: '12:00' }] }];
    const { post, alert } = deciding({ resolved: { notify: true } }, { groups: { oncall } });
    const { id } = post(0);
    post(65, OVER);
    expect(alert(id)?.steps.at(-1)?.people).toStrictEqual([{ ...PERSON, text: `Over: ${FIRING}` }]);
    const late = post(65, 'firing: late', { ts: String(NOON / 1_000) });
    post(66, 'resolved', { ts: late.ts, kind: 'changed' });
    expect(alert(late.id)?.steps.map(({ kind, state }) => [kind, state])).toStrictEqual([['alert', 'late']]);
  });

  test('at a time, by somebody where somebody said so', () => {
    const { post, alert, acknowledge } = deciding();
    const { id } = post(0);
    acknowledge(id, NOON + 1);
    expect(alert(id)?.ended).toStrictEqual({ at: NOON + 1, by: 'U0ASHA' });
    post(1, OVER);
    expect(alert(id)?.ended).toStrictEqual({ at: NOON + MINUTE_MS });
  });

  test('and whoever was told of it hears that, where the rule wants it', () => {
    const escalate = [{ afterMinutes: 10, notify: ['second'] }];
    // Whatever the cap of the rule.
    const { post, alert } = deciding({ escalate, resolved: { notify: true }, capPerHour: 1 });
    const { id } = post(0);
    post(5, OVER);
    const at = NOON + 5 * MINUTE_MS;
    const people = [{ ...PERSON, text: expect.stringMatching(/^Over: .*Disk full$/) }];
    expect(alert(id)?.steps.slice(1)).toStrictEqual([
      { ...LATER, state: 'cancelled' },
      { kind: 'resolved', state: 'planned', groups: ['oncall'], dueAt: at, at, people },
    ]);
    const silent = deciding({ escalate });
    const other = silent.post(0);
    silent.post(5, OVER);
    expect(silent.alert(other.id)?.steps).toHaveLength(2);
  });
});

const author = { appId: 'A0GRAFANA' };
const event = (minutes: number, text: string, more: object = {}) => {
  const ts = `${(NOON + minutes * MINUTE_MS) / 1_000}.000001`;
  const said = { eventId: 'E', kind: 'posted', channelId: CHANNEL, ts, eventTs: ts, author, text } as const;
  return { ...said, receivedAt: Number(ts) * 1_000, ...more };
};

test('trying a rule on past messages says what would have been sent to how many, with cool-downs', () => {
  const settings = {
    ...SETTINGS,
    groups: { oncall: [PERSON, OTHER] },
    rules: [RULE, { ...RULE, name: 'other' }],
  };
  const events = [event(0, FIRING), event(1, FIRING), event(2, 'all is well'), event(20, FIRING)];
  const sent = { what: 'sent', texts: [FIRING], people: 2 };
  expect(tryRule('critical', events, settings, new Map())).toStrictEqual([
    { event: events[0], ...sent },
    { event: events[1], what: 'repeated', texts: [], people: 0 },
    { event: events[3], ...sent },
  ]);
});

test('trying a rule on past messages takes signals for what they were: each firing once until it was over', () => {
  const source = { name: 'prometheus', channel: CHANNEL };
  const rule = { ...RULE, match: undefined, from: { sources: ['prometheus'] }, coolDownMinutes: 1 };
  const signal = (minutes: number, status: 'firing' | 'resolved', start: number) => {
    const at = NOON + minutes * MINUTE_MS;
    return eventOfSignal({ key: 'db-1', status, start, text: FIRING }, source, undefined, at);
  };
  const [first, over, again] = [signal(0, 'firing', 1), signal(2, 'resolved', 1), signal(3, 'firing', 2)];
  const events = [first, event(1, FIRING), over, again];
  const tried = tryRule('critical', events, { ...SETTINGS, rules: [rule] }, new Map());
  expect(tried.map(({ event: { ts }, what }) => [ts, what])).toStrictEqual([
    [first.ts, 'sent'],
    [over.ts, 'resolved'],
    [again.ts, 'sent'],
  ]);
});

test('trying a rule on past messages counts only whom a message would have reached, by roster and caps', () => {
  const oncall = [{ user: 'U0MEI' }, PERSON, { ...OTHER, onCall: [{ from: '12:01' }] }];
  const settings = { ...SETTINGS, groups: { oncall }, capPerPersonPerHour: 1 };
  const numbers = new Map([['U0MEI', '+6598765432' as Msisdn]]);
  const events = [event(0, 'firing: a'), event(1, 'firing: b'), event(2, 'firing: c')];
  const tried = tryRule('critical', events, settings, numbers);
  expect(tried.map(({ what, people, texts }) => [what, people, ...texts])).toStrictEqual([
    ['sent', 2, '(Last until 13:00, more are held) firing: a'],
    ['sent', 1, '(Last until 13:01, more are held) firing: b'],
    ['held', 0],
  ]);
});

test('trying a rule on past messages says who posted what came to nothing, most first, and whether they are a source at all', () => {
  const rule = { ...RULE, from: { apps: ['A0GRAFANA'] } };
  const asha = { userId: 'U0ASHA' };
  const well = [2, 3].map((minutes) => event(minutes, 'all is well'));
  const events = [event(0, FIRING), event(1, 'hello', { author: asha }), ...well];
  const tried = tryRule('critical', events, { ...SETTINGS, rules: [rule] }, new Map());
  expect(misfits(rule, events, tried)).toStrictEqual([
    { author, isSource: true, count: 2 },
    { author: asha, isSource: false, count: 1 },
  ]);
});
