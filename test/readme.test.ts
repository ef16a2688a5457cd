import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../sandbox/arguments.ts';
import { SENTINELS } from '../sandbox/carrier/sentinels.ts';
import { messageText } from '../sandbox/message-text.ts';
import { type E2eStack, startStack } from './e2e/stack.ts';
import { ASHA } from './e2e/team.ts';
import { all, readDocument, TOP } from './written.ts';

/* What only the README says: how to begin, the picture, and how to see failures. */
const { text: readme, codeBlocks } = readDocument('README.md');

describe('the README', () => {
  it('is short', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(120);
  });

  it('begins with the two commands, each complete', () => {
    const commands = codeBlocks.slice(0, 2).map(({ body }) => body);
    expect(commands).toEqual(['npm ci && npm run sandbox\n', 'npm ci && npm test\n']);
  });

  it('shows a picture of 1440 by 900', () => {
    expect(readme).toContain('](docs/herald.png)');
    const picture = readFileSync(new URL('docs/herald.png', TOP));
    expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1440, 900]);
  });

  it('shows a film beside it, of less than 2 MB', () => {
    expect(readme).toContain('](docs/campaign.png)');
    const film = readFileSync(new URL('docs/campaign.png', TOP));
    // What makes a PNG an animated one.
    expect(film.subarray(0, 100).includes('acTL')).toBe(true);
    expect(film.length).toBeLessThan(2_000_000);
  });

  it('names options that the sandbox takes', () => {
    const options = all(/`(?:npm run sandbox )?-- (--[^`]+)`/g, readme);
    expect(options).toEqual(['--port 9000', '--http', '--fresh']);
    for (const option of options) expect(parseArguments(option.split(' '))).toMatchObject({ ok: true });
  });

  it('names numbers that fail as it says', () => {
    const named = all(/\+919999\d{6}/g, readme);
    expect(named.length).toBeGreaterThan(3);
    const sentinels = new Map(SENTINELS.map((one) => [one.number, one]));
    expect(named.filter((number) => !sentinels.has(number))).toEqual([]);
    expect(sentinels.get('+919999132000')?.does).toEqual({ type: 'code', code: 132_000 });
    expect(sentinels.get('+919999900503')?.does).toEqual({ type: 'status', status: 503 });
  });
});

describe('a running Herald', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    stack = await startStack({ mode: 'http' });
  }, 60_000);
  afterAll(async () => {
    await stack?.stop();
  });

  it('answers at each address that docs/running.md names', async () => {
    const { text } = readDocument('docs/running.md');
    const named = [
      ...all(/`GET (\/\w+)`/g, text).map((path) => ({ method: 'GET', path })),
      ...all(/`https:\/\/<your host>([^`]+)`/g, text).map((path) => ({ method: 'POST', path })),
    ];
    const answers = await Promise.all(
      named.map(async ({ method, path }) => {
        const response = await fetch(`${stack.heraldUrl}${path}`, { method });
        await response.arrayBuffer();
        return `${method} ${path} ${response.status}`;
      }),
    );
    expect(answers).toEqual([
      'GET /healthz 200',
      'GET /readyz 200',
      'GET /metrics 200',
      // Nobody signed it.
      'POST /slack/events 401',
    ]);
  });

  it('says what the README quotes', async () => {
    const [line = ''] = all(/^`(\/chatapp [^`]+)`/gm, readme);
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    await asha.command('C0TEAM', line);
    const card = messageText(await channel.message(/What to do next/)).split('\n');
    const quoted = all(/^> (.+)$/gm, readme).map((quote) => quote.replaceAll('**', ''));
    expect(quoted).toHaveLength(3);
    expect(card.slice(0, 3)).toEqual(quoted);
  });
});
