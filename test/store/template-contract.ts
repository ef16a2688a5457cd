import { beforeEach, describe, expect, it } from 'vitest';
import type { Template } from '../../src/messages/templates/template.ts';
import type { TemplateStore, TemplateWrite } from '../../src/sends/templates/store.ts';

const ORDER: Template = {
  name: 'order_update',
  channel: 'chatapp',
  variant: 'text',
  label: 'Order “update” 🛵',
  languages: ['en', 'hi'],
  placeholders: [
    { name: 'customer', example: 'Asha' },
    { name: 'size', oneOf: ['S', 'M'], optional: true },
  ],
  text: 'Hello {{1}},\nyour {{2}} is on its way.',
  cards: 0,
};
const OPENING: Template = {
  name: 'order_update',
  channel: 'rcs',
  variant: 'plain',
  label: 'Store opening',
  languages: [],
  placeholders: [],
  cards: 0,
};
const KEY = { channel: 'chatapp', name: 'order_update' } as const;
const by = (actor: string, at: number) => ({ actor, at, source: 'form' }) as const;
const writing = (template: Template, action: TemplateWrite['action'], expected: number): TemplateWrite => {
  return { template, archived: action === 'archived', action, expected };
};
const adding = (template: Template) => writing(template, 'added', 0);
const editing = (label: string) => writing({ ...ORDER, label }, 'edited', 1);
const edit = editing('New');

/** Says what every store must do with templates. @param open a fresh, empty store */
export function describeTemplateStore(name: string, open: () => Promise<TemplateStore>): void {
  describe(`${name} keeps templates`, () => {
    let store: TemplateStore;
    beforeEach(async () => {
      store = await open();
    });

    it('as they were given, by channel and name', async () => {
      expect(await store.all()).toEqual([]);
      expect(await store.write([adding(OPENING), adding(ORDER)], by('U0ASHA', 5))).toEqual([]);
      const stored = { archived: false, revision: 1, changedBy: 'U0ASHA', changedAt: 5 };
      expect(await store.all()).toEqual([
        { template: ORDER, ...stored },
        { template: OPENING, ...stored },
      ]);
      expect(await store.find(KEY)).toEqual({ template: ORDER, ...stored });
      expect(await store.find({ channel: 'rcs', name: 'none' })).toBeUndefined();
    });

    it('with what was said last of each, whatever is written of it', async () => {
      await store.write([adding(ORDER), adding(OPENING)], by('U0ASHA', 5));
      const paused = { status: 'paused', words: 'LOW_QUALITY', at: 100 } as const;
      expect(await store.mark(KEY, paused)).toEqual([KEY]);
      // A delivery that is repeated may be processed again; what is older changes nothing.
      expect(await store.mark(KEY, paused)).toEqual([KEY]);
      expect(await store.mark(KEY, { ...paused, status: 'approved', at: 99 })).toEqual([]);
      expect(await store.mark({ name: 'none' }, paused)).toEqual([]);
      expect(await store.write([edit], by('U0RAVI', 6))).toEqual([]);
      expect(await store.find(KEY)).toMatchObject({ revision: 2, mark: paused });
      expect((await store.all()).map(({ mark }) => mark)).toEqual([paused, undefined]);
      // The service may name no channel.
      expect(await store.mark({ name: ORDER.name }, { ...paused, at: 101 })).toHaveLength(2);
    });

    it('takes a write only from the revision that is stored, and all of several or none', async () => {
      await store.write([adding(ORDER)], by('U0ASHA', 5));
      expect(await store.write([adding(OPENING), { ...edit, expected: 2 }], by('U0RAVI', 6))).toEqual([KEY]);
      expect(await store.write([adding(OPENING), adding(ORDER)], by('U0RAVI', 6))).toEqual([KEY]);
      expect(await store.all()).toHaveLength(1);
      expect(await store.history(KEY, 9)).toHaveLength(1);
      expect(await store.write([adding(OPENING), edit], by('U0RAVI', 6))).toEqual([]);
      const stored = { template: edit.template, archived: false, revision: 2 };
      expect(await store.find(KEY)).toEqual({ ...stored, changedBy: 'U0RAVI', changedAt: 6 });
    });

    it('lets one of two writes from the same revision win', async () => {
      await store.write([adding(ORDER)], by('U0ASHA', 5));
      const results = await Promise.all([
        store.write([editing('A')], by('U0ASHA', 6)),
        store.write([editing('B')], by('U0RAVI', 6)),
      ]);
      expect(results.map(({ length }) => length).sort()).toEqual([0, 1]);
      expect((await store.find(KEY))?.revision).toBe(2);
    });

    it('remembers every change, newest first, page by page', async () => {
      await store.write([adding(ORDER)], { actor: 'herald.yml', at: 1, source: 'herald.yml' });
      await store.write([writing(ORDER, 'archived', 1)], by('U0ASHA', 2));
      const back = { ...ORDER, label: 'Back' };
      await store.write([writing(back, 'restored', 2)], { ...by('U0RAVI', 3), source: 'import' });
      const changes = [
        { revision: 3, action: 'restored', source: 'import', actor: 'U0RAVI', at: 3, template: back },
        { revision: 2, action: 'archived', source: 'form', actor: 'U0ASHA', at: 2, template: ORDER },
        { revision: 1, action: 'added', source: 'herald.yml', actor: 'herald.yml', at: 1, template: ORDER },
      ];
      expect(await store.history(KEY, 9)).toEqual(changes);
      expect(await store.history(KEY, 1)).toEqual(changes.slice(0, 1));
      expect(await store.history(KEY, 9, 3)).toEqual(changes.slice(1));
      expect(await store.history({ channel: 'rcs', name: 'order_update' }, 9)).toEqual([]);
    });

    it('shows by its version that something was written, and only then', async () => {
      const before = await store.version();
      await store.write([adding(ORDER)], by('U0ASHA', 5));
      const after = await store.version();
      expect(after).not.toBe(before);
      await store.write([adding(ORDER)], by('U0ASHA', 6));
      expect(await store.version()).toBe(after);
    });
  });
}
