import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { given } from '../../src/core/given.ts';
import type { FormContext } from '../../src/messages/form/form.ts';
import { KINDS, type MessageKind } from '../../src/messages/kinds.ts';
import type { Senders } from '../../src/messages/senders.ts';
import { type TemplateFormContext, templateForm } from '../../src/messages/templates/form.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import { leavesOf } from '../../src/slack/kit/forms/form-blocks.ts';
import { addressFormSg, buttonForm, changed, listForm } from './interactive-samples.ts';
import { CONTEXT, RCS_TEMPLATES, SMS_TEMPLATE, TEMPLATES } from './samples.ts';

/*
 * forms.txt says every word that the forms show, and how each is typed: a sentence that is changed is changed there, too.
 */

const RULES: Template = {
  ...TEMPLATES.text,
  placeholders: [
    { name: 'slot', oneOf: ['morning', 'evening'], example: 'morning' },
    { name: 'price', type: 'number', maxLength: 8 },
    { name: 'gift', oneOf: ['tea', 'cake'], optional: true },
  ],
};
const ONE_SENDER: Senders = {
  chatapp: [],
  rcs: CONTEXT.senders.rcs.slice(0, 1),
  sms: [{ id: 'ACMEIN', label: 'ACMEIN', type: 'TRANS' }],
};
const header = (type: string) => changed(buttonForm(), 'interactive.header.type', type);
const WHOLE_ADDRESS = {
  country: 'IN',
  header: { type: 'text' },
  validationErrors: {},
  savedAddresses: [{ value: {} }],
};
const TERMS = {
  addressFields: { door: { label: 'Door', input: 'text', countries: ['IN'] } },
  takes: () => false,
} as const satisfies FormContext['terms'];

const FORMS: readonly (readonly [name: string, kind: MessageKind, context: Partial<FormContext>])[] = [
  ['a chat-app message without a template', 'chatapp', {}],
  ['a one-time password', 'chatapp', { template: TEMPLATES.otp }],
  ['… in any language', 'chatapp', { template: { ...TEMPLATES.otp, languages: [] } }],
  ['… in one language', 'chatapp', { template: { ...TEMPLATES.otp, languages: ['hi'] } }],
  ['a text', 'chatapp', { template: TEMPLATES.text, defaultCampaignName: 'Spring' }],
  ['… with rules', 'chatapp', { template: RULES }],
  ['… with rules, for many', 'chatapp', { template: RULES, recipients: 'many' }],
  ['… for many, of whom nothing is known yet', 'chatapp', { template: RULES, recipients: 'many-unfilled' }],
  ['a document', 'chatapp', { template: TEMPLATES.document }],
  ['an image', 'chatapp', { template: TEMPLATES.image }],
  ['a video', 'chatapp', { template: TEMPLATES.video }],
  ['an RCS message without a template', 'rcs', {}],
  ['RCS with values', 'rcs', { template: RCS_TEMPLATES.variables }],
  ['RCS from the only bot', 'rcs', { template: RCS_TEMPLATES.rich, senders: ONE_SENDER }],
  ['a carousel of images', 'rcs', { template: RCS_TEMPLATES['carousel-images'] }],
  ['an SMS', 'sms', {}],
  ['an SMS for many, from the only sender', 'sms', { recipients: 'many', senders: ONE_SENDER }],
  ['an SMS where a text is asked about', 'sms', { freeText: 'asks' }],
  ['an SMS where a text is refused', 'sms', { freeText: 'refused' }],
  ['an SMS of a template', 'sms', { template: SMS_TEMPLATE }],
  ['… that is a one-time password', 'sms', { template: { ...SMS_TEMPLATE, type: 'OTP' } }],
  ['a flash SMS', 'flash', { defaultCountry: 'SG' }],
  ['an interactive message with nothing in it', 'interactive', {}],
  ['buttons with ids', 'interactive', { entered: buttonForm() }],
  ['a list with ids', 'interactive', { entered: listForm() }],
  ['a list without ids', 'interactive', { entered: { interactive: { type: 'list' } } }],
  ['an image above buttons', 'interactive', { entered: header('image') }],
  ['a video above buttons', 'interactive', { entered: header('video') }],
  ['a document above buttons', 'interactive', { entered: header('document') }],
  ['an interactive message without a campaign', 'interactive', { terms: TERMS }],
  ['an address', 'address', {}],
  ['an address with everything', 'address', { entered: WHOLE_ADDRESS }],
  ['an address in Singapore', 'address', { entered: addressFormSg(), recipients: 'many' }],
  [
    'an address by other terms',
    'address',
    { entered: { values: {}, header: { type: 'text' } }, terms: TERMS },
  ],
];

const TEMPLATE_FORMS: readonly (readonly [name: string, context: TemplateFormContext])[] = [
  ['a new chat-app template', { kind: 'chatapp/text', rows: 2 }],
  ['a new RCS template', { kind: 'rcs/plain', rows: 0 }],
  ['a new SMS template', { kind: 'sms/text', rows: 1 }],
  [
    'a carousel that is known',
    { kind: 'rcs/carousel-images', rows: 0, existing: { channel: 'rcs', name: 'weekly_offers' } },
  ],
  ['a document that is known', { kind: 'chatapp/document', rows: 0, existing: TEMPLATES.document }],
];

/** In characters: fields that are only named stand beside each other up to here. */
const MOST_NAMES = 130;

/** The forms, one after the other. A field, or a list of options, that was said already is only named; flags stand behind the label. */
function allForms(): string {
  const said = new Set<string>();
  const once = (name: string, details: readonly string[]): readonly string[] => {
    const whole = [name, ...details].join('\n');
    if (said.has(whole)) return [];
    said.add(whole);
    return details;
  };
  const pageOf = (name: string, form: z.core.$ZodType) => {
    const lines = [name];
    let named = '';
    for (const { path, kind, required, options, meta } of leavesOf(form)) {
      const { label, optionLabels: labels = {}, hint, placeholder, initial, ...flags } = meta;
      const field = `${path}${required ? '!' : ''}`;
      const more = Object.entries(flags).map(([key, value]) => (value === true ? key : `${key} ${value}`));
      const sentences = Object.entries(given({ hint, placeholder, initial }));
      const choices = options.map((value) => `    - ${value}: ${labels[value]}`);
      const details = once(`${field} ${choices.join()}`, [
        [`  ${field} (${kind}): ${label}`, ...more].join(' · '),
        ...sentences.map(([key, value]) => `    ${key}: ${value}`),
      ]);
      const isNamed = details.length === 0;
      const isBeside = isNamed && named !== '' && named.length + field.length < MOST_NAMES;
      if (isBeside) lines.pop();
      named = isNamed ? `${isBeside ? named : ' '} ${field}` : '';
      lines.push(...(isNamed ? [named] : [...details, ...once(path, choices)]));
    }
    return [...lines, ''].join('\n');
  };
  return [
    ...FORMS.map(([name, kind, more]) => pageOf(name, KINDS[kind].form({ ...CONTEXT, ...more }))),
    ...TEMPLATE_FORMS.map(([name, context]) => pageOf(name, templateForm(context))),
  ].join('\n');
}

it('asks for every field in the words of forms.txt', () => {
  expect(allForms()).toBe(readFileSync(join(import.meta.dirname, 'forms.txt'), 'utf8'));
});
