import { describe, expect, test } from 'vitest';
import { validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import { handleSubmission } from '../../../../src/slack/compose/form/submission.ts';
import { templateMark } from '../../../../src/slack/compose/form/template-mark.ts';
import type { OpenView, SubmissionAnswer } from '../../../../src/slack/kit/clicks/arguments.ts';
import {
  createSetting,
  heldBy,
  notesOf,
  openView,
  type Setting,
  sendFrom,
  slackError,
  templateNamed,
} from '../setting.ts';

const TO = '+6591234567';
const ORIGIN = { teamId: 'T0ACME', userId: 'U0ASHA', channelId: 'C0TEAM' };

/** A form as it is opened, then filled in. */
function filled(
  setting: Setting,
  kind: MessageKind,
  templateName: string | undefined,
  typed: Readonly<Record<string, string | null>>,
  channelId: string | undefined = 'C0TEAM',
): OpenView {
  const template = templateName === undefined ? undefined : templateNamed(templateName);
  return openView(composeView({ kind, template, channelId }, setting.compose), typed);
}

async function submit(setting: Setting, view: OpenView): Promise<SubmissionAnswer[]> {
  const answers: SubmissionAnswer[] = [];
  const body = { user: { id: 'U0ASHA' }, team: { id: 'T0ACME' }, view };
  const ack = async (answer?: SubmissionAnswer) => {
    if (answer) answers.push(answer);
  };
  await handleSubmission({ body, ack, client: setting.client }, setting.compose);
  return answers;
}

const CLEAR = [{ response_action: 'clear' }];
const under = (errors: Record<string, unknown>) => [{ response_action: 'errors', errors }];
const SMS = { to: TO, text: 'Hello' };

describe('a form that keeps every rule', () => {
  test.each<[MessageKind, string | undefined, Record<string, string>, object]>([
    ['sms', undefined, SMS, { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false }],
    [
      'flash',
      undefined,
      { ...SMS, type: 'PROMO' },
      { kind: 'flash', sender: 'ACMEIN', text: 'Hello', type: 'PROMO', unicode: false },
    ],
    [
      'sms',
      undefined,
      { ...SMS, text: 'Hello :tada:' },
      { kind: 'sms', sender: 'ACMEIN', text: 'Hello 🎉', type: 'TRANS', unicode: true },
    ],
    [
      'chatapp',
      'login_code',
      { otp: '482913', language: 'hi', from: '+919876543211' },
      {
        kind: 'chatapp',
        variant: 'otp',
        from: '+919876543211',
        templateName: 'login_code',
        params: [],
        otp: '482913',
        language: { code: 'hi' },
      },
    ],
    [
      'chatapp',
      'invoice',
      {
        'params.0': 'May',
        'header.link': 'https://a.example/may.pdf',
        'header.filename': 'may.pdf',
        campaignName: 'Bills',
      },
      {
        kind: 'chatapp',
        variant: 'document',
        from: '+919876543210',
        templateName: 'invoice',
        params: ['May'],
        header: { type: 'document', link: 'https://a.example/may.pdf', filename: 'may.pdf' },
        campaignName: 'Bills',
      },
    ],
    [
      'rcs',
      'weekly_offers',
      { 'content.0.fileUrl': 'https://a.example/1.png', 'content.1.fileUrl': 'https://a.example/2.png' },
      {
        kind: 'rcs',
        variant: 'carousel-images',
        templateName: 'weekly_offers',
        botId: 'acme-bot',
        type: 'PRETRANS',
        fileUrls: ['https://a.example/1.png', 'https://a.example/2.png'],
      },
    ],
    [
      'rcs',
      'store_open',
      {},
      { kind: 'rcs', variant: 'plain', templateName: 'store_open', botId: 'acme-bot', type: 'PRETRANS' },
    ],
  ])('%s %s becomes one send, named by its view', async (kind, template, typed, message) => {
    const setting = createSetting();
    expect(await submit(setting, filled(setting, kind, template, { to: TO, ...typed }))).toEqual(CLEAR);
    expect(setting.sends.requests).toEqual([{ message, to: TO, origin: ORIGIN, requestKey: 'V1' }]);
  });

  test('belongs to the channel that was chosen in it, when it has none of its own', async () => {
    const setting = createSetting();
    const view = filled(setting, 'sms', undefined, { ...SMS, channel: 'C0ALERTS' }, '');
    expect(await submit(setting, view)).toEqual(CLEAR);
    expect(setting.sends.requests.map((request) => request.origin.channelId)).toEqual(['C0ALERTS']);
  });
});

describe('a form that does not stays open, with a sentence where it is wrong', () => {
  test.each<
    [
      string,
      MessageKind,
      string | undefined,
      Record<string, string | null>,
      (mark: string) => Record<string, RegExp>,
    ]
  >([
    ['nothing typed', 'sms', undefined, {}, () => ({ to: /phone number/, text: /text/ })],
    ['a wrong number', 'flash', undefined, { ...SMS, to: '112' }, () => ({ to: /too short/ })],
    ['two numbers', 'flash', undefined, { ...SMS, to: `${TO}, +6598765432` }, () => ({ to: /bulk send/ })],
    [
      'an empty value',
      'chatapp',
      'order_update',
      { to: TO, 'params.0': 'Asha', 'params.1': ' ' },
      (mark) => ({ [`params.1:${mark}`]: /“order”/ }),
    ],
    [
      'everything',
      'chatapp',
      'invoice',
      { to: 'nobody', 'header.link': 'ftp://a', 'header.filename': null, 'params.0': null },
      (mark) => ({
        to: /digits only/,
        [`header.link:${mark}`]: /http/,
        [`header.filename:${mark}`]: /file name/,
        [`params.0:${mark}`]: /“month”/,
      }),
    ],
    [
      'sender and recipient the same',
      'chatapp',
      'closed_today',
      { to: '+919876543210' },
      () => ({ to: /number that sends/ }),
    ],
    ['no template', 'chatapp', undefined, { to: TO }, () => ({ template: /Choose a template/ })],
  ])('%s', async (_name, kind, template, typed, expected) => {
    const setting = createSetting();
    const mark = template === undefined ? '' : templateMark(templateNamed(template));
    const errors = Object.fromEntries(
      Object.entries(expected(mark)).map(([id, words]) => [id, expect.stringMatching(words)]),
    );
    expect(await submit(setting, filled(setting, kind, template, typed))).toEqual(under(errors));
    expect(setting.sends.requests).toEqual([]);
  });

  test('no channel chosen', async () => {
    const setting = createSetting();
    const view = filled(setting, 'sms', undefined, { ...SMS, channel: null }, '');
    expect(await submit(setting, view)).toEqual(under({ channel: 'Choose where to post the result.' }));
  });

  test('a sender that was taken out of the configuration meanwhile', async () => {
    const setting = createSetting();
    const view = filled(setting, 'sms', undefined, { ...SMS, sender: 'GONE' });
    expect(await submit(setting, view)).toEqual(under({ sender: 'Choose the sender of the message.' }));
  });
});

describe('the template', () => {
  const typed = { to: TO, 'params.0': 'Asha', 'params.1': 'A-1' };

  test('removed meanwhile: said under Template, and everything typed is kept', async () => {
    const setting = createSetting();
    const view = filled(setting, 'chatapp', 'order_update', typed);
    setting.catalogue.templates = [];
    expect(await submit(setting, view)).toEqual(
      under({
        template:
          'The template “order_update” is no longer in the catalogue. Nothing was sent. Choose another one; what you typed is kept.',
      }),
    );
    expect(setting.sends.requests).toEqual([]);
  });

  test('silent catalogue: said under Template in time', async () => {
    const setting = createSetting();
    setting.catalogue.silent = true;
    const answered = submit(setting, filled(setting, 'chatapp', 'order_update', typed));
    await setting.clock.advance(1000);
    expect(await answered).toEqual(
      under({ template: expect.stringMatching(/Nothing was sent\. Press Send again\.$/) }),
    );
  });

  test('defined anew meanwhile: the new fields are shown with what was typed, and nothing is sent', async () => {
    const setting = createSetting();
    const view = filled(setting, 'chatapp', 'order_update', typed);
    const old = templateNamed('order_update');
    const now = { ...old, placeholders: [...old.placeholders, { name: 'day' }], text: '{{1}} {{2}} {{3}}' };
    setting.catalogue.templates = [now];
    const [answer] = await submit(setting, view);
    if (answer?.response_action !== 'update') throw new Error('The form was not shown anew.');
    expect(validateView(answer.view)).toEqual([]);
    const mark = templateMark(now);
    expect(heldBy(answer.view)).toMatchObject({
      template: 'order_update',
      to: TO,
      [`params.0:${mark}`]: 'Asha',
      [`params.1:${mark}`]: 'A-1',
      [`params.2:${mark}`]: undefined,
    });
    expect(setting.sends.requests).toEqual([]);
  });

  test('chosen an instant before Send: values of the one before never go out under its name', async () => {
    const setting = createSetting();
    const view = filled(setting, 'chatapp', 'order_update', { ...typed, template: 'reminder' });
    const [answer] = await submit(setting, view);
    if (answer?.response_action !== 'update') throw new Error('The form was not shown anew.');
    const mark = templateMark(templateNamed('reminder'));
    expect(heldBy(answer.view)).toMatchObject({
      template: 'reminder',
      to: TO,
      [`params.0:${mark}`]: undefined,
    });
    expect(answer.view.type === 'modal' && notesOf(answer.view)).toMatch(/Nothing was sent/);
    expect(setting.sends.requests).toEqual([]);
  });
});

describe('the same form twice', () => {
  test('sends once, and says so where the form is still there', async () => {
    const setting = createSetting();
    const view = filled(setting, 'sms', undefined, SMS);
    expect(await submit(setting, view)).toEqual(CLEAR);
    expect(await submit(setting, view)).toEqual(
      under({
        text: expect.stringMatching(
          /^This was sent before, as S-0000000001, and was not sent a second time\./,
        ),
      }),
    );
    expect(setting.sends.started).toHaveLength(1);
  });

  test('at the same moment sends once', async () => {
    const setting = createSetting();
    const view = filled(setting, 'sms', undefined, SMS);
    const answers = await Promise.all([submit(setting, view), submit(setting, view)]);
    expect(answers.map(([answer]) => answer?.response_action)).toEqual(['clear', 'errors']);
    expect(setting.sends.started).toHaveLength(1);
  });

  test('corrected after a refusal is sent: a refusal used nothing up', async () => {
    const setting = createSetting();
    expect(await submit(setting, filled(setting, 'sms', undefined, { ...SMS, to: '112' }))).toMatchObject([
      { response_action: 'errors' },
    ]);
    expect(await submit(setting, filled(setting, 'sms', undefined, SMS))).toEqual(CLEAR);
  });
});

describe('when Herald cannot take it', () => {
  const REFUSED = {
    state: 'refused',
    cause: 'stopping',
    what: 'Herald is being restarted. Nothing was sent.',
    next: 'Try again in a minute.',
  } as const;

  test('it says so under the first field, and the form stays', async () => {
    const setting = createSetting();
    setting.sends.answer = async () => REFUSED;
    expect(await submit(setting, filled(setting, 'sms', undefined, SMS))).toEqual(
      under({ text: 'Herald is being restarted. Nothing was sent. Try again in a minute.' }),
    );
  });

  test('a store that is slow: the form says so within two seconds, and the result comes in the channel', async () => {
    const setting = createSetting();
    const stored = Promise.withResolvers<void>();
    setting.sends.answer = async (request) => {
      await stored.promise;
      return { state: 'started', send: sendFrom(request) };
    };
    const answered = submit(setting, filled(setting, 'sms', undefined, SMS));
    await setting.clock.advance(2000);
    stored.resolve();
    const [answer, ...more] = await answered;
    if (answer?.response_action !== 'update') throw new Error('The person was not told to wait.');
    expect(validateView(answer.view)).toEqual([]);
    expect(JSON.stringify(answer.view)).toContain('This takes longer than usual.');
    expect(more).toEqual([]);
    expect(setting.client.calls).toEqual([]);
  });

  test.each([
    ['in the channel', [], ['chat.postEphemeral']],
    [
      'directly, where Herald is not in the channel',
      [slackError('not_in_channel')],
      ['chat.postEphemeral', 'chat.postMessage'],
    ],
  ])('a refusal that comes late is told %s', async (_name, failures, methods) => {
    const setting = createSetting();
    const stored = Promise.withResolvers<void>();
    setting.sends.answer = async () => {
      await stored.promise;
      return REFUSED;
    };
    setting.client.failures['chat.postEphemeral'] = failures;
    const answered = submit(setting, filled(setting, 'sms', undefined, SMS));
    await setting.clock.advance(2000);
    stored.resolve();
    await answered;
    expect(setting.client.calls.map((call) => call.method)).toEqual(methods);
    expect(setting.client.calls.at(-1)?.args).toMatchObject({
      channel: methods.length === 1 ? 'C0TEAM' : 'U0ASHA',
      text: 'Herald is being restarted. Nothing was sent. Try again in a minute.',
    });
  });

  test('a person nobody can reach is in the log', async () => {
    const setting = createSetting();
    const stored = Promise.withResolvers<void>();
    setting.sends.answer = async () => {
      await stored.promise;
      return REFUSED;
    };
    setting.client.failures['chat.postEphemeral'] = [slackError('channel_not_found')];
    setting.client.failures['chat.postMessage'] = [slackError('account_inactive')];
    const answered = submit(setting, filled(setting, 'sms', undefined, SMS));
    await setting.clock.advance(2000);
    stored.resolve();
    await answered;
    expect(setting.logger.lines.filter((line) => line.level === 'error')).toEqual([
      {
        level: 'error',
        fields: { userId: 'U0ASHA', failure: { kind: 'refused', code: 'account_inactive' } },
        message: 'a person could not be told what happened',
      },
    ]);
  });
});

test('rights are asked again when it is submitted', async () => {
  const setting = createSetting({ access: { whyNot: async () => 'Only @support may send SMS.' } });
  expect(await submit(setting, filled(setting, 'sms', undefined, SMS))).toEqual(
    under({ text: 'Only @support may send SMS. Nothing was sent.' }),
  );
  expect(setting.sends.requests).toEqual([]);
});

test.each(['', '{}x', '{"channel":"C"}', '[]', 'null'])(
  'a form of another version (metadata %s) is refused, with what was typed',
  async (metadata) => {
    const setting = createSetting();
    const view = { ...filled(setting, 'sms', undefined, SMS), private_metadata: metadata };
    expect(await submit(setting, view)).toEqual(
      under({ text: expect.stringMatching(/another version of Herald\. Nothing was sent\./) }),
    );
  },
);

test('a view of something else is a bug', async () => {
  const setting = createSetting();
  await expect(
    submit(setting, { ...filled(setting, 'sms', undefined, SMS), callback_id: 'other' }),
  ).rejects.toThrow('no form of a message');
});
