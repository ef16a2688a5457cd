import { expect, test } from 'vitest';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { HOLDERS, type Role } from '../../scripts/rights-matrix.ts';
import { ENTRANCES } from '../../src/slack/features.ts';
import { askByNumbers, clickOn, NUMBERS, sendToMany } from '../e2e/bulk-steps.ts';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, CUSTOMER, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { type Actor, type Carried, forge } from './forged.ts';
import { isFull, sample } from './how-many.ts';
import { inFile, saveAudience, tablesIn, toldTo } from './world.ts';

const ALL_KINDS = ['chatapp', 'rcs', 'sms', 'flash', 'interactive', 'address'];
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 2 }
pacing: { sms: { perSecond: 1, concurrency: 1, recipientsPerRequest: 1 } }
access:
  send: { ${ALL_KINDS.map((kind) => `${kind}: [S0SUPPORT]`).join(', ')} }
  templates: [S0SUPPORT]
  lists: [S0SUPPORT]
`;
const FAILING = ['+919999131009', '+919999800002'];

const ACTORS: Readonly<Partial<Record<Role, Actor>>> = {
  owner: { userId: ASHA },
  approver: { userId: RAVI },
  excluded: { userId: MEI },
  guest: { userId: 'U0GUEST' },
  stranger: { userId: 'U0LENA', teamId: 'T0PARTNER' },
};

/** The most that is asked for at each command; the others take a number and a text. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  'command:/sends': ['audit', 'all', `all ${NUMBERS[0]}`],
  'command:/templates': ['export', 'import', 'add'],
  'command:/audiences': ['delete VIP', 'look VIP', 'list'],
  'command:/optout': [`remove ${CUSTOMER}`, `add ${NUMBERS[1]}`, 'export'],
  'command:/herald': ['alerts try critical', 'alerts numbers'],
  'command:/rcs': [`store_open ${CUSTOMER}`],
  'command:/chatapp': [`closed_today ${CUSTOMER}`],
};

/** Tables of what a person may keep for themselves, of Slack’s deliveries, of what is to be shown, and of the file itself. */
const OWN =
  /^(drafts|posts|deliveries|delivery_counts|fresh_ids|input_attempts|message_ids|newest_copy|notes|sqlite_\w+)$/;

/** A quick run forges so many of the things that there are at an entrance, the first always. */
const EVERY = 3;

const stack = runningStack({ mode: 'http', config: CONFIG, others: { withOthers: true } });

/** All rows that stand for sends, people, lists and templates. */
function kept() {
  const tables = Object.entries(tablesIn(stack)).filter(([name]) => !OWN.test(name));
  // That somebody was refused is recorded.
  return Object.fromEntries(
    tables.map(([name, rows]) => [name, rows.filter(({ action }) => action !== 'approval_refused')]),
  );
}

/** A bulk send that waits, one that is paused, one that ended in vain, an audience and an opt-out; the sends’ ids. */
async function somethingOfEach(): Promise<readonly string[]> {
  const asha = stack.person(ASHA);
  const form = await asha.openForm(TEAM, '/sms');
  await form.choose('recipients', 'numbers');
  form.fill('numbers', FAILING.join('\n')).fill('text', 'In vain.');
  await form.submit();
  await stack.shows(/Send to 2/);
  await form.submit();
  await stack.untilShown(TEAM, /: done[\s\S]*In vain/);
  await form.close();

  await sendToMany(stack, 'Paused.');
  const isRunning = ({ channel, blocks }: SandboxMessage) =>
    channel === TEAM && JSON.stringify(blocks)?.includes('send_pause');
  await stack.eventually('its start', () => stack.messages().some(isRunning));
  await clickOn(stack, ASHA, TEAM, 'send_pause');
  await stack.untilShown(TEAM, /: paused[\s\S]*Paused\./);

  await saveAudience(stack, 'VIP', `phone\n${CUSTOMER}`);
  const heard = stack.from(asha);
  await asha.command(TEAM, `/optout add ${CUSTOMER}`);
  await heard.message(/is on the opt-out list now/);

  await askByNumbers(stack, APPROVALS, 'Waiting.');
  return idsIn('sends');
}

const idsIn = (table: string) => inFile(stack, `SELECT id FROM ${table}`).map(({ id }) => String(id));

/** What each entrance is given: every send with its digest, every command at its most. */
function attempts(name: string, values: readonly string[], smsForm: Carried): readonly Carried[] {
  if (name.startsWith('command:')) {
    const lines = TYPED[name] ?? [`${CUSTOMER} Hello`];
    return lines.map((text) => ({ text }));
  }
  if (name === 'view:sms') return [smsForm];
  if (name.startsWith('view:'))
    return values.map((value) => {
      const [sendId = '', digest = ''] = value.split('.');
      return {
        metadata: { sendId, digest, channelId: TEAM, id: sendId },
        state: { reason: { reason: { type: 'plain_text_input', value: 'No.' } }, ...smsForm.state },
      };
    });
  if (name.startsWith('action:sends_show')) return [{ value: '{"whose":"all"}' }];
  return [...values, ...idsIn('audiences')].map((value) => ({ value }));
}

/** The form of an SMS as Asha has filled it in. */
async function filledForm(): Promise<Carried> {
  const form = await stack.person(ASHA).openForm(TEAM, '/sms');
  form.fillAll({ to: '+6591234568', text: 'Forged.' });
  const values = ['to', 'text'].map((path) => {
    const block = form.view.blocks.find(({ block_id: id }) => String(id).split(':')[0] === path);
    const { action_id: id } = (block?.element ?? {}) as { action_id: string };
    return [block?.block_id, { [id]: form.value(path) }];
  });
  const carried = {
    blocks: form.view.blocks,
    metadata: JSON.parse(form.view.private_metadata),
    state: { ...form.view.state.values, ...Object.fromEntries(values) },
  };
  await form.close();
  return carried;
}

const numbersIn = (text: string) =>
  [...NUMBERS, ...FAILING].filter((number) => text.includes(number.slice(1)));

test('rights: every entrance, by everybody who has no right to it', async ({ task }) => {
  const ids = await somethingOfEach();
  expect(ids).toHaveLength(3);
  const buttons = JSON.stringify(stack.messages());
  const values = [...new Set(buttons.match(/S-[0-9A-Z]{10}\.[0-9a-f]{8,}/g)), ...ids];
  const smsForm = await filledForm();
  const before = { rows: kept(), requests: stack.wholeRequests().length };
  let tried = 0;
  const unanswered: string[] = [];
  for (const [role, actor] of Object.entries(ACTORS) as [Role, Actor][]) {
    for (const [name, { needs }] of Object.entries(ENTRANCES)) {
      // What takes no right changes nothing for anybody.
      if (name.startsWith('function:') || (needs !== 'nothing' && HOLDERS[needs].includes(role))) continue;
      for (const carried of sample(attempts(name, values, smsForm), EVERY)) {
        const answer = await forge(stack, name, actor, carried);
        // Of some buttons, what follows a colon says what they do.
        const last = answer.ok ? answer : await forge(stack, `${name}:1`, actor, carried);
        tried += 1;
        if (!last.ok) unanswered.push(`${name} as ${role}: ${last.message}`);
      }
    }
    if (HOLDERS.send.includes(role)) continue;
    const step = { channel: TEAM, to: CUSTOMER, text: 'Now.' };
    const run = await stack.person(actor.userId).runStep('send_flash_sms', step);
    expect(run.outputs).toMatchObject({ status: 'refused' });
    tried += 1;
  }
  expect(unanswered).toEqual([]);
  // A stop waits for what is still being worked on.
  await stack.stopHerald();
  expect(kept()).toEqual(before.rows);
  expect(stack.wholeRequests()).toHaveLength(before.requests);
  const { homes } = stack.workspace.snapshot();
  for (const userId of [MEI, 'U0GUEST', 'U0LENA']) {
    const seen = toldTo(stack, userId);
    const shownTo = JSON.stringify([seen, homes[userId]]);
    expect(numbersIn(shownTo)).toEqual([]);
    if (userId !== MEI) expect(shownTo).not.toMatch(/In vain\.|Paused\.|Waiting\./);
    expect(seen.filter(({ files = [] }) => files.length > 0)).toEqual([]);
  }

  // The same by those who have the right, so that it is not the forging that fails.
  await stack.restart();
  const waiting = values.findLast((value) => value.includes('.')) ?? '';
  expect(await forge(stack, 'view:sms', { userId: ASHA }, smsForm)).not.toHaveProperty('body.errors');
  await forge(stack, 'action:approval_approve', { userId: RAVI }, { value: waiting });
  for (const text of ['Forged.', 'Waiting.'])
    await stack.eventually(text, () => JSON.stringify(stack.wholeRequests()).includes(text));
  task.meta.figure = `${Object.keys(ENTRANCES).length} entrances, ${tried} attempts without a right${isFull ? '' : ` (one thing in ${EVERY} at each)`}: nothing sent, changed or shown`;
});
