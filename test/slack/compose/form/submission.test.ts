import type { ModalView } from '@slack/types';
import { beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../../../src/core/result.ts';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import type { SubmitRequest, SubmitResult } from '../../../../src/sends/service.ts';
import { templateMark } from '../../../../src/slack/compose/form/form-metadata.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import type { OpenView, SubmissionAnswer } from '../../../../src/slack/kit/clicks/arguments.ts';
import { textsOf } from '../../texts-of.ts';
import {
  createSetting,
  heldBy,
  inputsOf,
  notesOf,
  ORIGIN,
  openView,
  type Setting,
  sendFrom,
  slackError,
  submitForm,
  templateMessage,
  templateNamed,
  textMessage,
} from '../setting.ts';

let setting: Setting;
beforeEach(() => {
  setting = createSetting();
});

const TO = '+6591234567';

/** A form as it is opened, then filled in. */
function filled(
  setting: Setting,
  kind: MessageKind,
  templateName: string | undefined,
  typed: Readonly<Record<string, string | null>>,
  channelId: string | undefined = 'C0TEAM',
): OpenView {
  const template = templateName === undefined ? undefined : templateNamed(templateName);
  return openView(composeView({ kind, template, channelId, more: true }, setting.compose), typed);
}

/** Submits the form of an SMS, with other values than usual. */
const submitSms = (typed: Record<string, string | null> = {}, channelId?: string) =>
  submitForm(setting, filled(setting, 'sms', undefined, { ...SMS, ...typed }, channelId));

/** The form that is shown anew in answer to a submitted one. */
function anew([answer]: readonly SubmissionAnswer[]): ModalView {
  if (answer?.response_action !== 'update' || answer.view.type !== 'modal')
    throw new Error('The form was not shown anew.');
  return answer.view;
}

const CLEAR = [{ response_action: 'clear' }];
const under = (errors: Record<string, unknown>) => [{ response_action: 'errors', errors }];
const SMS = { to: TO, text: 'Hello' };
const SALES = '+919876543211';
const LOGIN = templateMessage('login_code', { from: SALES, otp: '482913', language: { code: 'hi' } });

describe('a form that keeps every rule', () => {
  test.each<[MessageKind, string | undefined, Record<string, string>, object]>([
    ['sms', undefined, SMS, textMessage('sms', 'Hello')],
    ['sms', undefined, { ...SMS, text: 'Hi :tada:' }, textMessage('sms', 'Hi 🎉', { unicode: true })],
    ['chatapp', 'login_code', { otp: '482913', language: 'hi', from: SALES }, LOGIN],
  ])('%s %s becomes one send, named by its view', async (kind, template, typed, message) => {
    expect(await submitForm(setting, filled(setting, kind, template, { to: TO, ...typed }))).toEqual(CLEAR);
    expect(setting.sends.requests).toEqual([
      { message, to: TO, origin: ORIGIN, requestKey: 'V1', asking: {} },
    ]);
  });

  test('belongs to the channel that was chosen in it, when it has none of its own', async () => {
    expect(await submitSms({ channel: 'C0ALERTS' }, '')).toEqual(CLEAR);
    expect(setting.sends.requests.map((request) => request.origin.channelId)).toEqual(['C0ALERTS']);
  });
});

describe('a form that does not stays open, with a sentence where it is wrong', () => {
  type Typed = Record<string, string | null>;
  test.each<[string, MessageKind, string | undefined, Typed, Record<string, RegExp>]>([
    ['nothing typed', 'sms', undefined, {}, { to: /phone number/, text: /text/ }],
    ['two numbers', 'flash', undefined, { ...SMS, to: `${TO}, +6598765432` }, { to: /bulk send/ }],
    [
      'everything',
      'chatapp',
      'invoice',
      { to: 'nobody', 'header.link': 'ftp://a', 'header.filename': null, 'params.0': null },
      {
        ...{ to: /digits only/, 'header.link:': /http/ },
        ...{ 'header.filename:': /file name/, 'params.0:': /“month”/ },
      },
    ],
    ['no template', 'chatapp', undefined, { to: TO }, { template: /Choose a template/ }],
  ])('%s', async (_name, kind, template, typed, expected) => {
    const mark = template === undefined ? '' : templateMark(templateNamed(template));
    const errors = Object.fromEntries(
      Object.entries(expected).map(([id, words]) => [
        id.endsWith(':') ? id + mark : id,
        expect.stringMatching(words),
      ]),
    );
    expect(await submitForm(setting, filled(setting, kind, template, typed))).toEqual(under(errors));
    expect(setting.sends.requests).toEqual([]);
  });

  test('no channel chosen', async () => {
    const errors = { channel: 'Choose where to post the result.' };
    expect(await submitSms({ channel: null }, '')).toEqual(under(errors));
  });

  test('what it does not show has its default', async () => {
    const view = composeView({ kind: 'flash', channelId: 'C0TEAM' }, setting.compose);
    expect(inputsOf(view).map(({ block_id }) => block_id)).not.toContain('sender');
    expect(await submitForm(setting, openView(view, SMS))).toEqual(CLEAR);
    expect(setting.sends.requests).toMatchObject([{ message: textMessage('flash', 'Hello') }]);
  });
});

test('a link that the service will not take is named under its field, and nothing goes out', async () => {
  const message = 'Image: the link leads to nothing (404).';
  const checkMedia = async () => ({ issues: [{ path: 'header.link', message }], open: [] });
  const made = { ...setting, compose: { ...setting.compose, checkMedia } };
  const typed = { to: TO, 'header.link': 'https://a.example/1.png' };
  const answers = await submitForm(made, filled(setting, 'chatapp', 'festive_photo', typed));
  const mark = templateMark(templateNamed('festive_photo'));
  expect(answers).toEqual(under({ [`header.link:${mark}`]: message }));
  expect(setting.sends.requests).toEqual([]);
});

describe('the template', () => {
  const typed = { to: TO, 'params.0': 'Asha', 'params.1': 'A-1' };

  test('removed meanwhile: said under Template, and everything typed is kept', async () => {
    const view = filled(setting, 'chatapp', 'order_update', typed);
    setting.catalogue.templates = [];
    const template = expect.stringMatching(/^The template “order_update” is no longer in the catalogue\./);
    expect(await submitForm(setting, view)).toEqual(under({ template }));
    expect(setting.sends.requests).toEqual([]);
  });

  test('silent catalogue: said under Template in time', async () => {
    setting.catalogue.silent = true;
    const answered = submitForm(setting, filled(setting, 'chatapp', 'order_update', typed));
    await setting.clock.advance(1000);
    const template = expect.stringMatching(/Nothing was sent\. Press Send again\.$/);
    expect(await answered).toEqual(under({ template }));
  });

  test('defined anew meanwhile: the new fields are shown with what was typed, and nothing is sent', async () => {
    const view = filled(setting, 'chatapp', 'order_update', typed);
    const old = templateNamed('order_update');
    const now = { ...old, placeholders: [...old.placeholders, { name: 'day' }], text: '{{1}} {{2}} {{3}}' };
    setting.catalogue.templates = [now];
    const at = (place: number) => `params.${place}:${templateMark(now)}`;
    const held = { template: 'order_update', to: TO, [at(0)]: 'Asha', [at(1)]: 'A-1', [at(2)]: undefined };
    expect(heldBy(anew(await submitForm(setting, view)))).toMatchObject(held);
    expect(setting.sends.requests).toEqual([]);
  });

  test('chosen an instant before Send: values of the one before never go out under its name', async () => {
    const view = filled(setting, 'chatapp', 'order_update', { ...typed, template: 'reminder' });
    const shown = anew(await submitForm(setting, view));
    const empty = `params.0:${templateMark(templateNamed('reminder'))}`;
    expect(heldBy(shown)).toMatchObject({ template: 'reminder', to: TO, [empty]: undefined });
    expect(notesOf(shown)).toMatch(/Nothing was sent/);
    expect(setting.sends.requests).toEqual([]);
  });
});

describe('the same form twice', () => {
  test('even at the same moment sends once, and says so where the form is still there', async () => {
    const view = filled(setting, 'sms', undefined, SMS);
    const answers = await Promise.all([submitForm(setting, view), submitForm(setting, view)]);
    const sentence = /^This was sent before, as S-0000000001, and was not sent a second time\./;
    expect(answers).toEqual([CLEAR, under({ template: expect.stringMatching(sentence) })]);
    expect(setting.sends.started).toHaveLength(1);
  });

  test('whose column is asked for is read again, even before Slack has said that it shows that', async () => {
    const sourceFile = { file: { id: 'F1', name: 'list.csv' }, columns: ['a', 'b', 'c'] };
    const values = { ...SMS, recipients: 'file' };
    const form = composeView({ kind: 'sms', values, sourceFile, channelId: 'C0TEAM' }, setting.compose);
    const download = async () => ok(new Blob(['a,b\n,+6591234567\n']).stream());
    const compose = { ...setting.compose, files: { ...setting.compose.files, download } };
    const shown = Promise.withResolvers<ModalView>();
    const update = ({ view }: { view: ModalView }) => {
      shown.resolve(view);
      return new Promise<never>(() => {});
    };
    const slow = { chat: setting.client.chat, views: { ...setting.client.views, update } };
    void submitForm({ client: slow, compose }, openView(form, { numberColumn: '2' }));
    const again = openView(await shown.promise, { numberColumn: '1' });
    await submitForm({ client: setting.client, compose }, again);
    expect(textsOf(setting.client.view)).toContain('numbers from “b”');
  });

  test('corrected after a refusal is sent: a refusal used nothing up', async () => {
    expect(await submitSms({ to: '112' })).toMatchObject([{ response_action: 'errors' }]);
    expect(await submitSms()).toEqual(CLEAR);
  });
});

describe('when Herald cannot take it', () => {
  const [what, next] = ['Herald is being restarted. Nothing was sent.', 'Try again in a minute.'];
  const REFUSED = { state: 'refused', cause: 'stopping', what, next } as const;

  test('it says so under the first field, and the form stays', async () => {
    setting.sends.answer = async () => REFUSED;
    expect(await submitSms()).toEqual(under({ template: `${what} ${next}` }));
  });

  test.each([
    [5, 5, 'got this very message 5 min ago'],
    [undefined, undefined, 'is to get this very message'],
    [undefined, 5, 'got this very message 5 min ago and is to get it again'],
  ])(
    'the person got the same (%s and %s min ago): the form asks once, and is sent then',
    async (ago, gotAgo, got) => {
      const minutesAgo = (minutes: number) => setting.clock.now() - minutes * 60_000;
      const again = {
        ...{ reading: 'r', sendId: 'S-OLD', userId: 'U', which: 'w' },
        ...(ago !== undefined && { at: minutesAgo(ago) }),
        ...(gotAgo !== undefined && { gotAt: minutesAgo(gotAgo) }),
      };
      setting.sends.answer = async (request) =>
        request.asking?.known === undefined
          ? { state: 'again', send: sendFrom(request, 'S-OLD'), again }
          : { state: 'started', send: sendFrom(request) };
      const shown = anew(await submitSms());
      const said = `This person ${got} (S-OLD). Nothing was sent yet. Send it again only if that is meant.`;
      expect(textsOf(shown)).toContain(said);
      expect(await submitForm(setting, openView(shown, SMS))).toEqual(CLEAR);
      expect(setting.sends.requests.map(({ asking }) => asking?.known)).toEqual([undefined, 'w']);
    },
  );

  /** What comes of a form whose store answers so, but only after Slack had to be answered. */
  async function submitLate(setting: Setting, answer: (request: SubmitRequest) => Promise<SubmitResult>) {
    const stored = Promise.withResolvers<void>();
    setting.sends.answer = async (request) => {
      await stored.promise;
      return answer(request);
    };
    const answered = submitSms();
    await setting.clock.advance(2000);
    stored.resolve();
    return answered;
  }

  test('a store that is slow: the form says so within two seconds, and the result comes in the channel', async () => {
    const started = async (request: SubmitRequest) =>
      ({ state: 'started', send: sendFrom(request) }) as const;
    const answers = await submitLate(setting, started);
    expect(textsOf(anew(answers))).toContain('This takes longer than usual.');
    expect(answers).toHaveLength(1);
    expect(setting.client.calls).toEqual([]);
  });

  test.each([
    ['in the channel', [], ['chat.postEphemeral']],
    ['directly', [slackError('not_in_channel')], ['chat.postEphemeral', 'chat.postMessage']],
  ])('a refusal that comes late, to a closed form, is told %s', async (_name, failures, methods) => {
    setting.client.failures['views.update'] = [slackError('not_found')];
    setting.client.failures['chat.postEphemeral'] = failures;
    await submitLate(setting, async () => REFUSED);
    expect(setting.client.calls.map((call) => call.method)).toEqual(['views.update', ...methods]);
    const channel = methods.length === 1 ? 'C0TEAM' : 'U0ASHA';
    expect(setting.client.calls.at(-1)?.args).toMatchObject({ channel, text: `${what} ${next}` });
  });

  test('a refusal that comes late stands on the form as it was', async () => {
    await submitLate(setting, async () => REFUSED);
    expect(notesOf(setting.client.view)).toMatch(/^Herald is being restarted/);
    expect(heldBy(setting.client.view)).toMatchObject(SMS);
  });

  test('a person nobody can reach is in the log', async () => {
    setting.client.failures['views.update'] = [slackError('not_found')];
    setting.client.failures['chat.postEphemeral'] = [slackError('channel_not_found')];
    setting.client.failures['chat.postMessage'] = [slackError('account_inactive')];
    await submitLate(setting, async () => REFUSED);
    const failure = { kind: 'refused', code: 'account_inactive' };
    const message = 'a person could not be notified of what happened';
    const logged = setting.logger.lines.filter((line) => line.level === 'error');
    expect(logged).toEqual([{ level: 'error', fields: { userId: 'U0ASHA', failure }, message }]);
  });
});

test('rights are asked again when it is submitted', async () => {
  setting = createSetting({ access: { whyNot: async () => 'Only @support may send SMS.' } });
  expect(await submitSms()).toEqual(under({ template: 'Only @support may send SMS. Nothing was sent.' }));
  expect(setting.sends.requests).toEqual([]);
});

test.each(['{}x', '{"channel":"C"}'])(
  'a form of another version is refused: %s',
  async (private_metadata) => {
    const view = { ...filled(setting, 'sms', undefined, SMS), private_metadata };
    const template = expect.stringMatching(/another version of Herald\. Nothing was sent\./);
    expect(await submitForm(setting, view)).toEqual(under({ template }));
  },
);

test('a view of something else is a bug', async () => {
  const view = { ...filled(setting, 'sms', undefined, SMS), callback_id: 'other' };
  await expect(submitForm(setting, view)).rejects.toThrow('no form of a message');
});
