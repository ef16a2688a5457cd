import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../src/core/result.ts';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { FormContext } from '../../src/messages/form/form.ts';
import { KINDS, kindOf, type MessageKind } from '../../src/messages/kinds.ts';
import { parseBulkMessage, parseSubmission } from '../../src/messages/parse-submission.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import { table } from '../table.ts';
import { CONTEXT, RCS_TEMPLATES, TEMPLATES } from './samples.ts';

const FROM = '+919876543210';
const TO = '+6591234567';

function submit(template: Template, value: unknown, context: FormContext = CONTEXT) {
  return parseSubmission(template.channel, { ...context, template }, value);
}

/** One issue, as the parse returns it. */
function issue(path: string, message: string) {
  return fail([{ path, message }]);
}

const CHATAPP = { to: TO, from: FROM };
const RCS = { to: TO, botId: 'acme-bot' };
const DOCUMENT = {
  ...CHATAPP,
  params: ['May'],
  header: { link: 'https://acme.test/may', filename: 'May.pdf' },
};
const IMAGE = { ...CHATAPP, header: { link: 'https://acme.test/lamp.jpg' } };
const CARD_LINKS = ['https://acme.test/1.png', 'http://acme.test/2', 'https://acme.test/3?x=1'];
const CAROUSEL = { ...RCS, content: CARD_LINKS.map((fileUrl) => ({ fileUrl })) };

/** Forms that are taken, each with its template. */
const SOUND: Readonly<Record<string, readonly [Template, object]>> = {
  otp: [TEMPLATES.otp, { ...CHATAPP, otp: '1' }],
  image: [TEMPLATES.image, IMAGE],
  document: [TEMPLATES.document, DOCUMENT],
  plain: [RCS_TEMPLATES.plain, RCS],
  variables: [RCS_TEMPLATES.variables, { ...RCS, params: ['a', 'b'] }],
  'carousel-images': [RCS_TEMPLATES['carousel-images'], CAROUSEL],
};

function refuses(of = '', change = '', path = '', sentence = ''): void {
  const [template, base] = SOUND[of] ?? [TEMPLATES.otp, {}];
  expect(submit(template, base).ok).toBe(true);
  expect(submit(template, { ...base, ...JSON.parse(change) })).toEqual(issue(path, sentence));
}

describe('chat-app forms', () => {
  const made = (variant: keyof typeof TEMPLATES, values: object, more: object) => {
    const { name: templateName } = TEMPLATES[variant];
    const message = { kind: 'chatapp', variant, from: FROM, templateName, params: [], ...more };
    expect(submit(TEMPLATES[variant], { ...CHATAPP, ...values })).toStrictEqual(ok({ to: TO, message }));
  };

  it('a one-time password, with all it may have', () => {
    const values = { template: 'login_code', otp: ' 493021 ', language: 'hi', campaignName: ' Logins ' };
    made('otp', values, { otp: '493021', language: { code: 'hi' }, campaignName: 'Logins' });
  });

  it('a one-time password with as little as possible: no key stands for nothing', () => {
    made('otp', { otp: '1', language: null, campaignName: '' }, { otp: '1' });
  });

  it.each([[undefined], [null], [''], [' \u200B'], [], ['', '', null]])(
    'a text, with an optional value left empty: %j',
    (...empty) => {
      made('text', { params: ['Asha ', 'A  1', ...empty] }, { params: ['Asha ', 'A  1', ''] });
    },
  );

  it('a document, an image', () => {
    const document = { type: 'document', link: 'https://acme.test/may', filename: 'May.pdf' };
    made('document', DOCUMENT, { params: ['May'], header: document });
    made('image', IMAGE, { header: { type: 'image', link: 'https://acme.test/lamp.jpg' } });
  });

  it('a video', () => {
    const header = { link: 'https://acme.test/tour' };
    made('video', { params: ['Acme'], header }, { params: ['Acme'], header: { type: 'video', ...header } });
    const { text } = KINDS.chatapp.preview({ header, params: ['Acme'] }, TEMPLATES.video);
    expect(text).toBe('[Video: https://acme.test/tour]\nSee Acme from inside.');
  });

  it.each(['text', 'document', 'image', 'video'] as const)(
    'a %s template’s language is asked for where its request carries one, and nowhere else',
    (variant) => {
      const template = { ...TEMPLATES[variant], languages: ['en_US', 'hi'], placeholders: [] };
      const media = { link: 'https://acme.test/a.png', filename: variant === 'document' ? 'a' : undefined };
      const value = { ...CHATAPP, header: variant === 'text' ? undefined : media, language: 'en_US' };
      const body = { from: '{{from}}', to: '{{to}}', name: '{{templateName}}', language: '{{language}}' };
      const ofMedia = { body: { ...body, values: '{{params}}', media: '{{link}}' } };
      const { terms } = wireSchema.parse({
        chatappText: { body: { ...body, values: '{{params}}' } },
        chatappImage: ofMedia,
        chatappVideo: ofMedia,
      });
      const parsed = submit(template, value, { ...CONTEXT, terms });
      if (variant === 'document') return expect(parsed).toMatchObject({ error: [{ path: 'language' }] });
      expect(submit(template, value)).toMatchObject({ error: [{ path: 'language' }] });
      expect(parsed).toMatchObject({ value: { message: { language: { code: 'en_US' } } } });
      const { language, ...without } = value;
      const one = submit({ ...template, languages: [language] }, without, { ...CONTEXT, terms });
      expect(one).toMatchObject({ value: { message: { language: { code: 'en_US' } } } });
      expect(submit({ ...template, languages: [language] }, without)).not.toHaveProperty(
        'value.message.language',
      );
    },
  );

  it.each([
    'http://acme.test/a.JPG',
    'https://acme.test/a.jpeg?token=1.2',
    'https://acme.test/dir/a.png#top',
    ' HTTPS://acme.test/ä.png ',
    // No ending: a note says so.
    'https://acme.test/png',
    'https://8.8.8.8/a.png',
    'https://[2001:4860:4860::8888]/a.png',
  ])('takes the image link %j', (link) => {
    expect(submit(TEMPLATES.image, { ...CHATAPP, header: { link } })).toMatchObject({
      value: { message: { header: { link: link.trim().replace('HTTPS', 'https') } } },
    });
  });

  it.each(['\u202ahttps://acme.test/a.png\u202c', 'https://acme\u200b.test/\u00ada.png\u200e'])(
    'takes %j without what nobody sees of it',
    (link) => {
      expect(submit(TEMPLATES.image, { ...CHATAPP, header: { link } })).toMatchObject({
        value: { message: { header: { link: 'https://acme.test/a.png' } } },
      });
    },
  );

  it('notes an image link without an ending, in the preview and for those who approve', () => {
    const link = 'https://acme.test/photos/4711?size=1';
    const note = 'The link does not end in .jpg, .jpeg or .png: make sure that it leads to such an image.';
    const preview = (one: string) => KINDS.chatapp.preview({ header: { link: one } }, TEMPLATES.image).text;
    expect(preview(link)).toContain(`⚠ ${note}`);
    expect(preview('https://acme.test/a.png?size=1')).not.toContain('⚠');
    const parsed = submit(TEMPLATES.image, { ...CHATAPP, header: { link } });
    const message = parsed.ok ? parsed.value.message : undefined;
    expect(message && kindOf(message).attachments(message)).toContainEqual({ label: 'Check', value: note });
    const held = { interactive: { header: { type: 'image', image: { link } } } };
    expect(KINDS.interactive.preview(held, undefined).text).toContain(note);
  });

  const LINK = 'Header image URL';
  const INCOMPLETE = `${LINK} is not a complete link, such as https://example.com/file.`;
  const UNLIKE_IMAGE = `${LINK} must lead to an image whose name ends in .jpg, .jpeg or .png.`;
  const PRIVATE = `${LINK} leads into a private network, where the service cannot fetch it: use a public link.`;
  const OVERRIDE = `${LINK} contains a direction override (U+202E), which makes it read differently from what is sent. Type the text again without it.`;
  const PASSWORD = `${LINK} has a user name or a password in it: use a link that everybody may open.`;
  const PRIVATE_HOSTS = [
    ...[
      'localhost',
      'a.localhost:8080',
      'files',
      'nas.local',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '10.1.2.3',
    ],
    ...['192.168.0.1', '172.31.0.1', '169.254.169.254', '[::1]', '[fd00::1]', '[fe80::1]'],
    ...['[::ffff:10.0.0.1]', 'localhost.'],
  ];
  it.each<readonly [link: string, sentence: string]>([
    ...['acme.test/a.png', 'ftp://acme.test/a.png', 'http:acme.test/a.png', 'javascript:alert(1)//a.png'].map(
      (link) => [link, `${LINK} must start with http:// or https://.`] as const,
    ),
    ['https://', INCOMPLETE],
    ['https://acme.test:99999/a.png', INCOMPLETE],
    ['https://acme.test/my photo.png', `${LINK} contains a space: write %20 instead.`],
    ['https://acme.test/a.png\nhttps://acme.test/b.png', `${LINK} must be one line, without line breaks.`],
    ['https://acme.test/a.gif', UNLIKE_IMAGE],
    ['https://acme.test/a.gif?b.png', UNLIKE_IMAGE],
    ...PRIVATE_HOSTS.map((host) => [`http://${host}/a.png`, PRIVATE] as const),
    ['https://user:password@acme.test/a.png', PASSWORD],
    ['https://acme.test/\u202Egnp.exe', OVERRIDE],
  ])('refuses the image link %j', (link, sentence) => {
    expect(submit(TEMPLATES.image, { ...CHATAPP, header: { link } })).toEqual(issue('header.link', sentence));
  });

  it.each(table`
otp | { "otp": " " } | otp | Enter the one-time password.
otp | { "otp": 493021 } | otp | Only text can be entered here.
otp | { "otp": "1\n2" } | otp | One-time password must be one line, without line breaks.
otp | { "language": "fr" } | language | Choose one of the template’s languages.
otp | { "template": "order_update" } | template | Another template was chosen meanwhile. Choose it again.
otp | { "params": ["x"] } | params | The form has no such field. Open the form again.
image | { "from": null } | from | Choose the number that sends the message.
image | { "from": "+919999999999" } | from | Choose the number that sends the message.
image | { "to": "${FROM}" } | to | This is the number that sends the message. Enter the recipient’s number.
image | { "to": "98765 43210" } | to | This is the number that sends the message. Enter the recipient’s number.
image | { "to": null } | to | Enter the phone number of the recipient.
image | { "to": 6591234567 } | to | Only text can be entered here.
image | { "header": null } | header.link | Enter the link to the image.
image | { "header": "https://acme.test/a.png" } | header | The submitted values do not belong to this form. Open the form again.
image | { "header": { "link": "https://acme.test/a.png", "filename": "a.png" } } | header.filename | The form has no such field. Open the form again.
image | { "params": ["x"] } | params | The template “Festive greeting” takes no values.
image | { "campaignName": "a\nb" } | campaignName | Campaign name must be one line, without line breaks.
image | { "campaignName": "${'x'.repeat(3001)}" } | campaignName | Campaign name has 3001 characters; at most 3000 are possible. Shorten it.
document | { "header": { "link": "https://acme.test/may" } } | header.filename | Enter the document’s file name, such as invoice.pdf.
document | { "header": { "filename": "May.pdf" } } | header.link | Enter the link to the document.
document | { "params": [] } | params.0 | Enter a value for “month”.
document | { "params": null } | params.0 | Enter a value for “month”.
document | { "params": [7] } | params.0 | Only text can be entered here.
document | { "params": ["May", "June"] } | params | The template “Invoice” takes 1 value.
document | { "params": "May" } | params | The template “Invoice” takes 1 value.
document | { "params": ["${'x'.repeat(3001)}"] } | params.0 | month has 3001 characters; at most 3000 are possible. Shorten it.
document | { "params": ["\uD83D"] } | params.0 | month contains half of a character, often a cut emoji. Delete it and type it again.`)(
    'refuses, for a template of %s, %s at %s',
    refuses,
  );

  it.each([
    ['May\nJune', 'a line break'],
    ['May\r\nJune', 'a line break'],
    ['May\tJune', 'a tab'],
    ['May     June', 'more than four spaces in a row'],
  ])('refuses the value %j where it stands, also beside a column', (value, found) => {
    const sentence = `“month” has ${found}: the chat app refuses such a value. Write it on one line, with single spaces.`;
    expect(submit(TEMPLATES.document, { ...DOCUMENT, params: [value] })).toEqual(issue('params.0', sentence));
    const { to: _none, ...many } = { ...DOCUMENT, params: [`{{a     column}} ${value}`] };
    const context = { ...CONTEXT, template: TEMPLATES.document, recipients: 'many' as const };
    expect(parseBulkMessage('chatapp', context, many)).toEqual(issue('params.0', sentence));
    expect(parseBulkMessage('chatapp', context, { ...many, params: ['{{a     column}}    x'] }).ok).toBe(
      true,
    );
    const rcs = submit(RCS_TEMPLATES.variables, { ...RCS, params: [value, '10:00'] });
    expect(rcs.ok).toBe(true);
  });

  it('takes the only language of a template without asking, and checks a free one', () => {
    const one = { ...TEMPLATES.otp, languages: ['en_US'] };
    const none = { ...TEMPLATES.otp, languages: [] };
    const languageOf = (template: Template, language?: string) =>
      submit(template, { ...CHATAPP, otp: '1', language });
    expect(languageOf(one)).toMatchObject({ value: { message: { language: { code: 'en_US' } } } });
    expect(languageOf(none, 'pt-br')).toMatchObject({ value: { message: { language: { code: 'pt-BR' } } } });
    expect(languageOf(none)).not.toHaveProperty('value.message.language');
    const rule = 'Enter the language code that the template is registered with, such as en, en_US or pt-BR.';
    expect(languageOf(none, 'english')).toEqual(issue('language', rule));
  });
});

describe('RCS forms', () => {
  const made = (variant: keyof typeof RCS_TEMPLATES, values: object, more: object) => {
    const { name: templateName } = RCS_TEMPLATES[variant];
    const message = { kind: 'rcs', variant, templateName, botId: 'acme-bot', type: 'PRETRANS', ...more };
    expect(submit(RCS_TEMPLATES[variant], { ...RCS, ...values })).toStrictEqual(ok({ to: TO, message }));
  };

  it.each(['plain', 'rich', 'carousel-fixed'] as const)('a %s message has no content', (variant) => {
    made(variant, { type: null, campaignName: 'Spring' }, { campaignName: 'Spring' });
  });

  it('a text with values, and a carousel with one link a card', () => {
    made('variables', { params: ['Monday', '10:00'] }, { params: ['Monday', '10:00'] });
    made('carousel-images', CAROUSEL, { fileUrls: CARD_LINKS });
  });

  it('a text whose template has no placeholders sends an empty list', () => {
    const template = { ...RCS_TEMPLATES.variables, placeholders: [], text: 'Hi' };
    expect(submit(template, RCS)).toMatchObject({ value: { message: { params: [] } } });
  });

  it('takes the type of the chosen bot, unless another one is chosen', () => {
    const typeOf = (value: object) => submit(RCS_TEMPLATES.plain, { ...RCS, ...value });
    expect(typeOf({ botId: 'promo-bot' })).toMatchObject({ value: { message: { type: 'PREPROMO' } } });
    expect(typeOf({ type: 'PREPROMO' })).toMatchObject({ value: { message: { type: 'PREPROMO' } } });
  });

  it.each(table`
plain | { "botId": "" } | botId | Choose the bot that sends the message.
plain | { "botId": "toString" } | botId | Choose the bot that sends the message.
plain | { "type": "OTHER" } | type | Choose one of the types of your bots.
plain | { "to": "112" } | to | This is too short for a phone number; emergency and short service numbers cannot be messaged. Enter a full number, for example +91 81234 56789.
plain | { "to": "${TO} ${FROM}" } | to | Enter one number. A message to several people is a bulk send, which needs a manager’s approval.
plain | { "content": [{ "fileUrl": "https://acme.test/1" }] } | content | The form has no such field. Open the form again.
variables | { "params": ["a", null] } | params.1 | Enter a value for “hour”.
variables | { "params": ["a", "b", "c"] } | params | The template “Appointment” takes 2 values.
carousel-images | { "content": ${JSON.stringify(CAROUSEL.content.slice(1))} } | content.2.fileUrl | Enter the link to the image of card 3.
carousel-images | { "content": ${JSON.stringify(Array(6).fill(CAROUSEL.content[0]))} } | content | The carousel “Weekly offers” has 3 cards: enter one link a card.
carousel-images | { "content": ${JSON.stringify([{ fileUrl: 'x' }, ...CAROUSEL.content.slice(1)])} } | content.0.fileUrl | Card 1 image URL must start with http:// or https://.`)(
    'refuses, for a template of %s, %s at %s',
    refuses,
  );
});

describe('a template message without its template', () => {
  const filled = { to: TO, from: FROM, botId: 'acme-bot', params: ['x'], header: { link: 'x' } };

  it.each(['chatapp', 'rcs'] satisfies MessageKind[])('%s says that one must be chosen', (kind) => {
    expect(parseSubmission(kind, CONTEXT, filled)).toEqual(issue('template', 'Choose a template.'));
  });

  it.each(['chatapp', 'rcs'] satisfies MessageKind[])('%s says that the chosen one is gone', (kind) => {
    expect(parseSubmission(kind, CONTEXT, { ...filled, template: 'old_one' })).toEqual(
      issue('template', 'The template “old_one” is not in the catalogue. Choose another one.'),
    );
  });

  it('does not take a template of the other channel', () => {
    const context = { ...CONTEXT, template: RCS_TEMPLATES.plain };
    expect(parseSubmission('chatapp', context, { ...CHATAPP, template: 'store_open' })).toEqual(
      issue('template', 'The template “store_open” is not in the catalogue. Choose another one.'),
    );
  });
});
