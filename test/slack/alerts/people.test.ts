import { describe, expect, test } from 'vitest';
import { validateView } from '../../../sandbox/slack/block-kit/index.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { Alert } from '../../../src/sends/alerts/alert.ts';
import type { NumberOnFile } from '../../../src/sends/alerts/ports.ts';
import type { Alerts } from '../../../src/sends/alerts/service.ts';
import type { ApproverProblem } from '../../../src/sends/bulk.ts';
import {
  handleAcknowledge,
  handleNumbers,
  NUMBERS_VIEW,
  numbersView,
} from '../../../src/slack/alerts/alerts-command.ts';
import type { SlackServices } from '../../../src/slack/kit/services.ts';
import { only } from '../../fakes/only.ts';

const MEI = '+6591234567' as Msisdn;
const AT = Date.UTC(2026, 2, 11, 3, 10);
const onFile = (userId: string, by = userId): NumberOnFile => ({ userId, number: MEI, at: AT, by });

/** Submits it as Asha; returns what was answered and what is on file then. */
async function submit(user: string, number: string, problem?: ApproverProblem) {
  const numbers = new Map([['U0RAVI', onFile('U0RAVI')]]);
  const answers: unknown[] = [];
  const values = {
    user: { field: { type: 'users_select', selected_user: user } },
    number: { field: { type: 'plain_text_input', value: number === '' ? null : number } },
  };
  await handleNumbers(
    {
      body: { user: { id: 'U0ASHA' }, team: { id: 'T0' }, view: { state: { values } } },
      ack: async (answer: unknown) => void answers.push(answer),
    } as unknown as Parameters<typeof handleNumbers>[0],
    only<SlackServices>({
      alertStore: only({
        putNumber: async (entry: NumberOnFile) => void numbers.set(entry.userId, entry),
        removeNumber: async (userId: string) => numbers.delete(userId),
        numbers: async () => [...numbers.values()],
      }),
      directory: { whyNot: async () => problem },
      defaults: { country: 'SG' },
      clock: only({ now: () => AT }),
    }),
  );
  return { answer: answers[0], numbers: [...numbers.values()] };
}

test('the form of numbers on file keeps one’s own, written as people write numbers', async () => {
  const { answer, numbers } = await submit('U0ASHA', '9123 4567', 'not_listed');
  expect(numbers).toEqual([onFile('U0RAVI'), onFile('U0ASHA')]);
  expect(answer).toEqual({
    response_action: 'update',
    view: numbersView(numbers, 'U0ASHA', 'The number of <@U0ASHA> is on file: +65 •••• 4567.'),
  });
});

test('the form of numbers on file removes one when it is left empty', async () => {
  const { answer, numbers } = await submit('U0RAVI', '');
  expect(numbers).toEqual([]);
  expect(JSON.stringify(answer)).toContain('The number of <@U0RAVI> is no longer on file.');
});

test.each<[string, string, ApproverProblem | undefined, object]>([
  ['U0RAVI', MEI, 'not_listed', { user: expect.stringMatching(/only your own number/) }],
  ['U0RAVI', '', 'unknown', { user: expect.stringMatching(/did not say whether you may/) }],
  ['U0ASHA', '12', undefined, { number: expect.stringMatching(/too short for a phone number/) }],
  ['', MEI, undefined, { user: 'Choose a person.' }],
])(
  'the form of numbers on file refuses %s %s (%s) under the field that is to blame, and changes nothing',
  async (user, number, problem, errors) => {
    const { answer, numbers } = await submit(user, number, problem);
    expect(answer).toEqual({ response_action: 'errors', errors });
    expect(numbers).toEqual([onFile('U0RAVI')]);
  },
);

test('the form of numbers on file is a view that Slack takes, however many are on file, and shows no number whole', () => {
  const many = Array.from({ length: 300 }, (_, index) => onFile(`U0${index}`, 'U0RAVI'));
  for (const numbers of [[], many]) {
    const view = numbersView(numbers, 'U0ASHA', 'Done.');
    expect(view.callback_id).toBe(NUMBERS_VIEW);
    expect(validateView(view)).toEqual([]);
    expect(JSON.stringify(view)).not.toContain(MEI);
  }
});

describe('a click on Acknowledge', () => {
  async function click(result: Awaited<ReturnType<Alerts['acknowledge']>>): Promise<unknown> {
    const answers: unknown[] = [];
    await handleAcknowledge(
      {
        ack: async () => {},
        action: { value: 'L-1' },
        body: { user: { id: 'U0ASHA' }, team: { id: 'T0' }, trigger_id: 't' },
        respond: async (answer: { text: string }) => void answers.push(answer.text),
      } as unknown as Parameters<typeof handleAcknowledge>[0],
      only<SlackServices>({ alerts: only({ acknowledge: async () => result }) }),
    );
    return answers[0];
  }
  const ended = (state: Alert['state'], by?: string): Awaited<ReturnType<Alerts['acknowledge']>> => ({
    state: 'ended',
    alert: { state, ended: { at: AT, ...(by && { by }) } } as Alert,
  });
  const WHEN = `<!date^${AT / 1000}^{date_short_pretty} {time}|2026-03-11 03:10 UTC>`;

  test.each<[Awaited<ReturnType<Alerts['acknowledge']>>, string]>([
    [
      { state: 'acknowledged' },
      'You have acknowledged this alert: nobody else is notified, and repeats of it stay silent.',
    ],
    [ended('acknowledged', 'U0RAVI'), `<@U0RAVI> was quicker and has acknowledged it, ${WHEN}.`],
    [ended('acknowledged', 'UMA'), `UMA was quicker and has acknowledged it, ${WHEN}.`],
    [ended('acknowledged', 'U0ASHA'), `You had acknowledged it before, ${WHEN}.`],
    [ended('resolved'), `It is over, ${WHEN}.`],
    [ended('deleted'), `It was withdrawn, ${WHEN}.`],
    [{ state: 'not_found' }, 'Herald has no record of this alert. Nothing was changed.'],
  ])('%j', async (result, words) => {
    expect(await click(result)).toBe(words);
  });
});
