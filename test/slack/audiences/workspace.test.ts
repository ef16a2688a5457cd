import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxMessage } from '../../../sandbox/protocol.ts';
import { audiencesFeature } from '../../../src/slack/audiences/feature.ts';
import { LISTS } from '../../../src/slack/kit/feature/rights.ts';
import { BulkWorkspace } from '../bulk-workspace.ts';
import { SECOND_LIST } from '../compose/list/bulk-setting.ts';
import { TEAM } from '../slack-workspace.ts';
import { textsOf } from '../texts-of.ts';

/* /audiences and /optout, in a workspace that holds forms and files as Slack does. */

let bulk: BulkWorkspace;
beforeAll(async () => {
  bulk = await BulkWorkspace.start();
});
afterAll(() => bulk.stop());
beforeEach(() => bulk.reset());

const LIST = 'phone,Customer\n+6591234567,Asha\n12,Bo\n';

/** Uploads the list under a name, as people do. */
async function save(name: string): Promise<void> {
  await bulk.openForm(`/audiences upload ${name}`);
  expect(await bulk.giveFile('list.csv', LIST)).toEqual({ ok: true });
  expect(bulk.words()).toContain(`The audience “${name}” is saved.`);
  expect(bulk.words()).toContain('1 wrong number');
  await bulk.close();
}
const found = (name: string) => bulk.audiences.findByName(name);
const answered = async (line: string) => textsOf(await bulk.answer(line));

test('an upload under a name that is taken needs the person’s word', async () => {
  await save('Newsletter');
  expect((await found('newsletter'))?.counts.valid).toBe(1);
  const form = await bulk.openForm('/audiences upload newsletter');
  const name =
    'There is an audience “newsletter” already, of 1 person. Choose another name, or tick “Replace”.';
  expect(await bulk.giveFile('list.csv', LIST)).toEqual({ ok: false, errors: { name } });
  form.attach('file', [await bulk.upload('list.csv', LIST)]);
  expect(await form.tick('replace').submit()).toEqual({ ok: true });
  expect((await found('newsletter'))?.id).toBe(SECOND_LIST);
});

const UNCLEAR = 'a,b\n+6591234567,+6591234568\n';
test.each(['uploaded', 'posted'])(
  'of a %s file a column that is not certain is chosen in the form',
  async (how) => {
    if (how === 'uploaded') {
      await bulk.openForm('/audiences upload New');
      expect(await bulk.giveFile('New.csv', UNCLEAR)).toEqual({ ok: true });
    } else {
      const file = await bulk.upload('New.csv', UNCLEAR);
      const form = await open(await bulk.asha.post(TEAM, '', [file]));
      expect(await form.submit()).toEqual({ ok: true });
    }
    const form = bulk.form();
    expect(form.value('name')).toMatchObject({ value: 'New' });
    await form.choose('numberColumn', 'b');
    expect(await form.submit()).toEqual({ ok: true });
    expect((await found('New'))?.numberColumn).toBe('b');
  },
);

const posted = async (...names: string[]) => {
  const files = await Promise.all(names.map((name) => bulk.upload(name, LIST)));
  return bulk.asha.post(TEAM, 'The customers', files);
};
const open = (message: SandboxMessage) => bulk.asha.openFormByShortcut('use_as_audience', message);

test('“Use file as an audience” on a message asks for no more than the name, and saves the file under it', async () => {
  const form = await open(await posted('picture.png', 'Spring customers.csv.gz'));
  expect(form.paths()).toEqual(['name', 'replace']);
  expect(form.value('name')).toMatchObject({ value: 'Spring customers' });
  expect(bulk.words()).toContain('File: Spring customers.csv.gz');
  expect(await form.fill('name', 'Spring').submit()).toEqual({ ok: true });
  expect(bulk.words()).toContain('The audience “Spring” is saved.');
  expect(await found('Spring')).toMatchObject({
    fileName: 'Spring customers.csv.gz',
    counts: { valid: 1, invalid: 1 },
  });
});

test('a posted file that was deleted meanwhile is said on top of the form, which keeps it', async () => {
  const message = await posted('list.csv');
  const form = await open(message);
  bulk.workspace.deleteFile(message.files?.[0]?.id ?? '');
  expect(await form.submit()).toEqual({ ok: true });
  expect(bulk.words()).toContain('Slack no longer has this file.');
  expect(bulk.words()).toContain('File: list.csv');
  expect(form.paths()).toEqual(['name', 'replace']);
});

test('a posted file where Herald is not a member: what to do is said', async () => {
  const ravi = bulk.person('U0RAVI');
  const message = await ravi.post('C0PRIVATE', '', [await ravi.upload('list.csv', LIST)]);
  const form = await ravi.openFormByShortcut('use_as_audience', message);
  expect(await form.submit()).toEqual({ ok: true });
  expect(textsOf(form.view.blocks)).toContain('Invite Herald there');
  await form.close();
});

test.each([
  [['picture.png'], 'This message has no CSV file.'],
  [['a.csv', 'b.csv'], 'This message has more than one CSV file.'],
])('a message with %j: says what to do instead', async (names, sentence) => {
  await open(await posted(...names));
  expect(bulk.words()).toContain(sentence);
});

test('the form says how large a file may be, and the way for a larger one', async () => {
  const form = await bulk.openForm('/audiences upload');
  expect(bulk.words()).toMatch(/At most 10 MB\..*“Use file as an audience”/);
  await form.close();
  await bulk.openForm('/optout import');
  expect(bulk.words()).toMatch(/At most 10 MB\. Split a larger file\./);
});

test('a form closed before its file is read: told directly, in plain words where Slack refuses the blocks', async () => {
  const held = Promise.withResolvers<void>();
  bulk.audiences.hold = held.promise;
  await bulk.openForm('/audiences upload Closed');
  expect(await bulk.giveFile('list.csv', LIST)).toEqual({ ok: true });
  await bulk.close();
  bulk.refuse('chat.postMessage', 'msg_blocks_too_long');
  held.resolve();
  const told = await bulk.until('a word', () => bulk.direct().find(({ text }) => text.includes('“Closed”')));
  expect(told.text).toContain('The audience “Closed” is saved.');
  expect(told.blocks ?? []).toEqual([]);
});

test('list and look: counts, columns and masked rows, to the person alone', async () => {
  expect(await answered('/audiences')).toContain('No audience is saved yet.');
  await save('News & <more>');
  const list = await bulk.answer('/audiences list');
  expect(list.ephemeralFor).toBe('U0ASHA');
  expect(textsOf(list)).toContain('*News &amp; &lt;more&gt;* – 1 person, by <@U0ASHA>');
  const look = await answered('/audiences look news & <more>');
  expect(look).toContain('Row 2: +65 •••• 4567 | Asha');
  expect(look).not.toContain('91234567');
  expect(await answered('/audiences  LOOK  two  words ')).toContain('There is no audience “two  words”.');
});

test('the buttons under the list open a form: Upload an empty one, Replace one for that name', async () => {
  await save('Old');
  const list = await bulk.answer('/audiences');
  const shown = async (actionId: string) => {
    await bulk.asha.press(actionId, { message: list });
    const form = bulk.form();
    const held = [form.value('name')?.value, form.value('replace')];
    await bulk.close();
    return held;
  };
  expect(await shown('audience_upload')).toMatchObject([null, { selected_options: [] }]);
  expect(await shown('audience_replace')).toMatchObject(['Old', { selected_options: [{ value: 'true' }] }]);
});

test('delete asks first, and says so when it was done already', async () => {
  await save('Old');
  const question = await bulk.answer('/audiences delete old');
  const said = () => bulk.asha.messages(TEAM).map(({ text }) => text);
  const before = said().length;
  for (const one of [1, 2]) {
    await bulk.asha.click('audience_delete', { message: question });
    await bulk.until('the answer', () => said().length === before + one);
  }
  expect(said().slice(before)).toEqual([
    'The audience “Old” is deleted. Sends that were asked for with it keep their recipients.',
    'The audience “Old” was deleted already.',
  ]);
});

test('opt-outs: added, looked up and removed, with the number masked', async () => {
  const said = async (line: string) => (await bulk.answer(line)).text;
  expect(await said('/optout add +65 9123 4567')).toBe(
    '+65 •••• 4567 is on the opt-out list now: nothing is sent to it in a bulk send.',
  );
  expect(await said('/optout add +6591234567')).toBe('+65 •••• 4567 was on the opt-out list already.');
  expect(await said('/optout look up +6591234567')).toContain('added by <@U0ASHA>');
  expect(await said('/optout remove +6591234567')).toBe('+65 •••• 4567 is no longer on the opt-out list.');
  expect(await said('/optout lookup +6591234567')).toBe('+65 •••• 4567 is not on the opt-out list.');
  // As the chat platform shows a number of Mexico, which no numbering plan has.
  await said('/optout add +52 1 55 1234 5678');
  expect(await said('/optout look up +52 55 1234 5678')).toContain('added by <@U0ASHA>');
  expect(await said('/optout remove 5215512345678')).toContain('no longer on the opt-out list');
  expect(await said('/optout add 12')).toContain('too short');
  for (const between of [', ', '\n'])
    expect(await said(`/optout add +6591234567${between}+6591234568`)).toBe(
      'Enter one number. For several, `/optout import` takes a CSV file.',
    );
  expect(await bulk.audiences.countOptOuts()).toBe(0);
});

test('opt-outs come from a file, and go into one', async () => {
  await bulk.openForm('/optout import');
  expect(await bulk.giveFile('stop.csv', 'phone\n+6591234567\n12\n')).toEqual({ ok: true });
  expect(bulk.words()).toContain('1 added to the opt-out list, of 2 rows; 1 invalid.');
  const answer = await bulk.answer('/optout export');
  expect(answer.text).toBe('The opt-out list, 1 number, was sent to you directly as a file.');
  const [file] = bulk.direct().flatMap(({ files }) => files ?? []);
  expect(await bulk.download(file)).toMatch(/^number,since,by,source\r\n\+6591234567,.*,U0ASHA,import\r\n$/);
});

test.each(['/audiences help', '/audiences nothing like this', '/optout nothing'])(
  '%s explains itself',
  async (line) => {
    expect((await bulk.answer(line)).text).toContain(`*${line.split(' ', 1)[0]}* – `);
  },
);

test('each subcommand asks for the right to lists', () => {
  const rows = Object.values(audiencesFeature.commands ?? {}).flatMap((row) => [
    row,
    ...Object.values(row.subcommands ?? {}),
  ]);
  expect(rows).toHaveLength(13);
  expect(new Set(rows.map(({ right }) => right))).toEqual(new Set([LISTS.right]));
});
