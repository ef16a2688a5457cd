import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../sandbox/person.ts';
import { ASHA, runningStack, TEAM } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [S0MANAGERS], over: 1 }
`;
const MEGABYTE = 1024 * 1024;
const PICTURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0xff, 0xfe]);
const LATIN_1 = Uint8Array.from(Buffer.from('phone,name\n+919812345678,J\xf6rg\n', 'latin1'));

describe('a list that is none, in a form', () => {
  const stack = runningStack({ config: CONFIG });
  let asha: Person;
  beforeAll(() => {
    asha = stack.person(ASHA);
  });
  beforeEach(async () => {
    stack.carrier.reset();
    for (const { id } of [...asha.views()].reverse())
      await stack.workspace.act({ type: 'view_closed', as: ASHA, viewId: id });
  });

  const words = () => JSON.stringify(asha.views());

  async function given(content: string | Uint8Array<ArrayBuffer>) {
    const file = await asha.upload('customers.csv', content);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'file');
    form.attach('file', [file]).fill('text', 'Hello');
    const submitted = await form.submit();
    return { form, said: () => JSON.stringify(submitted) + words() };
  }

  test.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    [
      'nothing but a line break',
      '\n',
      /The file is empty\. Nothing was sent\. Upload a CSV file with a header/,
    ],
    ['a header and no rows', 'phone,name\n', /The file has (a header and )?no rows\./],
    [
      'a line of nine megabytes',
      `phone\n${'9'.repeat(9 * MEGABYTE)}`,
      /a line of more than a million characters\. Nothing was sent\./,
    ],
    ['a picture', PICTURE, /The file is (no text|not UTF-8 text)\. Nothing was sent\./],
    [
      'another encoding',
      LATIN_1,
      /The file is not UTF-8 text\. Nothing was sent\. In your spreadsheet choose/,
    ],
    ['zeros', new Uint8Array(3_000), /The file is not a text file\. Nothing was sent\./],
    [
      'a quotation mark that is never closed',
      'phone,name\n+919812345678,Asha\n+919812345679,"Bo\n+919812345680,Cai\n',
      /In lines 3 to 4 a quotation mark is not closed where its cell ends[^"]*Nothing was sent\. Correct it/,
    ],
    [
      'no header',
      '+919812345678,Asha\n+919812345679,Bo\n',
      /The first row holds the phone number \+91 ••••• •5678, [^"]*Nothing was sent\. Add a first row/,
    ],
    [
      'rows of which none can be sent to',
      'phone\n12\n13\n',
      /None of the 2 rows can be sent to \(2 wrong numbers\)\. Nothing was sent\./,
    ],
  ])('%s: said under the file, and what was typed is kept', async (_name, content, sentence) => {
    const { form, said } = await given(content);
    await stack.eventually('the sentence', () => sentence.test(said()), 30_000);
    expect(form.value('text')).toMatchObject({ value: 'Hello' });
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('rows that break the rules of CSV: left out, and nobody reads anything of them', async () => {
    await given(
      'phone,name\n+919812345678,Asha\n+919812345679,5" pipe\n+919812345680,Rao, Cai\n+919812345681,Dee\n',
    );
    await stack.eventually('the review', () => words().includes('*2 of 4 people get it.*'));
    expect(words()).toContain('Left out: 2 wrong numbers.');
  });

  test.each([
    ['/sms', '+6591234567, +6598765432', 'Your table is ready'],
    ['/flash', '<tel:+6591234567|+65 9123 4567> <tel:+6598765432|+65 9876 5432>', 'Your table is ready'],
  ])('two numbers after %s are a list, and neither is text', async (command, numbers, text) => {
    const form = await asha.openForm(TEAM, `${command} ${numbers} ${text}`, true);
    expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+6598765432' });
    expect(form.value('text')).toMatchObject({ value: text });
    expect(words()).toContain('Nothing was sent yet. The line begins with several numbers');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('the review', () => words().includes('*2 of 2 people get it.*'));
    expect(words()).toContain('Ask for approval');
    expect(stack.wholeRequests()).toEqual([]);
  });

  test.each([
    ['/chatapp', 'closed_today'],
    ['/rcs', 'store_open'],
  ])('two numbers after %s are a list for the template', async (command, template) => {
    const form = await asha.openForm(TEAM, `${command} ${template} +6591234567; +65 9876 5432`);
    expect(form.value('numbers')).toMatchObject({ value: '+6591234567\n+65 9876 5432' });
    expect(words()).toContain('Nothing was sent yet. The line begins with several numbers');
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('no column with numbers: asked for, and nothing is sent', async () => {
    const { form } = await given('who,city\nAsha,Pune\nBo,Singapore\n');
    await stack.eventually('the choice of a column', () => form.paths().includes('numberColumn'));
    await form.choose('numberColumn', 'city');
    const again = await form.submit();
    await stack.eventually('the sentence', () =>
      /None of the 2 rows can be sent to \(2 wrong numbers\)\. Nothing was sent\./.test(
        JSON.stringify(again) + words(),
      ),
    );
    expect(stack.wholeRequests()).toEqual([]);
  });
});
