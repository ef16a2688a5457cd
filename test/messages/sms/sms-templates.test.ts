import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/core/result.ts';
import { KINDS } from '../../../src/messages/kinds.ts';
import { parseBulkMessage, parseSubmission } from '../../../src/messages/parse-submission.ts';
import { createPersonaliser, isSameForAll } from '../../../src/messages/personalise.ts';
import { templateDifferences } from '../../../src/messages/templates/differences.ts';
import { rowsIn } from '../../../src/messages/templates/form.ts';
import { templateFormValues, templateFromForm } from '../../../src/messages/templates/form-values.ts';
import { type SmsTemplate, templateSchema } from '../../../src/messages/templates/template.ts';
import { table } from '../../table.ts';
import { CONTEXT, SMS_TEMPLATE, TEMPLATES } from '../samples.ts';

const context = (change: Partial<SmsTemplate> = {}) => ({
  ...CONTEXT,
  template: { ...SMS_TEMPLATE, ...change },
});
const VALUE = {
  template: 'order_shipped',
  sender: 'ACMEIN',
  to: '+91 98123 45678',
  params: ['Asha', 'A-1001'],
};
const MESSAGE = {
  sender: 'ACMEIN',
  text: 'Dear Asha, your order A-1001 is on its way. - Acme',
  templateName: 'order_shipped',
  params: ['Asha', 'A-1001'],
  dltTemplateId: '1107160000000000001',
  entityId: '1101550000000000001',
  type: 'TRANS',
  unicode: false,
};

describe.each(['sms', 'flash'] as const)('%s of a template', (kind) => {
  const submit = (change: object, template: Partial<SmsTemplate> = {}) =>
    parseSubmission(kind, context(template), { ...VALUE, ...change });

  it('is the whole text, with what it is made of', () => {
    expect(submit({})).toStrictEqual(ok({ to: '+919812345678', message: { kind, ...MESSAGE } }));
    const { dltTemplateId: _dlt, entityId: _entity, ...unregistered } = MESSAGE;
    expect(submit({}, { dltTemplateId: undefined, entityId: undefined })).toStrictEqual(
      ok({ to: '+919812345678', message: { kind, ...unregistered } }),
    );
  });

  it('has the type of its template before any other, and Unicode where a value needs it', () => {
    const typed = submit({ params: ['आशा', 'A-1'], type: 'PROMO', text: 'left over' }, { type: 'OTP' });
    expect(typed).toMatchObject({ value: { message: { type: 'OTP', unicode: true } } });
    expect(submit({ type: 'PROMO' })).toMatchObject({ value: { message: { type: 'PROMO' } } });
  });

  it('stores no value of a password', () => {
    const parsed = submit({}, { type: 'OTP' });
    if (!parsed.ok) throw new Error('it is refused');
    const stored = KINDS[kind].withoutSecret(parsed.value.message as never);
    expect(JSON.stringify(stored)).not.toMatch(/Asha|A-1001/);
    expect(stored).toMatchObject({ params: ['####', '######'], text: expect.stringMatching(/^[# ]+$/) });
  });

  it.each(table`
{ "params": ["Asha"] } | params.1 | Enter a value for “order”.
{ "params": ["Asha", "A-1001-1002"] } | params.1 | “order” has 11 characters; at most 8 are allowed.
{ "params": ["{{name}}", "A-1"] } | params.0 | Only a list fills in “{{name}}”, and this goes to one number. Write the value here.
{ "template": "other" } | template | Another template was chosen meanwhile. Choose it again.
{ "params": ["${'x'.repeat(3000)}", "A-1"] } | to | Text has 3043 characters; at most 3000 are possible. Shorten it.`)(
    'refuses %s at %s: %s',
    (change = '', path, message) => {
      expect(submit(JSON.parse(change))).toEqual(fail([{ path, message }]));
    },
  );

  it('is filled in for each row, text and values alike', () => {
    const { to: _to, ...value } = { ...VALUE, params: ['{{name}}', '{{order}}'] };
    const many = { ...context(), recipients: 'many' as const };
    const parsed = parseBulkMessage(kind, many, value, ['name', 'order']);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    expect(isSameForAll(parsed.value)).toBe(false);
    const personalised = createPersonaliser(parsed.value, ['name', 'order']);
    expect(personalised(['Asha', 'A-1001'])).toStrictEqual({ kind, ...MESSAGE });
    expect(personalised(['{{order}}', 'B-2'])).toMatchObject({
      text: 'Dear {{order}}, your order B-2 is on its way. - Acme',
      params: ['{{order}}', 'B-2'],
    });
  });

  const HALVES = [[['{{', '}}']], [['{name}', 'x']], [['{{na', 'me}}']]];
  it.each(HALVES)('takes no half of a column: %j', (params) => {
    const { to: _to, ...value } = { ...VALUE, params };
    for (const text of ['{{{1}}} {{2}}', '{{1}}name{{2}}']) {
      const parsed = parseBulkMessage(kind, { ...context({ text }), recipients: 'many' }, value, ['name']);
      const said = parsed.ok ? [] : parsed.error.map(({ message }) => message);
      expect(said).toContainEqual(expect.stringContaining('has a brace outside of {{column}}'));
    }
  });

  it('previews whatever is filled in', () => {
    const shown = KINDS[kind].preview({ params: ['Asha'] }, SMS_TEMPLATE);
    expect(shown).toEqual({
      text: 'Dear Asha, your order ⟨order⟩ is on its way. - Acme',
      segments: expect.stringContaining('fewer fit because of “⟨”'),
    });
  });
});

describe('a template of SMS', () => {
  const parse = (change: object) =>
    templateSchema.safeParse({ name: 'order_shipped', channel: 'sms', text: 'Hello {{1}}', ...change });
  const issues = (change: object) =>
    parse(change).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('needs no variant, and reads the placeholders of DLT platforms', () => {
    expect(parse({ text: 'Dear {#var#}, pay {#Numeric#} at {# url #}.' }).data).toEqual({
      ...{ name: 'order_shipped', channel: 'sms', variant: 'text', label: 'order_shipped' },
      ...{ languages: [], cards: 0 },
      placeholders: [{ name: 'value 1' }, { name: 'value 2' }, { name: 'value 3' }],
      text: 'Dear {{1}}, pay {{2}} at {{3}}.',
    });
  });

  it('goes through its form as it is', () => {
    const values = templateFormValues(SMS_TEMPLATE);
    const form = { kind: 'sms/text', rows: 2 } as const;
    expect(templateFromForm(values, form)).toEqual(ok(SMS_TEMPLATE));
    expect(rowsIn('{#var#} and {#var#}')).toBe(2);
    const typed = {
      type: 'PROMO',
      text: 'Dear {#var#}, your {#var#}.',
      dltTemplateId: ' 1107160000000000002 ',
    };
    expect(templateFromForm({ ...values, ...typed }, form)).toMatchObject({
      value: { type: 'PROMO', text: 'Dear {{1}}, your {{2}}.', dltTemplateId: '1107160000000000002' },
    });
  });

  const DLT = 'An id of a DLT registration has digits only, mostly 19 of them: write it in quotes.';
  it.each(table`
{ "text": "{{1}} {#var#}" } | text: Write every placeholder as {{1}}, {{2}} and so on, or every one as {#var#}.
{ "dltTemplateId": 1107160000000000001 } | dltTemplateId: ${DLT}
{ "entityId": "11O1" } | entityId: ${DLT}
{ "type": "SPAM" } | type: The type is one of TRANS, PROMO, OTP.
{ "variant": "otp" } | variant: The variants of sms are text.
{ "channel": "rcs", "variant": "variables", "type": "OTP" } | type: Only a template of SMS has “type”.
{ "channel": "rcs", "variant": "variables", "entityId": "1101550000000000001" } | entityId: Only a template of SMS has “entityId”.
{ "channel": "chatapp" } | variant: Enter the variant of the template.`)(
    'refuses %s: %s',
    (change = '', said) => {
      expect(issues(JSON.parse(change))).toEqual([said]);
    },
  );

  it('needs a text', () => {
    expect(issues({ text: undefined })).toEqual(['text: Enter the text: Herald fills it in and sends it.']);
  });

  it('differs from another in its registration, in words', () => {
    const before = { ...SMS_TEMPLATE, type: 'PROMO' } as const;
    expect(templateDifferences(before, { ...SMS_TEMPLATE, dltTemplateId: '1107160000000000009' })).toEqual([
      { what: 'Type', before: 'PROMO', after: 'none' },
      { what: 'DLT template id', before: '1107160000000000001', after: '1107160000000000009' },
    ]);
    expect(templateDifferences(TEMPLATES.text, TEMPLATES.text)).toEqual([]);
  });
});
