import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FROM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { onHerald } from './on-page.ts';
import { takePicture } from './take-picture.ts';

/*
 * A bulk send as its people meet it: one uploads a list and asks, another reads the card and approves, everybody watches,
 * pauses, goes on, and reads the report.
 */
const PEOPLE = 24;
/** Slow enough to be paused by hand, and still over in seconds. */
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [U0RAVI], over: 1 }
pacing: { chatapp: { perSecond: 2, concurrency: 2 } }
`;
const numberOf = (n: number) => `+9198123${40_000 + n}`;
const LIST = [
  'phone,customer,order',
  ...Array.from({ length: PEOPLE }, (_, n) => `${numberOf(n)},Person ${n},A-${n}`),
  `${numberOf(0)},Twice,A-0`,
  '12345,Nobody,A-1',
].join('\n');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'herald-list-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const on = onHerald({ config: CONFIG, viewport: { width: 1440, height: 1000 } });
const { log, goTo, actAs, dialog: form } = on;

const reached = () =>
  Object.values(on.stack.carrier.state().phones)
    .flat()
    .map(({ number }) => number);

const card = (channel: string, words: RegExp) =>
  log(channel).getByRole('article').filter({ hasText: words }).last();

async function choose(combobox: Locator, option: RegExp): Promise<void> {
  await combobox.click();
  await on.page.getByRole('option', { name: option }).click();
}

it('goes from a CSV file to the report, over a manager', async () => {
  const file = join(folder, 'customers.csv');
  await writeFile(file, LIST);

  await on.type('/chatapp');
  await form().waitFor();
  await form().getByRole('combobox', { name: 'Template' }).fill('order');
  await on.page.getByRole('option', { name: /Order update/ }).click();
  // The form is drawn anew for the template: a list that is opened before that is closed by it.
  await form()
    .getByText(/your order/)
    .first()
    .waitFor();
  await choose(form().getByRole('combobox', { name: 'Recipients' }), /A CSV file/);
  await form().locator('input[type=file]').setInputFiles(file);
  await form().getByText('customers.csv').waitFor();
  await takePicture(form(), 'send-to-many');
  await form()
    .getByRole('button', { name: /Send|Continue|Next|Review/ })
    .click();
  await form()
    .getByText(/Ask for approval/)
    .first()
    .waitFor();
  await takePicture(form(), 'review');
  const ask = form().getByRole('button', { name: 'Ask for approval' });
  await ask.click();
  await ask.waitFor({ state: 'detached' });
  await form()
    .getByText(/approv/i)
    .first()
    .waitFor();
  await form()
    .getByRole('button', { name: /Close|Done/ })
    .last()
    .click();
  await on.page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(reached()).toEqual([]);

  await actAs('Asha', 'Ravi');
  await goTo('approvals');
  await log('approvals')
    .getByText(/others under Details/)
    .first()
    .waitFor();
  await takePicture(card('approvals', /please decide/), 'approval');
  await log('approvals')
    .getByRole('button', { name: /^Approve/ })
    .click();
  const question = on.page.getByRole('alertdialog');
  await question
    .getByText(new RegExp(String(PEOPLE)))
    .first()
    .waitFor();
  await question.getByRole('button', { name: /Approve|Send/ }).click();

  await goTo('team');
  await log('team').getByRole('button', { name: 'Pause' }).click();
  await log('team')
    .getByText(/: paused/)
    .first()
    .waitFor();
  await takePicture(card('team', /: paused/), 'paused');
  const before = reached().length;
  expect(before).toBeLessThan(PEOPLE);
  await log('team').getByRole('button', { name: 'Resume' }).click();
  await log('team')
    .getByText(/: done/)
    .first()
    .waitFor({ timeout: 60_000 });
  await takePicture(card('team', /: done/), 'done');
  expect(reached().toSorted()).toEqual(Array.from({ length: PEOPLE }, (_, n) => numberOf(n)));
  expect(on.stack.wholeRequests().find(({ body }) => JSON.stringify(body).includes(numberOf(7)))).toEqual({
    path: '/v1/chatapp',
    body: {
      from: FROM,
      to: numberOf(7),
      templateName: 'order_update',
      type: 'template',
      components: { body: { params: ['Person 7', 'A-7'] } },
    },
  });

  await log('team').getByRole('button', { name: /repl/ }).last().click();
  const thread = on.page.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('button', { name: 'Send me the report' }).click();
  await on.page
    .getByRole('navigation')
    .getByRole('button', { name: /Herald(?! Home)/ })
    .click();
  await on.page.getByText('Report of').waitFor();
  const download = on.page.waitForEvent('download');
  await on.page.getByRole('link', { name: /\.csv/ }).click();
  const report = await readFile(await (await download).path(), 'utf8');
  const [header, first, ...rest] = report.trim().split(/\r?\n/);
  expect(header).toMatch(/^Herald number,.*,Herald row,Herald state,Herald code,/);
  expect(first).toMatch(/^\+91 9812340000,.*,2,accepted,/);
  expect(rest).toHaveLength(PEOPLE - 1);
});
