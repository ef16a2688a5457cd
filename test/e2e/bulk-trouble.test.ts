import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../sandbox/person.ts';
import { askByNumbers, clickOn, findButton, NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { type E2eStack, runningStack, startStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(5);
const OTHERS = Array.from({ length: 12 }, (_, n) => `+9198123460${String(n).padStart(2, '0')}`);
const csv = (numbers: readonly string[]) => ['phone', ...numbers].join('\n');

describe('what changes under a bulk send', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  let asha: Person;
  beforeAll(() => {
    asha = stack.person(ASHA);
  });
  beforeEach(async () => {
    stack.carrier.reset();
    await closeAll();
  });

  async function closeAll(): Promise<void> {
    await stack.closeViews();
  }

  const review = () => stack.shows(/Ask for approval/);
  const everybody = (numbers: readonly string[]) =>
    stack.eventually('everybody', () => reached(stack).length >= numbers.length, 30_000);

  /** Opens the form of an SMS to the rows of a file, which is uploaded and attached. */
  async function withFile(text: string) {
    const file = await asha.upload('customers.csv', csv(NUMBERS));
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', text);
    return { form, file };
  }

  /** Saves `numbers` as the audience “VIP”, in the place of one that is there. */
  async function saveAudience(numbers: readonly string[], replace: boolean): Promise<void> {
    const file = await asha.upload('vip.csv', csv(numbers));
    const form = await asha.openForm(TEAM, '/audiences upload VIP');
    form.attach('file', [file]);
    if (replace) form.tick('replace');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.shows(/is saved\./);
    await closeAll();
  }

  async function asked(text: string): Promise<void> {
    await stack.untilShown(APPROVALS, new RegExp(text));
  }

  test('a service that says 200 to everything and means no gets the first recipients only', async () => {
    const body = JSON.stringify({ code: 401, message: 'Unauthorized' });
    stack.carrier.setFaults([{ do: { type: 'status', status: 200, body } }]);
    await sendToMany(stack, 'Said 200, meant no.');
    await stack.untilShown(TEAM, /so the send was paused/, 30_000);
    const text = JSON.stringify(stack.shown(TEAM, /so the send was paused/));
    expect(text).toContain('with code 401, not in Herald’s list. The service says: `Unauthorized`.');
    expect(stack.wholeRequests()).toHaveLength(5);
    expect(reached(stack)).toEqual([]);
  });

  test('a CSV file that was deleted or replaced once it was read changes nothing: what was reviewed is sent', async () => {
    for (const [text, change] of [
      ['Deleted later.', (id: string) => stack.workspace.deleteFile(id)],
      ['Replaced later.', (id: string) => stack.workspace.replaceFile(id, csv(OTHERS))],
    ] as const) {
      stack.carrier.reset();
      const { form, file } = await withFile(text);
      await form.submit();
      await review();
      await change(file.id);
      await form.submit();
      await asked(text);
      await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
      await everybody(NUMBERS);
      await stack.untilShown(TEAM, new RegExp(`: done[\\s\\S]*${text}`));
      expect(reached(stack).toSorted()).toEqual(NUMBERS);
      await closeAll();
    }
  });

  test('an audience that is replaced after the approval: whom the manager approved is sent to, and nobody else', async () => {
    await saveAudience(NUMBERS, false);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'audience');
    await form.chooseSuggested('audience', 'VIP');
    form.fill('text', 'For our VIPs.');
    await form.submit();
    await review();
    await form.submit();
    await asked('For our VIPs.');
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('the first of them', () => reached(stack).length >= 1);
    expect(reached(stack).length).toBeLessThan(NUMBERS.length);
    await closeAll();
    await saveAudience(OTHERS, true);
    await everybody(NUMBERS);
    await stack.untilShown(TEAM, /: done[\s\S]*For our VIPs/);
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
  });

  test('a template that is edited after the approval: nothing of it is sent, and the card says why', async () => {
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('closed today');
    await form.choose('recipients', 'numbers');
    form.fill('numbers', NUMBERS.join('\n'));
    await form.submit();
    await review();
    await form.press('More');
    form.chooseTime('schedule', Date.now() + 3_600_000);
    await form.submit();
    await asked('We are closed today.');
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.untilShown(APPROVALS, /scheduled[\s\S]*We are closed/);
    await closeAll();
    await asha.openForm(TEAM, '/templates look closed_today');
    await asha.press('template_edit');
    const edit = asha.form();
    edit.fill('text', 'We are open today.');
    expect(await edit.submit()).toEqual({ ok: true });
    await stack.shows(/agree/);
    edit.fill('text', 'We are open today.').tick('agree');
    expect(await edit.submit()).toEqual({ ok: true });
    await stack.untilShown(
      APPROVALS,
      /The template “Closed today” was changed, so its approvals are void\. Nothing was sent/,
    );
    expect(stack.wholeRequests()).toEqual([]);
  });
});

describe('an approval that comes too late', () => {
  let stack: E2eStack;
  afterAll(() => stack?.stop());

  test('starts nothing, and its approver is told', async () => {
    const config = CONFIG.replace('over: 1', 'over: 1, expireHours: 0.0005');
    stack = await startStack({ config });
    await askByNumbers(stack, APPROVALS, 'Only for a moment.');
    const approve = findButton(stack, RAVI, APPROVALS, 'approval_approve');
    // Slack still shows the button after the request has expired: the card is brought up to date at the second try.
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: 'chat.update', times: 1, do: 'error', error: 'internal_error' }],
    });
    const asked = Date.now();
    await expect.poll(() => Date.now() - asked, { timeout: 10_000 }).toBeGreaterThan(2_000);
    const ravi = stack.person(RAVI);
    const conversation = stack.from(ravi, APPROVALS);
    await approve();
    await conversation.message(/expired/i);
    await stack.untilShown(APPROVALS, /Expired[\s\S]*Only for a moment/);
    expect(reached(stack)).toEqual([]);
  });
});
