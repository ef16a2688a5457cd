import { beforeEach, describe, expect, test } from 'vitest';
import type { InteractiveMessage } from '../../../../src/messages/interactive/message.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../../src/messages/numbers/phone-number.ts';
import { DEFAULT_TERMS } from '../../../../src/messages/service-terms.ts';
import type { ConversationStore, StoredCustomerEvent } from '../../../../src/sends/replies/ports.ts';
import type { Send } from '../../../../src/sends/send.ts';
import { handleMore } from '../../../../src/slack/compose/changes/changes.ts';
import { handleAnswer, handleAnswerBy } from '../../../../src/slack/compose/start/answer.ts';
import type { OpenView } from '../../../../src/slack/kit/clicks/arguments.ts';
import type { Right } from '../../../../src/slack/kit/people/access.ts';
import { only } from '../../../fakes/only.ts';
import { ORDER, report, SMS } from '../../kit/cards/reports.ts';
import { textsOf } from '../../texts-of.ts';
import { clickIn, createSetting, heldBy, notesOf, openView, type Setting, submitForm } from '../setting.ts';

const NUMBER = '+6591234567' as Msisdn;
const ASKED: StoredCustomerEvent = {
  ...{ id: 7, key: 'k', sendId: 'S-1', optedOut: false, receivedAt: 50, first: true, askedAt: 50 },
  event: { kind: 'text', text: 'Call +91 98123 45678, *now*', from: NUMBER },
  place: { channelId: 'C0TEAM', ts: '2.0', threadTs: '1.0' },
};

let asked: StoredCustomerEvent | undefined;
let send: Send | undefined;
let before: Awaited<ReturnType<ConversationStore['newestAnswer']>>;
let [heardHoursAgo, hasOptedOut, plainText] = [3, false, false];
beforeEach(() => {
  [asked, send, before] = [ASKED, undefined, undefined];
  [heardHoursAgo, hasOptedOut, plainText] = [3, false, false];
});

function answering(message?: Message, changes: Parameters<typeof createSetting>[0] = {}): Setting {
  if (message) send = report(message, { state: 'accepted' }).send;
  const made = createSetting(changes);
  const conversations = only<ConversationStore>({
    findEvent: async (id: number) => (id === asked?.id ? asked : undefined),
    newestAnswer: async () => before,
  });
  const store = { ...made.compose.store, find: async () => send };
  const receivedAt = made.clock.now() - heardHoursAgo * 3_600_000;
  const answers = only<Setting['compose']['answers']>({ answersOf: async () => [{ ...ASKED, receivedAt }] });
  const optOuts = only<Setting['compose']['optOuts']>({
    optedOut: async (numbers: readonly Msisdn[]) => new Set(hasOptedOut ? numbers : []),
  });
  const terms = { ...DEFAULT_TERMS, plainText };
  return { ...made, compose: { ...made.compose, conversations, store, answers, optOuts, terms } };
}

/** Presses “Answer”, unless the click is another one; what the person is told then. */
async function press(
  { client, compose }: Setting,
  { value = '7', userId = 'U0RAVI', view }: { value?: string; userId?: string; view?: OpenView } = {},
  handle = handleAnswer,
): Promise<readonly string[]> {
  const click = clickIn(view, { selected_option: { value } }, client, userId);
  await handle(click, compose);
  return click.said;
}

const optionsOf = (client: Setting['client']): string[] => {
  const block = client.view.blocks.find(({ block_id }) => block_id === 'answer_by');
  const { element } = block as unknown as { element: { options: { value: string }[] } };
  return element.options.map(({ value }) => value);
};

test.each([
  [ORDER, 'interactive', 'interactive.body.text:r1', ['interactive', 'chatapp', 'sms']],
  [SMS, 'sms', 'text', ['sms', 'chatapp']],
] as const)(
  'opens the form of the way in which the customer wrote: %#',
  async (message, first, text, kinds) => {
    const setting = answering(message);
    await press(setting);
    const { client } = setting;
    expect(client.view.callback_id).toBe(first);
    expect(client.view.title.text).toBe('Answer');
    expect(optionsOf(client)).toEqual(kinds);
    // One field, and the other ways to answer.
    expect(Object.keys(heldBy(client.view))).toEqual([text, 'answer_by']);
    expect(textsOf(client.view)).toContain('To +65 •••• 4567, who wrote: “Call [number …5678], *now*”');
    expect(JSON.stringify(client.view)).not.toContain('6591234567');
    // Who asked for the send sees the whole number.
    await press(setting, { userId: 'U0ASHA' });
    expect(textsOf(client.view)).toContain('To +65 9123 4567, who wrote');
  },
);

test('another way keeps the text and the sender', async () => {
  const setting = answering(ORDER);
  const { client } = setting;
  await press(setting);
  const go = async (value: string, typed: Record<string, string>) => {
    await press(setting, { value, view: openView(client.view, typed) }, handleAnswerBy);
    return [client.view.callback_id, heldBy(client.view).text];
  };
  expect(await go('sms', { 'interactive.body.text': 'At nine' })).toEqual(['sms', 'At nine']);
  expect(await go('chatapp', { text: 'At ten' })).toEqual(['chatapp', undefined]);
  expect(heldBy(client.view)).toHaveProperty('template');
  expect(await go('sms', {})).toEqual(['sms', 'At ten']);
  expect(await go('rcs', {})).toEqual(['sms', 'At ten']);
});

test('only the ways that the person may use are offered, and none is refused in a sentence', async () => {
  const whyNot = async (right: Right) =>
    right.to === 'send' && right.kind === 'sms' ? undefined : 'Only Mei may.';
  const setting = answering(ORDER, { access: { whyNot } });
  await press(setting);
  expect(setting.client.view.callback_id).toBe('sms');
  expect(heldBy(setting.client.view)).not.toHaveProperty('answer_by');
  const nobody = answering(ORDER, { access: { whyNot: async () => 'Only Mei may.' } });
  expect(await press(nobody)).toEqual(['Only Mei may. Nothing was sent.']);
  expect(nobody.client.calls).toEqual([]);
});

test('says that somebody has answered, but not of an answer that failed or came before', async () => {
  const notes = async (answer: typeof before) => {
    before = answer;
    const setting = answering(SMS);
    await press(setting);
    return notesOf(setting.client.view);
  };
  expect(await notes({ sendId: 'S-9', at: 60, failed: false })).toContain('answered before, by S-9');
  expect(await notes({ sendId: 'S-9', at: 60, failed: true })).toBeUndefined();
  expect(await notes({ sendId: 'S-9', at: 40, failed: false })).toBeUndefined();
});

test.each(['8', 'x'])('words that Herald does not know are said to be gone (%j)', async (value) => {
  const gone = /no longer knows whose words these are. Nothing was sent/;
  expect(await press(answering(SMS), { value })).toEqual([expect.stringMatching(gone)]);
});

test('is sent to the number of those words in their thread, once for all who answer at the same time', async () => {
  const setting = answering(SMS);
  const submit = async (typed: Record<string, string>) => {
    const view = openView(setting.client.view, typed);
    // What a form holds besides cannot send the answer to somebody else.
    const to = { to: { type: 'plain_text_input', value: '+6598765432' } };
    Object.assign(view.state.values, { to });
    return submitForm(setting, view, 'U0RAVI');
  };
  await press(setting);
  expect(await submit({ text: 'At nine' })).toEqual([{ response_action: 'clear' }]);
  const [request] = setting.sends.requests;
  expect(request).toMatchObject({
    to: NUMBER,
    message: { kind: 'sms', text: 'At nine', sender: 'ACMEIN' },
    origin: { teamId: 'T0ACME', userId: 'U0RAVI', channelId: 'C0TEAM', threadTs: '1.0' },
  });
  await press(setting);
  expect(await submit({ text: 'At ten' })).toMatchObject([
    { errors: { text: expect.stringContaining('This was sent before') } },
  ]);
  before = { sendId: 'S-9', at: 60, failed: true };
  await press(setting);
  expect(await submit({ text: 'At nine' })).toEqual([{ response_action: 'clear' }]);
  asked = undefined;
  expect(await submit({ text: 'At nine' })).toMatchObject([
    { errors: { text: expect.stringContaining('no longer knows') } },
  ]);
  expect(setting.sends.started).toHaveLength(2);
});

describe('in the chat app', () => {
  async function answered(typed: Record<string, string>, more = false) {
    const setting = answering(ORDER);
    await press(setting);
    const open = () => openView(setting.client.view, typed);
    if (more) await press(setting, { view: open() }, handleMore);
    expect(await submitForm(setting, open())).toEqual([{ response_action: 'clear' }]);
    return setting.sends.requests[0]?.message as InteractiveMessage;
  }
  const titles = ({ action }: InteractiveMessage) =>
    action.type === 'button' && action.buttons.map(({ title }) => title);

  test('words go with one button, which can be another', async () => {
    const message = await answered({ 'interactive.body.text': 'At nine' });
    expect(message).toMatchObject({ kind: 'interactive', from: '+919876543210', body: 'At nine' });
    expect(titles(message)).toEqual(['OK']);
    const typed = { 'interactive.body.text': 'At ten', 'interactive.action.buttons.0.reply.title': 'Thanks' };
    expect(titles(await answered(typed, true))).toEqual(['Thanks']);
  });

  test('words go without a button where the account has such a request', async () => {
    plainText = true;
    expect(titles(await answered({ 'interactive.body.text': 'At nine' }))).toEqual([]);
    expect(titles(await answered({ 'interactive.body.text': 'At nine' }, true))).toEqual([]);
  });

  test.each([
    [3, 'interactive', /They wrote 3 h ago: free text until /],
    [23.9, 'interactive', /They wrote 23 h 54 min ago: free text until /],
    [24, 'chatapp', /They wrote 24 h ago\. The chat app takes free text only within 24 hours/],
  ])('%s hours after their last words it is %s', async (hours, kind, says) => {
    heardHoursAgo = hours;
    const setting = answering(ORDER);
    await press(setting);
    expect(setting.client.view.callback_id).toBe(kind);
    expect(textsOf(setting.client.view)).toMatch(says);
  });
});

test('who asked for no more messages is not answered', async () => {
  hasOptedOut = true;
  const setting = answering(SMS);
  const said = await press(setting);
  expect(said[0]).toMatch(/^\+65 •••• 4567 asked for no more messages\. They are on the opt-out list\./);
  expect(setting.client.calls).toEqual([]);
});
