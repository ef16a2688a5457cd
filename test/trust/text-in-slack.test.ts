import { expect, test } from 'vitest';
import { ENTRANCES } from '../../src/slack/features.ts';
import { askByNumbers, clickOn } from '../e2e/bulk-steps.ts';
import { runningStack } from '../e2e/stack.ts';
import { APPROVALS, ASHA, CUSTOMER, RAVI, TEAM, TEAM_CONFIGURATION } from '../e2e/team.ts';
import { forge } from './forged.ts';
import { COCKTAIL, COCKTAIL_LINES, SHORT } from './hostile-strings.ts';
import { faultsOfMessage, faultsOfView } from './shown.ts';
import { postWebhook, ALERTS as QUIET, saveAudience } from './world.ts';

const PATIENCE = { timeout: 600_000 };
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
webhooks: { channel: ${TEAM} }
`;

const stack = runningStack({ mode: 'http', config: CONFIG });

/** What is wrong with anything that Herald asked Slack to show, or said in answer. */
function faultsInSlack(): object[] {
  const written = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value) as object;
  const calls = stack.workspace
    .apiCalls()
    .map(({ method, args }) => ({ method, args: args as Readonly<Record<string, unknown>> }));
  const views = calls.flatMap(({ args: { view } }) => (view === undefined ? [] : [written(view)]));
  const posts = calls
    .filter(({ method }) => /^chat\.(post|update)/.test(method))
    .map(({ args: { text, blocks } }) => ({
      text,
      ...(blocks === undefined ? {} : { blocks: written(blocks) }),
    }));
  const answers = stack.messages().filter(({ user }) => user === 'U0HERALD');
  const shownOf = answers.map(({ text, blocks }) => ({ text, ...(blocks && { blocks }) }));
  const judged = [...[...posts, ...shownOf].map(faultsOfMessage), ...views.map(faultsOfView)];
  expect(judged.length).toBeGreaterThan(20);
  return judged.filter((faults) => faults.length > 0);
}

test(
  'text in Slack: a conversation full of it, judged by what was posted and shown',
  PATIENCE,
  async ({ task }) => {
    const asha = stack.person(ASHA);
    const ravi = stack.person(RAVI);
    const webhook = (body: object) => postWebhook(stack, body);
    const sent = (count: number) =>
      stack.eventually(`${count} requests`, () => stack.wholeRequests().length >= count);
    // A text of so many parts is looked at first.
    await (await asha.openForm(QUIET, `/sms ${CUSTOMER} ${COCKTAIL}`)).submit();
    await sent(1);
    const body = JSON.stringify({ message: COCKTAIL });
    stack.carrier.setFaults([{ times: 1, do: { type: 'status', status: 400, body } }]);
    await asha.command(QUIET, `/flash ${CUSTOMER} ${SHORT}`);
    await sent(2);
    const rows = `phone,${SHORT}\n${CUSTOMER},"${COCKTAIL}"\n+6591234568,"${SHORT}"\n`;
    await saveAudience(stack, SHORT, rows);
    await asha.command(TEAM, '/audiences');
    await askByNumbers(stack, APPROVALS, SHORT);
    await clickOn(stack, RAVI, APPROVALS, 'approval_reject');
    await stack.eventually('the rejection', () => ravi.views().length > 0);
    await ravi.form().fill('reason', SHORT).submit();
    await stack.untilShown(APPROVALS, /Rejected/);
    for (const command of [
      'sends',
      'templates',
      'audiences look',
      'optout add',
      'herald',
      'chatapp',
      'rcs',
    ]) {
      await asha.command(QUIET, `/${command} ${COCKTAIL}`);
      await stack.closeViews();
    }
    for (const [n, text] of [COCKTAIL, COCKTAIL_LINES].entries()) {
      await webhook({ from: CUSTOMER, id: `t${n}`, text: { body: text } });
      await webhook({ from: CUSTOMER, id: `r${n}`, reply: { id: 'x', title: text, description: text } });
      await webhook({ from: CUSTOMER, id: `u${n}`, odd: text });
      const given = JSON.stringify({ values: { name: text } });
      await webhook({ from: CUSTOMER, id: `a${n}`, nfm_reply: { response_json: given } });
    }
    await stack.untilShown(QUIET, /Address from/);
    await asha.command(TEAM, '/sends all');
    await asha.command(TEAM, `/sends ${CUSTOMER}`);
    await stack.stopHerald();
    expect(faultsInSlack()).toEqual([]);
    expect(stack.logs()).not.toMatch(/Slack refused/);
    const calls = stack.workspace.apiCalls().length;
    task.meta.figure = `${calls} calls of Slack: nobody called, nothing drawn, nothing refused`;
  },
);

/** What nobody's client would send, in place of what Herald has written. */
const UNREADABLE = [
  ...['', '{', 'null', '"x"', '{"whose":{}}', '__proto__', '-1', '1e999', '\ud83d', COCKTAIL],
  ...['S-0000000000.x', '<'.repeat(2_000)],
];

test(
  'text that no client sends: every button and form, with values that cannot be read',
  PATIENCE,
  async ({ task }) => {
    // What is said of so many clicks takes Slack a while: nothing comes after it.
    await stack.restart();
    const before = stack.wholeRequests().length;
    const names = Object.keys(ENTRANCES).filter((name) => /^(action|view|options|shortcut):/.test(name));
    for (const name of names) {
      for (const value of UNREADABLE) {
        const state = { [value || 'x']: { [value || 'y']: { type: 'plain_text_input', value } } };
        const carried = { value, text: value, metadata: value, state };
        const answer = await forge(stack, name, { userId: RAVI }, carried);
        if (!answer.ok) await forge(stack, `${name}:${value.slice(0, 100)}`, { userId: RAVI }, carried);
      }
    }
    const logged = (words: string) =>
      stack
        .logs()
        .split('\n')
        .filter((line) => line.includes(words));
    // A forged click has no address to be answered at.
    expect(logged('a Slack handler failed').filter((line) => !line.includes('response_url'))).toEqual([]);
    const unreadable = logged('cannot read what this button').length;
    expect(unreadable).toBeGreaterThan(names.length);
    expect(stack.wholeRequests()).toHaveLength(before);
    task.meta.figure = `${names.length} buttons, menus, shortcuts and forms × ${UNREADABLE.length} values: no handler failed, ${unreadable} times it was said that it cannot be read`;
  },
);
