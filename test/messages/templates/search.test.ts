import { describe, expect, it } from 'vitest';
import { createTemplateSearch } from '../../../src/messages/templates/search.ts';
import type { Template } from '../../../src/messages/templates/template.ts';

function template(name: string, label: string, text: string): Template {
  const base = { name, label, text, languages: [], placeholders: [], cards: 0 };
  return { ...base, channel: 'chatapp', variant: 'text' };
}

const TEMPLATES = [
  template('order_update', 'Order update', 'Hello {{1}}, your order {{2}} is on its way.'),
  template('reorder_reminder', 'Reminder to reorder', 'Time for more?'),
  template('cafe_opening', 'Café opening', 'We are open.'),
  template('delivery_slot', 'Delivery slot', 'Your order comes at {{1}}.'),
];

const names = (query: string, templates: readonly Template[] = TEMPLATES) =>
  createTemplateSearch(templates)(query).map(({ name }) => name);

describe('searching templates', () => {
  it('puts what starts with the query before what merely contains it, and the sample last', () => {
    expect(names('order')).toEqual(['order_update', 'reorder_reminder', 'delivery_slot']);
  });

  it.each([
    ['order', ['order_now', 'my_order', 'reorder', 'slot', 'ordre']],
    [' Order  ', ['order_now', 'my_order', 'reorder', 'slot', 'ordre']],
    ['order now', ['order_now']],
    ['ord  y', ['my_order', 'reorder', 'slot']],
    ['your', ['slot']],
    ['nobody', []],
  ])('puts what matches “%s” in order', (query, found) => {
    const templates = [
      ...[template('ordre', 'Français', ''), template('slot', 'A slot', 'Your ORDER, only')],
      ...[
        template('reorder', 'Say again', ''),
        template('my_order', 'B', ''),
        template('order_now', 'Z', ''),
      ],
      { ...template('silent', 'None', ''), channel: 'chatapp', variant: 'text', text: undefined } as const,
    ];
    expect(names(query, templates)).toEqual(found);
  });

  it('knows a label by its beginning as well as a name', () => {
    const templates = [template('zz', 'Abc order', ''), template('yy', 'Order abc', '')];
    expect(names('order', templates)).toEqual(['yy', 'zz']);
    expect(names('cafe op')).toEqual(['cafe_opening']);
  });

  it.each([
    ['oredr', true],
    ['oredrx', false],
    ['orders', true],
    ['ordxy', false],
    ['orx', false],
    ['oerdr', false],
    ['remxnder', true],
    ['remxndyr', true],
    ['rexxndyr', false],
    ['remiender', true],
    ['remi', true],
    ['opxnyng', false],
    ['opneing', true],
    ['opneinh', false],
    ['penoing', false],
  ])('finds by a slip only what is near: %s', (query, isFound) => {
    const templates = [template('order', 'Reminder', ''), template('x', 'Opening', '')];
    expect(names(query, templates).length).toBe(isFound ? 1 : 0);
  });

  it('ignores case, accents and underscores', () => {
    expect(names('CAFE')).toEqual(['cafe_opening']);
    expect(names('order_up')).toEqual(['order_update']);
  });

  it('wants every word, in any order, of which the beginnings will do', () => {
    expect(names('reorder reminder')).toEqual(['reorder_reminder']);
    expect(names('remind reord')).toEqual(['reorder_reminder']);
    expect(names('slot deli')).toEqual(['delivery_slot']);
    expect(names('reorder tomorrow')).toEqual([]);
  });

  it.each([
    ['delivrey', 'delivery_slot'],
    ['remainder', 'reorder_reminder'],
    ['oppen', 'cafe_opening'],
    ['updaet', 'order_update'],
    ['ordr upd', 'order_update'],
  ])('forgives a slip: %s finds %s', (typed, found) => {
    expect(names(typed)).toContain(found);
  });

  it('puts what is only nearly so last, and guesses nothing of three letters', () => {
    expect(names('reorders')).toEqual(['reorder_reminder']);
    expect(names('ser')).toEqual([]);
    expect(names('xrder')).toEqual([]);
  });

  it('shows all of them, by label, when nothing is typed', () => {
    expect(names('')).toEqual(['cafe_opening', 'delivery_slot', 'order_update', 'reorder_reminder']);
  });

  it('finds one among five thousand', () => {
    const many = createTemplateSearch(
      Array.from({ length: 5_000 }, (_, n) => template(`t_${n}`, `Template ${n}`, `Text number ${n}`)),
    );
    expect(many('4999').map(({ name }) => name)[0]).toBe('t_4999');
    expect(many('template')).toHaveLength(5_000);
  });
});
