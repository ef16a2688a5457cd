import { expect } from 'vitest';
import { type E2eStack, startStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { forge } from './forged.ts';
import { ALERTS, got, groupOf, inFile, saveAudience } from './world.ts';

/* What tests of leave to send do: ask for sends, click by forged requests, and look at the database and at the phones. */

const GROUP = 'S0MANAGERS';
/** Asha asks, and may approve what others ask for: only that it is hers stands in her way. */
const MANAGERS = [ASHA, RAVI, MEI];

export const numbers = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_none, n) => `+9198123460${String(from + n).padStart(2, '0')}`);
const CREW = numbers(3, 80);
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${GROUP}], over: 2, tiers: [{ over: 5, approvals: 2 }] }
alerts:
  groups: { crew: ${groupOf(CREW)}, pair: ${groupOf(CREW.slice(1))} }
  approvalOver: 2
  rules:
    - { name: fire, channel: ${ALERTS}, match: "^crew", notify: [crew] }
    - { name: smoke, channel: ${ALERTS}, match: "^pair", notify: [pair] }
`;

/** One number, as people write it. */
const FORMATS: readonly ((digits: string) => string)[] = [
  (digits) => `+${digits}`,
  (digits) => digits,
  (digits) => `00${digits}`,
  (digits) => `0${digits.slice(2)}`,
  (digits) => digits.slice(2),
  (digits) => `+91 (${digits.slice(2, 7)}) ${digits.slice(7)}`,
  (digits) => `+91-${digits.slice(2, 7)}-${digits.slice(7)}`,
  (digits) => `＋${digits.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))}`,
  (digits) => `tel:+${digits}`,
];
/** Each number in each format, a line each. */
export const inManyFormats = (some: readonly string[]): string =>
  FORMATS.flatMap((format) => some.map((one) => format(one.slice(1)))).join('\n');

/** A send as the database has it. */
export interface Sent {
  readonly id: string;
  readonly digest: string;
  readonly state: string;
  readonly text: string;
}

/** What is done to sends by forged requests, and what the database and the phones say of them. */
export function createLeaveSteps(
  stack: Pick<E2eStack, 'heraldUrl' | 'workspace' | 'carrier'>,
  query: (sql: string) => Promise<readonly Record<string, unknown>[]>,
) {
  async function find(text: string, but: string): Promise<Sent | undefined> {
    const where = `message LIKE '%${text}%' AND state <> 'draft' AND id <> '${but}'`;
    const [row] = await query(
      `SELECT id, digest, state FROM sends WHERE ${where} ORDER BY created_at DESC, id LIMIT 1`,
    );
    return row && ({ ...row, text } as unknown as Sent);
  }
  const stateOf = async ({ id }: Sent) =>
    String((await query(`SELECT state FROM sends WHERE id = '${id}'`))[0]?.state);
  /** The newest send of a text, once it was asked for. */
  async function sendOf(text: string, but = ''): Promise<Sent> {
    await expect.poll(() => find(text, but), { message: text }).toBeDefined();
    return (await find(text, but)) as Sent;
  }
  const approve = (userId: string, value: string) =>
    forge(stack, 'action:approval_approve', { userId }, { value });
  const click = (userId: string, { id, digest }: Sent) => approve(userId, `${id}.${digest}`);
  return {
    sendOf,
    becomes: (send: Sent, state: RegExp) =>
      expect.poll(() => stateOf(send), { message: send.text }).toMatch(state),
    recorded: ({ id }: Sent, action: string) =>
      expect
        .poll(async () => {
          const events = await query(`SELECT action FROM send_events WHERE send_id = '${id}'`);
          return events.map((row) => row.action);
        })
        .toContain(action),
    /** Asha asks to send a text to a saved list. */
    async ask(to: string, text: string): Promise<Sent> {
      await forge(stack, 'command:/flash', { userId: ASHA }, { text: `@${to} ${text}` });
      return sendOf(text);
    },
    approve,
    click,
    /** So many at once, of each of these in turn. */
    clicks: (count: number, userIds: readonly string[], send: Sent) =>
      many(count, (n) => click(userIds[n % userIds.length] ?? '', send)),
    reject: (userId: string, { id }: Sent, own = false) => {
      const state = { reason: { value: { type: 'plain_text_input', value: 'No.' } } };
      const metadata = { sendId: id, channelId: TEAM, own };
      return forge(stack, 'view:approval_rejection', { userId }, { metadata, state });
    },
    got: (text: string) => got(stack, text),
    /** The send is in one of these states, and if that is `done`, each of these numbers got it once; else nobody did. */
    async ends(send: Sent, states: readonly string[], to: readonly string[] = []): Promise<void> {
      const state = await stateOf(send);
      expect(states, send.text).toContain(state);
      expect([send.text, got(stack, send.text)]).toEqual([send.text, state === 'done' ? to : []]);
    },
  };
}

/** A stack with the lists `two`, `three`, `five` and `six`, of so many numbers in many formats, and whoever has its file. */
export async function startLeave() {
  const stack: E2eStack = await startStack({
    mode: 'http',
    config: CONFIG,
    others: { rateLimits: false },
  });
  stack.workspace.setUserGroup(GROUP, MANAGERS);

  const save = (name: string, some: readonly string[], command = 'upload') =>
    saveAudience(stack, name, `phone\n${inManyFormats(some)}`, command);
  for (const [name, count] of Object.entries({ two: 2, three: 3, five: 5, six: 6 }))
    await save(name, numbers(count));

  const query = async (sql: string) => inFile(stack, sql) as Record<string, string>[];
  /** As whoever has the file might. */
  function byHand(sql: string, ...given: string[]): void {
    expect(inFile(stack, `${sql} RETURNING 1`, ...given).length, sql).toBeGreaterThan(0);
  }

  return {
    ...createLeaveSteps(stack, query),
    stack,
    save,
    byHand,
    /** @returns what gives the saved lists back to other sends */
    async editFor({ id }: Sent, edit: string): Promise<() => void> {
      const lists = await query('SELECT columns, digest, id FROM audiences');
      byHand(edit, id);
      return () => {
        for (const { columns = '', digest = '', id: list = '' } of lists)
          byHand('UPDATE audiences SET columns = ?, digest = ? WHERE id = ?', columns, digest, list);
      };
    },
    /** While only these are managers. */
    async withManagers(managers: readonly string[], act: () => Promise<unknown>): Promise<void> {
      await hasAged();
      stack.workspace.setUserGroup(GROUP, managers);
      await act();
      await hasAged();
      stack.workspace.setUserGroup(GROUP, MANAGERS);
    },
  };
}

/** What Slack said of a group less than a second ago is as good as asked now. */
async function hasAged(): Promise<void> {
  const since = performance.now();
  await expect.poll(() => performance.now() - since).toBeGreaterThan(1_100);
}

export const many = (times: number, one: (n: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: times }, (_none, n) => one(n)));
