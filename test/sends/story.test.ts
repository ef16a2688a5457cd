import { expect, it } from 'vitest';
import { withStory } from '../../src/sends/story.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/** Stores of which only the methods in `methods` are there, behind a proxy, as SQLite's are. */
function told(methods: Record<string, Record<string, unknown>>) {
  const logger = createRecordingLogger();
  const store = (name: string) =>
    new Proxy(Object.create(null), { get: (_, method) => methods[name]?.[String(method)] });
  const stores = Object.fromEntries(
    ['sends', 'alerts', 'audiences', 'templates'].map((name) => [name, store(name)]),
  );
  const metrics = { recipientsSettled: () => {} };
  const lines = () => logger.lines.map(({ message, fields }) => ({ message, ...fields }));
  return { ...withStory(stores as never as Parameters<typeof withStory>[0], { logger, metrics }), lines };
}

const ALERT = { id: 'L-1', rule: 'critical', state: 'acknowledged' } as const;

it('tells that an alert fired and who acknowledged it, once, and only of what was written', async () => {
  let wins = false;
  const { alerts, lines } = told({ alerts: { commit: async () => wins } });
  const events = [{ id: 1, decisions: [{ rule: 'critical', what: 'sent', alertId: 'L-1' } as const] }];
  await alerts.commit(1, { events }, 5);
  wins = true;
  await alerts.commit(1, { events }, 6);
  const acknowledged = { ...ALERT, ended: { at: 7, by: 'U0ASHA' } } as never;
  await alerts.commit(2, { alerts: [acknowledged] }, 7);
  await alerts.commit(3, { alerts: [acknowledged] }, 8);
  expect(lines()).toEqual([
    { message: 'alert fired', alertId: 'L-1', rule: 'critical' },
    { message: 'alert acknowledged', alertId: 'L-1', rule: 'critical', by: 'U0ASHA' },
  ]);
});

it('tells of changes that were made, and of none that somebody else was quicker with', async () => {
  const { sends, templates, audiences, lines } = told({
    sends: { moveSend: async () => false, recordOnce: async () => false },
    templates: { write: async () => [{ channel: 'rcs', name: 'x' }] },
    audiences: { optOut: async (all: unknown[]) => all.length, optIn: async () => false },
  });
  const move = { sendId: 'S-1', from: 'sending', to: 'paused', at: 1, actor: 'U0RAVI' } as const;
  await sends.moveSend(move);
  await sends.recordOnce({ sendId: 'S-1', action: 'reminded', at: 1, actor: 'herald' });
  await templates.write([{} as never], { actor: 'U0RAVI', at: 1, source: 'form' });
  await audiences.optIn('+6591234567' as never, { at: 1, actor: 'U0RAVI', number: '' });
  const optOut = { number: '+6591234567' as never, at: 1, actor: 'herald', source: 'reply' } as const;
  await audiences.optOut([optOut, optOut]);
  expect(lines()).toEqual([{ message: 'opted out', count: 2, source: 'reply' }]);
});

it('does not let what is told change what was done', async () => {
  const gone = async () => Promise.reject(new Error('gone'));
  const { sends, lines } = told({
    sends: { settle: async () => ({ written: 1, done: ['S-1'] }), find: gone },
  });
  expect(await sends.settle([])).toEqual({ written: 1, done: ['S-1'] });
  expect(lines()).toEqual([]);
});
