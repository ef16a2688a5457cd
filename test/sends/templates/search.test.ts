import { describe, expect, it } from 'vitest';
import type { Template } from '../../src/messages/template.ts';
import { createTemplateCatalogue } from '../../src/sends/catalogue.ts';

function template(
  name: string,
  label: string,
  text: string,
  channel: 'chatapp' | 'rcs' = 'chatapp',
): Template {
  const base = { name, label, text, languages: [], placeholders: [], cards: 0 };
  return channel === 'chatapp'
    ? { ...base, channel, variant: 'text' }
    : { ...base, channel, variant: 'plain' };
}

const catalogue = createTemplateCatalogue([
  template('order_update', 'Order update', 'Hello {{1}}, your order {{2}} is on its way.'),
  template('reorder_reminder', 'Reminder to reorder', 'Time for more?'),
  template('cafe_opening', 'Café opening', 'We are open.'),
  template('delivery_slot', 'Delivery slot', 'Your order comes at {{1}}.'),
  template('store_open', 'Store opening', 'We are open.', 'rcs'),
]);

const names = async (query: string, limit = 9) =>
  (await catalogue.search('chatapp', query, limit)).map(({ name }) => name);

describe('the catalogue', () => {
  it('finds a template by channel and name only', async () => {
    expect((await catalogue.find('chatapp', 'order_update'))?.label).toBe('Order update');
    expect(await catalogue.find('rcs', 'order_update')).toBeUndefined();
  });

  it('puts what starts with the query before what merely contains it, and the sample last', async () => {
    expect(await names('order')).toEqual(['order_update', 'reorder_reminder', 'delivery_slot']);
  });

  it('ignores case, accents and underscores', async () => {
    expect(await names('CAFE')).toEqual(['cafe_opening']);
    expect(await names('order_up')).toEqual(['order_update']);
  });

  it('wants every word, in any order', async () => {
    expect(await names('reorder reminder')).toEqual(['reorder_reminder']);
    expect(await names('reminder reorder')).toEqual(['reorder_reminder']);
    expect(await names('reorder tomorrow')).toEqual([]);
  });

  it('shows the first of its channel when nothing is typed', async () => {
    expect(await names('', 2)).toEqual(['cafe_opening', 'delivery_slot']);
    expect((await catalogue.search('rcs', '', 9)).map(({ name }) => name)).toEqual(['store_open']);
  });

  it('searches five thousand templates and gives no more than asked', async () => {
    const many = createTemplateCatalogue(
      Array.from({ length: 5_000 }, (_, n) => template(`t_${n}`, `Template ${n}`, `Text number ${n}`)),
    );
    expect((await many.search('chatapp', '4999', 100)).map(({ name }) => name)).toEqual(['t_4999']);
    expect(await many.search('chatapp', 'template', 100)).toHaveLength(100);
  });
});
