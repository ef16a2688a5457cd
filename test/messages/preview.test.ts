import { describe, expect, it } from 'vitest';
import { KINDS, kindOf } from '../../src/messages/kinds.ts';
import { personalTexts } from '../../src/messages/personalise.ts';
import { renderTemplate } from '../../src/messages/templates/preview.ts';
import { changed, listForm, messageOf } from './interactive-samples.ts';
import { LINKED, leadsIn } from './linked.ts';
import { RCS_TEMPLATES, TEMPLATES } from './samples.ts';

describe('renderTemplate', () => {
  it.each([
    [['Asha', 'A-1', 'Bye'], 'Hello Asha, your order A-1 is on its way. Bye'],
    [['Asha', 'A-1', ''], 'Hello Asha, your order A-1 is on its way. '],
    [[], 'Hello ⟨customer⟩, your order ⟨order⟩ is on its way. ⟨note⟩'],
    [['', ' ', null], 'Hello ⟨customer⟩, your order ⟨order⟩ is on its way. ⟨note⟩'],
    [[7, {}, undefined], 'Hello ⟨customer⟩, your order ⟨order⟩ is on its way. ⟨note⟩'],
    // A value is not read again: it can neither pull in another one nor play with `$`.
    [['{{2}}', '$& $1', '{{1}}'], 'Hello {{2}}, your order $& $1 is on its way. {{1}}'],
  ])('fills in %j', (params, text) => {
    expect(renderTemplate(TEMPLATES.text, params)).toBe(text);
  });

  it('shows the values of a template without sample text by name', () => {
    const { text: _text, ...template } = TEMPLATES.text;
    expect(renderTemplate(template, ['Asha', 'A-1'])).toBe(
      'Order update\ncustomer: Asha\norder: A-1\nnote: ⟨note⟩',
    );
  });

  it('takes spaces inside the braces and a number used twice', () => {
    const template = { ...TEMPLATES.document, text: '{{ 1 }}/{{1}}' };
    expect(renderTemplate(template, ['May'])).toBe('May/May');
  });
});

describe('previewText', () => {
  it.each([
    [TEMPLATES.otp, { otp: '493021' }, '•••••• is your code.'],
    [TEMPLATES.otp, {}, '⟨value 1⟩ is your code.'],
    [TEMPLATES.text, { params: ['Asha'] }, 'Hello Asha, your order ⟨order⟩ is on its way. ⟨note⟩'],
    [
      TEMPLATES.document,
      { params: ['May'], header: { filename: ' May.pdf ' } },
      '[Document: May.pdf]\nYour invoice for May.',
    ],
    [TEMPLATES.document, { header: null }, '[Document: ⟨file name⟩]\nYour invoice for ⟨month⟩.'],
    [
      TEMPLATES.image,
      { header: { link: 'https://acme.test/a.png' } },
      '[Image: https://acme.test/a.png]\nHappy Diwali!',
    ],
    [RCS_TEMPLATES.plain, undefined, 'Open.'],
    [RCS_TEMPLATES.variables, { params: ['Monday', '10:00'] }, 'See you Monday at 10:00.'],
    [
      RCS_TEMPLATES['carousel-images'],
      { content: [{ fileUrl: 'https://acme.test/1' }, null] },
      '[Card 1: https://acme.test/1]\n[Card 2: ⟨link⟩]\n[Card 3: ⟨link⟩]\nWeekly offers',
    ],
  ])('shows template %o with %o', (template, value, text) => {
    expect(KINDS[template.channel].preview(value, template)).toEqual({ text });
  });

  it('shows an SMS with its parts, and nothing before there is a text', () => {
    for (const kind of ['sms', 'flash'] as const) {
      expect(KINDS[kind].preview({ text: 'Hi\r\n€' }, undefined)).toEqual({
        text: 'Hi\n€',
        segments: '1 SMS · 5 of 160 characters',
      });
      expect(KINDS[kind].preview({ text: ' ' }, undefined)).toEqual({ text: '' });
    }
  });

  it('never throws, whatever it is given', () => {
    const junk = [
      ...[null, undefined, 7, 'x', [], { params: 7 }, { header: 'x' }],
      ...[{ content: [7] }, { otp: {} }, { text: 7 }],
    ];
    const templates = [undefined, ...Object.values(TEMPLATES), ...Object.values(RCS_TEMPLATES)];
    for (const kind of ['chatapp', 'rcs', 'sms', 'flash'] as const) {
      for (const template of templates) {
        for (const value of junk) {
          const { text } = KINDS[kind].preview(value, template);
          const shown = template?.channel === kind;
          expect(text.length > 0, `${kind} ${template?.name}`).toBe(shown);
        }
      }
    }
  });
});

it('says how many parts a long SMS has', () => {
  const text = 'x'.repeat(161);
  const message = { kind: 'sms', sender: 'ACMEIN', text, type: 'TRANS', unicode: false } as const;
  expect(KINDS.sms.facts(message)).toContainEqual({ label: 'SMS parts', value: '2 (153 letters a part)' });
});

describe('attachments', () => {
  it.each(Object.values(LINKED).flat())('are every lead that is not in the text: %o', (message) => {
    const kind = kindOf(message);
    const attached = kind.attachments(message).map(({ value }) => value);
    const isOwnText = kind.templateName(message) === undefined;
    const text = isOwnText ? (kind.text(message, undefined) ?? '') : '';
    const shown = [...attached, ...personalTexts(message), text].join('\n');
    for (const lead of leadsIn(message)) expect(shown).toContain(lead);
  });
});

it.each([
  [1, 1, '1 row in 1 section'],
  [5, 2, '10 rows in 2 sections'],
])('a list of %i rows in each of %i sections is counted as people count', (rows, sections, counted) => {
  const listed = Array.from({ length: sections }, (_none, section) => ({
    title: `Section ${section}`,
    rows: Array.from({ length: rows }, (_row, row) => ({ title: `Row ${row}` })),
  }));
  const message = messageOf('interactive', changed(listForm(), 'interactive.action.sections', listed));
  expect(kindOf(message).facts(message)).toContainEqual({ label: 'List', value: counted });
});
