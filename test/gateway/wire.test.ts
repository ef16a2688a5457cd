import { describe, expect, it } from 'vitest';
import { wireTable } from '../../scripts/wire-table.ts';
import { wireSchema } from '../../src/gateway/wire.ts';

function issues(wire: unknown): unknown {
  const parsed = wireSchema.safeParse(wire);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}

describe('wire overrides', () => {
  it.each([[{}], [null], [undefined]])('%j means the defaults', (wire) => {
    const table = wireSchema.parse(wire);
    const rows = Object.values(table.rows).map(
      ({ number, endpoint, path, numberFormat, recipientsPerRequest }) => [
        number,
        endpoint + path,
        numberFormat,
        recipientsPerRequest,
      ],
    );
    expect(rows).toEqual([
      ['1', 'base/v1/chatapp', 'e164', 1],
      ['2', 'base/v1/chatapp', 'e164', 1],
      ['2b', 'base/v1/chatapp', 'e164', 1],
      ['2c', 'base/v1/chatapp', 'e164', 1],
      ['3', 'base/v1/chatapp', 'e164', 1],
      ['4', 'base/v1/rcs', 'e164', 1],
      ['5', 'base/v1/rcs', 'e164', 1],
      ['6', 'base/v1/rcs', 'e164', 1],
      ['7', 'base/v1/rcs', 'e164', 1],
      ['8', 'base/v1/rcs', 'e164', 1],
      ['9', 'base/v1/sms', 'digits', Number.POSITIVE_INFINITY],
      ['10', 'flash/sms', 'digits', 1],
      ['11', 'base/v1/chatapp', 'e164', 1],
      ['11b', 'base/v1/chatapp', 'e164', 1],
      ['12', 'base/v1/chatapp', 'e164', 1],
    ]);
  });

  it('says what is wrong, where, and what to write, all at once', () => {
    expect(
      issues({
        sms: { body: { to: '{{recipients}}', message: '{{txt}}' }, path: 'v1/sms', numberFormat: 'plus' },
        flash: { body: 'text', path: '/a/../b' },
        chatappImage: [],
      }),
    ).toEqual([
      { path: 'chatappImage', message: 'Write an object with any of: body.' },
      { path: 'sms.path', message: 'Write a path that begins with / and has no query, e.g. /v1/sms.' },
      { path: 'sms.numberFormat', message: 'Write e164 (with the plus) or digits (without it).' },
      { path: 'flash.path', message: 'Write a path that begins with / and has no query, e.g. /v1/sms.' },
    ]);
    expect(
      issues({ sms: { body: { to: '{{recipients}}', message: ['{{txt}}'] } }, flash: { body: 'text' } }),
    ).toEqual([
      {
        path: 'sms.body.message.0',
        message:
          '{{txt}} is no placeholder of this body; use one of {{sender}}, {{recipients}}, {{text}}, {{type}}, {{unicode}}, {{dltTemplateId}}, {{entityId}}, {{campaignName}}, {{to}}, {{reference}}.',
      },
      { path: 'sms.body', message: 'The body must carry {{text}}; add it as a value.' },
      {
        path: 'flash.body',
        message: 'A body must be an object of field names and values, or a list; write one.',
      },
    ]);
  });

  it('does not let documented bodies be changed', () => {
    expect(issues({ chatappOtp: { body: {} }, rcsPlain: {} })).toEqual([
      {
        path: '',
        message:
          'chatappOtp, rcsPlain cannot be set here; what can be is: headers, chatapp, rcs, chatappImage, chatappVideo, chatappText, sms, flash, interactive, sessionText, address, success, failure, ' +
          'messageId, answers, webhooks. ' +
          'Request bodies that the interface document shows are fixed.',
      },
    ]);
  });

  it('a body that names one recipient takes one a request', () => {
    const table = wireSchema.parse({ sms: { body: { to: '{{to}}', text: '{{text}}' } } });
    expect(table.rows.sms.recipientsPerRequest).toBe(1);
  });
});

it('describes each row for the documents', () => {
  const lines = wireTable.map(({ body: _body, row, title, path, ...settable }) =>
    [row, title, path, ...Object.entries(settable).map((pair) => pair.join(' '))].join(' | '),
  );
  const override = (name: string) => `documented false | overriddenBy wire.${name}`;
  expect(lines).toEqual([
    '1 | Chat-app one-time password | {base_url}/v1/chatapp | documented true',
    '2 | Chat-app template with a document header | {base_url}/v1/chatapp | documented true',
    `2b | Chat-app template with an image header | {base_url}/v1/chatapp | ${override('chatappImage')}`,
    `2c | Chat-app template with a video header | {base_url}/v1/chatapp | ${override('chatappVideo')}`,
    `3 | Chat-app template without header | {base_url}/v1/chatapp | ${override('chatappText')}`,
    '4 | RCS text with variables | {base_url}/v1/rcs | documented true',
    '5 | RCS carousel with changeable images | {base_url}/v1/rcs | documented true',
    '6 | RCS plain text | {base_url}/v1/rcs | documented true',
    '7 | RCS rich text | {base_url}/v1/rcs | documented true',
    '8 | RCS carousel with fixed images | {base_url}/v1/rcs | documented true',
    `9 | Bulk SMS | {base_url}/v1/sms | ${override('sms')}`,
    `10 | Flash SMS | {flash_url}/sms | ${override('flash')}`,
    `11 | Interactive message (list or reply buttons) | {base_url}/v1/chatapp | ${override('interactive')}`,
    `11b | Text without buttons, where the account has one | {base_url}/v1/chatapp | ${override('sessionText')}`,
    `12 | Address message | {base_url}/v1/chatapp | ${override('address')}`,
  ]);
});
