import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import { readMetadata, templateMark } from '../../../../src/slack/compose/form/form-metadata.ts';
import type { Access } from '../../../../src/slack/kit/people/access.ts';
import {
  createSetting,
  heldBy,
  issuesIn,
  notesOf,
  ORIGIN,
  SENDERS,
  type Setting,
  sendFrom,
  slackError,
  templateNamed,
  textMessage,
  typeLine,
} from '../setting.ts';

let setting: Setting;
beforeEach(() => {
  setting = createSetting();
});

const TO = '+6591234567';
/** The answers that only the person sees. */
const only = (text: unknown) => [{ response_type: 'ephemeral', text }];

describe('a command alone', () => {
  test.each<MessageKind>(['chatapp', 'rcs', 'sms', 'flash'])(
    '/%s acknowledges, then opens its form',
    async (kind) => {
      const told = await typeLine(setting, kind, '  ');
      expect(told).toEqual({ events: ['ack', 'open'], acknowledged: [undefined], responses: [] });
      expect(setting.client.calls).toHaveLength(1);
      const opened = { trigger_id: 'trigger-1', view: { callback_id: kind } };
      expect(setting.client.of('views.open')[0]).toMatchObject(opened);
      expect(notesOf(setting.client.view)).toBeUndefined();
      expect(setting.sends.requests).toEqual([]);
    },
  );

  test('opens within a second, whatever the catalogue does', async () => {
    setting.catalogue.silent = true;
    const typed = typeLine(setting, 'chatapp', '');
    await setting.clock.advance(1000);
    await typed;
    expect(setting.client.of('views.open')).toHaveLength(1);
  });

  test('says in the form when the catalogue is empty', async () => {
    setting.catalogue.templates = [];
    await typeLine(setting, 'rcs', '');
    expect(notesOf(setting.client.view)).toMatch(/no templates for this channel yet/);
  });

  test('a second delivery, whose form is open already, says nothing', async () => {
    setting.client.failures['views.open'] = [slackError('exchanged_trigger_id')];
    expect((await typeLine(setting, 'sms', '')).responses).toEqual([]);
  });

  test.each([
    ['expired_trigger_id', /three seconds/],
    ['internal_error', /did not say whether it opened the form/],
  ])('a form that Slack does not open (%s) is told', async (code, sentence) => {
    setting.client.failures['views.open'] = [slackError(code)];
    const { responses } = await typeLine(setting, 'sms', '');
    expect(responses).toEqual(only(expect.stringMatching(sentence)));
    expect(responses[0]?.text).toMatch(/Nothing was sent\. Type \/sms again\.$/);
  });
});

test.each<[MessageKind, string]>([
  ['chatapp', '/chatapp order_update +919876501234 "Asha" "A-1001"'],
  ['rcs', '/rcs appointment'],
  ['sms', '/sms number text'],
  ['flash', '/flash +6591234567'],
])('/%s help is answered at once, to the person alone', async (kind, part) => {
  const setting = createSetting({ senders: { chatapp: [], rcs: [], sms: [] } });
  const told = await typeLine(setting, kind, ' Help ');
  expect(told.events).toEqual(['ack']);
  expect(told.acknowledged).toEqual(only(expect.stringContaining(part)));
  expect(setting.client.calls).toEqual([]);
});

test('a kind that no sender is configured for says so', async () => {
  const setting = createSetting({ senders: { ...SENDERS, rcs: [] } });
  const acknowledged = only(expect.stringMatching(/add one\. Nothing was sent\.$/));
  const told = await typeLine(setting, 'rcs', `store_open ${TO}`);
  expect(told).toEqual({ events: ['ack'], acknowledged, responses: [] });
  expect(setting.sends.requests).toEqual([]);
});

describe('a line that says everything', () => {
  test('is sent at once, under the name of its trigger', async () => {
    const told = await typeLine(setting, 'flash', `${TO} Server room at 41 °C`);
    expect(told).toEqual({ events: ['ack'], acknowledged: [undefined], responses: [] });
    const message = textMessage('flash', 'Server room at 41 °C', { unicode: true });
    expect(setting.sends.requests).toEqual([
      { message, to: TO, origin: ORIGIN, requestKey: 'trigger-1', asking: {} },
    ]);
    expect(setting.client.calls).toEqual([]);
  });

  test('delivered twice it is sent once, and the person is told', async () => {
    await typeLine(setting, 'sms', `${TO} Hello`);
    const again = await typeLine(setting, 'sms', `${TO} Hello`);
    expect(setting.sends.started).toHaveLength(1);
    expect(again.responses).toEqual(
      only('Slack delivered this command twice. It was sent once, as S-0000000001.'),
    );
    await typeLine(setting, 'sms', `${TO} Hello`, 'trigger-2');
    expect(setting.sends.started).toHaveLength(2);
  });

  test('that the person got before opens the form with the question', async () => {
    const at = setting.clock.now() - 120_000;
    setting.sends.answer = async (request) => ({
      state: 'again',
      send: sendFrom(request, 'S-OLD'),
      again: { reading: 'r', sendId: 'S-OLD', userId: 'U', at, gotAt: at, which: 'w' },
    });
    expect(await typeLine(setting, 'sms', `${TO} Hello`)).toMatchObject({
      events: ['ack', 'open'],
      responses: [],
    });
    const { view } = setting.client;
    expect(notesOf(view)).toContain(
      'This person got this very message 2 min ago (S-OLD). Nothing was sent yet.',
    );
    expect(readMetadata(view.private_metadata ?? '')).toMatchObject({ known: 'w' });
  });

  test('that Herald cannot take now is refused in its words', async () => {
    const what = 'The disk is full. Nothing was sent.';
    setting.sends.answer = async () => ({ state: 'refused', cause: 'store', what, next: 'Try <again>.' });
    expect((await typeLine(setting, 'sms', `${TO} Hello`)).responses).toEqual(
      only('The disk is full. Nothing was sent. Try &lt;again&gt;.'),
    );
  });
});

describe('a line that does not opens the form with what was understood', () => {
  const open = async (kind: MessageKind, text: string, setting = createSetting()) => {
    const told = await typeLine(setting, kind, text);
    expect(told.events).toEqual(['ack', 'open']);
    expect(setting.sends.requests).toEqual([]);
    return setting.client.view;
  };
  const ORDER = templateMark(templateNamed('order_update'));

  test('a value is missing', async () => {
    const view = await open('chatapp', `order_update ${TO} "Asha"`);
    const params = { [`params.0:${ORDER}`]: 'Asha', [`params.1:${ORDER}`]: undefined };
    expect(heldBy(view)).toEqual({ template: 'order_update', ...params, recipients: 'one', to: TO });
    expect(notesOf(view)).toBe('Nothing was sent yet.');
  });

  test.each<[string, MessageKind, string, RegExp]>([
    ['one number', 'flash', `${TO} +6598765432 Hello`, /begins with several numbers/],
    ['a clear end of the number', 'sms', '+49 30 12345 678 Hello', /where the number ends/],
    ['quotes', 'chatapp', `order_update ${TO} Asha A-1`, /one value or several/],
    ['clear quotes', 'chatapp', `order_update ${TO} "Asha" "A-1`, /more than one way/],
    ['a place for a value', 'chatapp', `closed_today ${TO} "now"`, /no place for: “now”/],
    ['a checked link', 'chatapp', `festive_photo ${TO} <https://a.example/1.png>`, /Check the link/],
    ['the template first', 'rcs', `${TO} store_open`, /starts with the template/],
    ['letters and emoji alone', 'sms', `${TO} Hello :acme-logo:`, /:acme-logo: is no emoji that phones know/],
  ])('%s', async (_name, kind, line, note) => {
    expect(notesOf(await open(kind, line))).toMatch(note);
    expect(notesOf(await open(kind, line))).toMatch(/^Nothing was sent yet\./);
  });

  test('what is wrong stands under its field, which has the cursor', async () => {
    const view = await open('sms', '+65 1 Hello');
    expect(notesOf(view)).toBe('Nothing was sent yet.');
    expect(issuesIn(view)).toEqual({ to: expect.stringMatching(/^⚠️ This is too short/) });
    expect(view.blocks).toContainEqual(
      expect.objectContaining({ block_id: 'to', element: expect.objectContaining({ focus_on_load: true }) }),
    );
  });

  test.each<[string, MessageKind, string]>([
    ['the text', 'sms', TO],
    ['the image', 'chatapp', `festive_photo ${TO}`],
    ['the password', 'chatapp', `login_code ${TO}`],
    ['a value of a list', 'chatapp', `order_update ${TO}, +6598765432 "Asha"`],
  ])('%s is not typed yet: its field is empty, and no sentence asks for it', async (_name, kind, line) => {
    expect(notesOf(await open(kind, line))).not.toMatch(/Enter|Add|Choose/);
  });

  test.each([
    ['+91982001122 4 items are ready', 'Read as +91 98200 11224.'],
    [`${TO} Hello :acme-logo:`, 'Read as +65 9123 4567.'],
  ])('the field of the number says how it was read: %s', async (line, hint) => {
    const { blocks } = await open('sms', line);
    expect(blocks.find(({ block_id }) => block_id === 'to')).toMatchObject({ hint: { text: hint } });
  });

  test.each([
    ['sms', `${TO} ${'x'.repeat(460)}`, 4],
    ['flash', `${TO} ${'é🙂'.repeat(80)}`, 4],
  ] as const)('/%s with a text of more than three parts', async (kind, line, parts) => {
    await typeLine(setting, 'sms', `${TO} ${'x'.repeat(459)}`);
    expect(setting.sends.requests).toHaveLength(1);
    const view = await open(kind, line);
    expect(notesOf(view)).toMatch(`The text takes ${parts} SMS parts`);
    expect(heldBy(view)).toMatchObject({ to: TO, text: line.slice(TO.length + 1) });
  });

  test('an unknown template: its values wait for the one that is chosen, and similar ones are named', async () => {
    const view = await open('chatapp', `order ${TO} "Asha" “A-1”`);
    expect(notesOf(view)).toBe(
      'Nothing was sent yet. There is no template “order” in the catalogue. Did you mean “order_update”? Choose it below.',
    );
    expect(heldBy(view)).toMatchObject({ to: TO, template: undefined });
    const carried = { channelId: 'C0TEAM', waiting: [{ text: 'Asha' }, { text: 'A-1' }] };
    expect(readMetadata(view.private_metadata ?? '')).toMatchObject(carried);
  });

  test('values too long to wait are shown instead', async () => {
    const view = await open('chatapp', `nothing_like_it ${TO} "${'x'.repeat(2950)}"`);
    expect(readMetadata(view.private_metadata ?? '')).toEqual({ channelId: 'C0TEAM' });
    expect(notesOf(view)).toContain('x'.repeat(2700));
  });

  test('a silent catalogue: the form asks for the template', async () => {
    setting.catalogue.silent = true;
    const opened = open('chatapp', `order_update ${TO} "Asha" "A-1"`, setting);
    await setting.clock.advance(1000);
    expect(notesOf(await opened)).toMatch(/did not answer in time/);
    expect(readMetadata((await opened).private_metadata ?? '')?.waiting).toHaveLength(2);
  });
});

test('a text too long for any input is refused, neither sent nor cut', async () => {
  const told = await typeLine(setting, 'sms', `${TO} ${'x'.repeat(3001)}`);
  expect(told.events).toEqual(['ack', 'respond']);
  expect(told.responses[0]?.text).toMatch(/at most 3000 characters a field\. Nothing was sent\./);
  expect(setting.sends.requests).toEqual([]);
});

describe('rights', () => {
  test.each(['', `${TO} Hello`])('a person who may not send is told why (“%s”)', async (text) => {
    const asked: unknown[] = [];
    const whyNot: Access['whyNot'] = async (right, { userId }) => {
      asked.push([right, userId]);
      return 'Only members of @support may send SMS.';
    };
    const setting = createSetting({ access: { whyNot } });
    const told = await typeLine(setting, 'sms', text);
    expect(told.events).toEqual(['ack', 'respond']);
    expect(told.responses).toEqual(only('Only members of @support may send SMS. Nothing was sent.'));
    expect(asked).toEqual([[{ to: 'send', kind: 'sms' }, 'U0ASHA']]);
    expect([setting.sends.requests, setting.client.calls]).toEqual([[], []]);
  });

  test('nobody sends while it is not known whether they may', async () => {
    const setting = createSetting({ access: { whyNot: () => new Promise(() => {}) } });
    const typed = typeLine(setting, 'sms', `${TO} Hello`);
    await setting.clock.advance(1000);
    expect((await typed).responses[0]?.text).toMatch(/could not find out in time whether you may send/);
    expect(setting.sends.requests).toEqual([]);
  });
});
