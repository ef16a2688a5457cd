import { describe, expect, it } from 'vitest';
import { BROKEN, LIMITED, of, TAKEN, tooLong } from '../interactive-rules.ts';
import { buttonForm, changed, listForm, messageOf, refusals, type Values } from '../interactive-samples.ts';

describe('every length of an interactive message', () => {
  it.each(LIMITED)('%o %s is taken at its limit, and refused one over it', (form, path, label, most) => {
    const refused = (length: number) => refusals('interactive', changed(form(), path, of(length)));
    expect([refused(most), refused(most + 1)]).toEqual([{}, { [path]: tooLong(label, most) }]);
  });

  it('counts an emoji as the two or more units that it may cost', () => {
    const emoji = '🚚'.repeat(30);
    expect(refusals('interactive', changed(listForm(), 'interactive.header.text', emoji))).toEqual({});
    expect(refusals('interactive', changed(listForm(), 'interactive.header.text', `${emoji}x`))).toEqual({
      'interactive.header.text':
        'Header text has 31 characters that count as 61; at most 60 are possible (an emoji counts as two or more). Shorten it by 1.',
    });
  });

  it.each([
    ['🎉', 60],
    // One emoji of seven units, and a letter with its sign.
    ['👩‍👩‍👧', 60],
    ['नी', 60],
  ])('says how many characters a person sees, with %s at the end', (last, seen) => {
    const text = of(59) + last;
    expect(refusals('interactive', changed(listForm(), 'interactive.header.text', text))).toEqual({
      'interactive.header.text': `Header text has ${seen} characters that count as ${text.length}; at most 60 are possible (an emoji counts as two or more). Shorten it by ${text.length - 60}.`,
    });
  });
});

describe('a form that breaks just one rule', () => {
  it.each(BROKEN)('%s', (_rule, form, path, sentence) => {
    expect(refusals('interactive', form)).toEqual({ [path]: sentence });
  });
});

it.each(TAKEN)('takes %s', (_what, form) => {
  expect(refusals('interactive', form)).toEqual({});
});

describe('media above the buttons', () => {
  const headerOf = (header: object) => {
    const message = messageOf('interactive', changed(buttonForm(), 'interactive.header', header));
    return message.kind === 'interactive' ? message.header : message;
  };

  const link = 'https://files.example/a.png';
  const provider = { name: 'files' };
  it.each([
    [{ type: 'none' }, undefined],
    [
      { type: 'image', image: { link, provider } },
      { type: 'image', media: { link, provider } },
    ],
    [
      { type: 'video', video: { link, provider: { name: null } } },
      { type: 'video', media: { link } },
    ],
    [
      { type: 'document', document: { id: '4711', filename: 'may.pdf' } },
      { type: 'document', media: { id: '4711' }, filename: 'may.pdf' },
    ],
  ])('%j', (entered, header) => {
    expect(headerOf(entered)).toEqual(header);
  });
});

describe('ids', () => {
  const action = (form: Values) => {
    const message = messageOf('interactive', form);
    if (message.kind !== 'interactive') throw new Error(message.kind);
    return message.action;
  };

  it('are made from the titles, and kept where they were chosen', () => {
    expect(action(buttonForm())).toEqual({
      type: 'button',
      buttons: [
        { id: 'yes', proposed: true, title: 'Yes' },
        { id: 'no-thanks', proposed: false, title: 'No' },
        { id: 'call-me', proposed: true, title: 'Call me' },
      ],
    });
  });

  it('that are made are unlike each other and every chosen one', () => {
    const form = changed(buttonForm(), 'interactive.action.buttons', [
      { reply: { title: 'Yes', id: 'no' } },
      { reply: { title: 'No!', id: null } },
      { reply: { title: 'No?', id: null } },
    ]);
    expect(action(form)).toMatchObject({ buttons: [{ id: 'no' }, { id: 'no-2' }, { id: 'no-3' }] });
  });

  it('that are made keep off those that were chosen further down, and off titles without words', () => {
    const form = changed(listForm(), 'interactive.action.sections', [
      { title: 'A', rows: [{ title: 'Morning' }, { title: '!' }] },
      { title: 'B', id: 'section-1', rows: [{ title: 'Late', id: 'morning' }] },
    ]);
    expect(action(form)).toMatchObject({
      sections: [
        { id: 'section-1-2', rows: [{ id: 'morning-2' }, { id: 'row' }] },
        { id: 'section-1', rows: [{ id: 'morning' }] },
      ],
    });
    const dots = changed(buttonForm(), 'interactive.action.buttons', [{ reply: { title: '…' } }]);
    expect(action(dots)).toMatchObject({ buttons: [{ id: 'button', proposed: true }] });
  });

  it('are made for sections, and for rows over all sections', () => {
    expect(action(listForm())).toEqual({
      type: 'list',
      button: 'Choose',
      sections: [
        {
          id: 'section-1',
          title: 'Today',
          rows: [
            { id: 'morning', proposed: true, title: 'Morning', description: '9 to 12' },
            { id: 'today-evening', proposed: false, title: 'Evening' },
          ],
        },
        { id: 'tomorrow', title: 'Tomorrow', rows: [{ id: 'morning-2', proposed: true, title: 'Morning' }] },
      ],
    });
  });
});
