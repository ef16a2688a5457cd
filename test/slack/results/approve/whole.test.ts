import { beforeEach, describe, expect, test } from 'vitest';
import { validateMessage, validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { RcsMessage } from '../../../../src/messages/kinds/rcs.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import { templateSchema } from '../../../../src/messages/templates/template.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import { approvalCard } from '../../../../src/slack/results/approve/card.ts';
import { detailsView } from '../../../../src/slack/results/approve/details-view.ts';
import { LINKED, leadsIn } from '../../../messages/linked.ts';
import { openStore, type Prepared, prepare } from '../../bulk-sends.ts';
import { factsIn } from '../sources.ts';

/* What an approver reads must be what is sent: all of it, and as it is. */

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

const TODAY = templateSchema.parse({
  name: 'weekly_offers',
  channel: 'rcs',
  variant: 'carousel-images',
  label: 'Edited since',
  text: 'Words of today',
  cards: 10,
});

async function facts(prepared: Prepared) {
  await prepare(store, prepared);
  const catalogue = { find: async () => TODAY, search: async () => [], mark: async () => undefined };
  return factsIn(store, { catalogue });
}

/** What stands in rich text or plain text, where no character means anything: as it is read, piece by piece. */
function asRead(value: unknown): string {
  if (Array.isArray(value)) return value.map(asRead).join('');
  if (typeof value !== 'object' || value === null) return '';
  const part = value as { type?: string; text?: unknown; elements?: unknown };
  if ((part.type === 'text' || part.type === 'plain_text') && typeof part.text === 'string') return part.text;
  if (part.type === 'rich_text_section' || part.type === 'rich_text_quote')
    return `${asRead(part.elements)}\n`;
  return `${asRead(part.text)}${asRead(part.elements)}`;
}

describe.each(Object.entries(LINKED))(
  'every link of %s is on the card, whole and as it is sent',
  (_kind, messages) => {
    test.each(messages.map((message, index) => [index, message] as const))(
      'message %i',
      async (_index, message) => {
        const card = approvalCard(await facts({ message }));
        expect(validateMessage(card)).toEqual([]);
        const leads = leadsIn(message);
        expect(leads.length).toBeGreaterThan(0);
        for (const lead of leads) expect(asRead(card.blocks)).toContain(lead);
        expect(JSON.stringify(card.blocks)).not.toContain('Not all of it fits');
      },
    );
  },
);

const LONG: RcsMessage = {
  ...{ kind: 'rcs', variant: 'carousel-images', templateName: 'weekly_offers' },
  ...{ botId: 'acme-bot', type: 'PREPROMO' },
  fileUrls: Array.from({ length: 10 }, (_none, n) => `https://acme.test/${'x'.repeat(2_950)}/card-${n}`),
};

test('what does not fit is counted, never cut, and one click away', async () => {
  const known = await facts({ message: LONG });
  const card = approvalCard(known);
  expect(validateMessage(card)).toEqual([]);
  const words = asRead(card.blocks);
  const shown = LONG.fileUrls?.filter((url) => words.includes(url)) ?? [];
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(10);
  // No piece of what is left out either.
  expect(words.split('https://acme.test/').length - 1).toBe(shown.length);
  expect(JSON.stringify(card.blocks)).toContain(`${10 - shown.length} parts`);
  expect(JSON.stringify(card.blocks)).toContain('Read all of it under *Details* before you decide.');
  const view = detailsView(known);
  expect(validateView(view)).toEqual([]);
  for (const url of LONG.fileUrls ?? []) expect(asRead(view.blocks)).toContain(url);
});

test('once it is over it has no button, not even that one', async () => {
  const known = await facts({ message: LONG });
  const card = approvalCard({ ...known, send: { ...known.send, state: 'expired' } });
  expect(validateMessage(card)).toEqual([]);
  expect(JSON.stringify(card.blocks)).not.toContain('"button"');
});

test('/sends shows less beside the record, and has the way to all of it whatever became of it', async () => {
  const known = await facts({ message: LONG });
  for (const state of ['awaiting_approval', 'expired', 'done'] as const) {
    const card = approvalCard({ ...known, send: { ...known.send, state } }, 'record');
    expect(validateMessage(card)).toEqual([]);
    expect(asRead(card.blocks).length).toBeLessThan(5_000);
    expect(JSON.stringify(card.blocks)).toContain('approval_details');
  }
});

describe('the words', () => {
  const message: Message = { ...LONG, fileUrls: ['https://acme.test/1', 'https://acme.test/2'] };
  const KEPT = { ...TODAY, label: 'Offers', text: 'Words that were approved' };

  test('are those that were asked for, whatever became of the template', async () => {
    const card = approvalCard(await facts({ message, template: KEPT }));
    expect(asRead(card.blocks)).toContain('Words that were approved');
    expect(JSON.stringify(card)).not.toContain('Words of today');
    expect(card.text).toContain('“Offers”');
    expect(JSON.stringify(card)).not.toContain('did not keep');
  });

  test('of a send that is older than their keeping are those of today, and say so', async () => {
    const card = approvalCard(await facts({ message }));
    expect(asRead(card.blocks)).toContain('Words of today');
    expect(JSON.stringify(card)).toContain('did not keep the text');
  });
});

describe('of texts that differ', () => {
  const message: Message = { kind: 'sms', sender: 'A', text: '{{text}}', type: 'PROMO', unicode: false };
  const people = Array.from({ length: 9 }, (_none, index) => ({
    number: `+9198123456${70 + index}`,
    values: [`Text ${index}: pay at https://pay.test/${'p'.repeat(index * 30)}${index}`],
  }));
  const survey = {
    recipients: 9,
    texts: { count: 9, more: false },
    rows: [{ row: 2, why: 'shortest' as const }, { row: 6 }, { row: 10, why: 'longest' as const }],
  };

  const differing = { ...survey, rows: survey.rows.map((one) => ({ ...one, alike: 1 })) };

  test('the card says how many there are, and shows those that say something else, whole', async () => {
    const card = approvalCard(await facts({ message, columns: ['text'], people, survey: differing }));
    expect(validateMessage(card)).toEqual([]);
    const words = asRead(card.blocks);
    expect(JSON.stringify(card.blocks)).toContain(
      'row 2, +91 ••••• •5670, the shortest of 9 texts, the only row that says this · others under Details',
    );
    expect(words).toContain(`${people[0]?.values[0]}\n`);
    const told = JSON.stringify(card.blocks);
    for (const part of ['Row 6', '+91 ••••• •5674', 'Row 10', 'the longest, the only row that says this'])
      expect(told).toContain(part);
    for (const index of [4, 8]) expect(told).toContain(JSON.stringify(people[index]?.values[0]));
    expect(told).not.toContain('Row 3');
  });

  test('rows that say about the same stand behind Details, more than were counted are said so', async () => {
    const texts = { count: 100_000, more: true };
    const known = await facts({ message, columns: ['text'], people, survey: { ...survey, texts } });
    const words = JSON.stringify(approvalCard(known).blocks);
    expect(words).toContain('the shortest of more than 100,000 texts');
    expect(words).not.toContain('Row 10');
    expect(asRead(detailsView(known).blocks)).toContain(
      'Row 10 · Number: +91 ••••• •5678 · Remark: the longest · text: Text 8',
    );
  });

  test('rows that do not fit are counted and one click away', async () => {
    const long = people.map((one, index) => ({ ...one, values: [`${index} ${'long '.repeat(590)}`] }));
    const rows = long.map((_one, index) => ({ row: index + 2, alike: 1 }));
    const known = await facts({ message, columns: ['text'], people: long, survey: { ...survey, rows } });
    const card = approvalCard(known);
    expect(validateMessage(card)).toEqual([]);
    expect(JSON.stringify(card.blocks)).toContain('Read all of it under *Details*');
    const view = detailsView(known);
    expect(validateView(view)).toEqual([]);
    for (const { values } of long) expect(asRead(view.blocks)).toContain(values[0]);
  });
});
