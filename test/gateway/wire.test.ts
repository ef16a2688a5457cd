import { describe, expect, it } from 'vitest';
import { wireTable } from '../../scripts/wire-table.ts';
import { wireSchema } from '../../src/gateway/wire.ts';

/** Number, title and path of each row, whether the document shows it, where its body can be set, and how it names its recipients. */
const ROWS = `
1 | Chat-app one-time password | {base_url}/v1/chatapp | true | – | e164 | 1
2 | Chat-app template with a document header | {base_url}/v1/chatapp | true | – | e164 | 1
2b | Chat-app template with an image header | {base_url}/v1/chatapp | false | wire.chatappImage | e164 | 1
2c | Chat-app template with a video header | {base_url}/v1/chatapp | false | wire.chatappVideo | e164 | 1
3 | Chat-app template without header | {base_url}/v1/chatapp | false | wire.chatappText | e164 | 1
4 | RCS text with variables | {base_url}/v1/rcs | true | – | e164 | 1
5 | RCS carousel with changeable images | {base_url}/v1/rcs | true | – | e164 | 1
6 | RCS plain text | {base_url}/v1/rcs | true | – | e164 | 1
7 | RCS rich text | {base_url}/v1/rcs | true | – | e164 | 1
8 | RCS carousel with fixed images | {base_url}/v1/rcs | true | – | e164 | 1
9 | Bulk SMS | {base_url}/v1/sms | false | wire.sms | digits | Infinity
10 | Flash SMS | {flash_url}/sms | false | wire.flash | digits | 1
11 | Interactive message (list or reply buttons) | {base_url}/v1/chatapp | false | wire.interactive | e164 | 1
11b | Text without buttons, where the account has one | {base_url}/v1/chatapp | false | wire.sessionText | e164 | 1
12 | Address message | {base_url}/v1/chatapp | false | wire.address | e164 | 1
`;

function issues(wire: unknown): unknown {
  const parsed = wireSchema.safeParse(wire);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}

describe('wire overrides', () => {
  it.each([[{}], [null], [undefined]])('%j means the defaults, as the documents describe them', (wire) => {
    const table = wireSchema.parse(wire);
    const rows = wireTable.map(({ row, title, path, documented, overriddenBy = '–' }) => {
      const is = Object.values(table.rows).find((one) => one.number === row) ?? expect.fail('no such row');
      expect(path).toBe(`{${is.endpoint}_url}${is.path}`);
      const cells = [row, title, path, documented, overriddenBy, is.numberFormat, is.recipientsPerRequest];
      return cells.join(' | ');
    });
    expect(`\n${rows.join('\n')}\n`).toBe(ROWS);
    expect(Object.keys(table.rows)).toHaveLength(rows.length);
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
