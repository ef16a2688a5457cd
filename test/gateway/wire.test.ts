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
  expect(wireTable.map(({ body: _body, ...rest }) => rest)).toEqual([
    { row: '1', title: 'Chat-app one-time password', path: '{base_url}/v1/chatapp', documented: true },
    {
      row: '2',
      title: 'Chat-app template with a document header',
      path: '{base_url}/v1/chatapp',
      documented: true,
    },
    {
      row: '2b',
      title: 'Chat-app template with an image header',
      path: '{base_url}/v1/chatapp',
      documented: false,
      overriddenBy: 'wire.chatappImage',
    },
    {
      row: '2c',
      title: 'Chat-app template with a video header',
      path: '{base_url}/v1/chatapp',
      documented: false,
      overriddenBy: 'wire.chatappVideo',
    },
    {
      row: '3',
      title: 'Chat-app template without header',
      path: '{base_url}/v1/chatapp',
      documented: false,
      overriddenBy: 'wire.chatappText',
    },
    { row: '4', title: 'RCS text with variables', path: '{base_url}/v1/rcs', documented: true },
    { row: '5', title: 'RCS carousel with changeable images', path: '{base_url}/v1/rcs', documented: true },
    { row: '6', title: 'RCS plain text', path: '{base_url}/v1/rcs', documented: true },
    { row: '7', title: 'RCS rich text', path: '{base_url}/v1/rcs', documented: true },
    { row: '8', title: 'RCS carousel with fixed images', path: '{base_url}/v1/rcs', documented: true },
    { row: '9', title: 'Bulk SMS', path: '{base_url}/v1/sms', documented: false, overriddenBy: 'wire.sms' },
    { row: '10', title: 'Flash SMS', path: '{flash_url}/sms', documented: false, overriddenBy: 'wire.flash' },
    {
      row: '11',
      title: 'Interactive message (list or reply buttons)',
      path: '{base_url}/v1/chatapp',
      documented: false,
      overriddenBy: 'wire.interactive',
    },
    {
      row: '11b',
      title: 'Text without buttons, where the account has one',
      path: '{base_url}/v1/chatapp',
      documented: false,
      overriddenBy: 'wire.sessionText',
    },
    {
      row: '12',
      title: 'Address message',
      path: '{base_url}/v1/chatapp',
      documented: false,
      overriddenBy: 'wire.address',
    },
  ]);
});
