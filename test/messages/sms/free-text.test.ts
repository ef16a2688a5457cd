import { describe, expect, it } from 'vitest';
import { templateSaying } from '../../../src/messages/sms/free-text.ts';
import { growthOf } from '../../growth.ts';
import { SMS_TEMPLATE } from '../samples.ts';

const template = (name: string, text: string) => ({ ...SMS_TEMPLATE, name, text });
const TEMPLATES = [
  SMS_TEMPLATE,
  template('dear', 'Dear {{1}}'),
  template('anything', '{{1}}'),
  template('twice', '{{2}} owes {{1}} to {{ 2 }}.'),
  template('fixed', 'We are closed today.\nBack tomorrow.'),
];

describe('the template that says a text', () => {
  it.each([
    ['Dear Asha, your order A-1 is on its way. - Acme', 'order_shipped', ['Asha', 'A-1']],
    [' Dear  Asha Rao,\nyour order A-1 is on its way. - Acme ', 'order_shipped', ['Asha Rao', 'A-1']],
    ['Dear Bo', 'dear', ['Bo']],
    ['We are closed today. Back tomorrow.', 'fixed', []],
    ['Ravi owes 40 to Ravi.', 'twice', ['40', 'Ravi']],
  ])('of “%s” is %s', (text, name, params) => {
    expect(templateSaying(text, TEMPLATES)).toMatchObject({ template: { name }, params });
  });

  it.each([
    'Dear Asha, your order A-1 is late. - Acme',
    'Dear , your order A-1 is on its way. - Acme',
    'dear Asha, your order A-1 is on its way. - acme',
    // Most of it is nobody's template.
    'Dear all, whoever is near the shop may come in and look around.',
    'Ravi owes 40 to Bo.',
    'Dear',
    '',
  ])('is none of “%s”', (text) => {
    expect(templateSaying(text, TEMPLATES)).toBeUndefined();
  });

  it('is found in time that grows with the text and no faster', async () => {
    const places = Array.from({ length: 20 }, (_none, n) => `{{${n + 1}}} a`).join('');
    const words = (length: number) => 'a '.repeat(length);
    const read = (length: number) => ({
      text: words(length),
      all: [template('many', words(length) + places)],
    });
    expect(await growthOf(20_000, read, ({ text, all }) => templateSaying(text, all))).toBe('in proportion');
  });
});
