import { messageText } from '../message-text.ts';
import type { SandboxMessage } from '../protocol.ts';
import { type Stage, TEAM } from './stage.ts';

const APPROVALS = 'C0APPROVALS';
const PEOPLE = 400;
/** How the numbers of the campaign begin. */
export const CAMPAIGN = '+91700';
const numberOf = (n: number) => `${CAMPAIGN}${1_000_000 + n}`;
const LIST = [
  'phone,customer,order',
  ...Array.from({ length: PEOPLE }, (_, n) => `${numberOf(n)},Customer ${n + 1},A-${2000 + n}`),
  `${numberOf(0)},Again,A-2000`,
  'not known,Nobody,A-2001',
].join('\n');

/**
 * Asha prepares a send to 400 customers, may not approve it herself, Ravi does, pauses it, lets it go on; Herald is killed
 * in the middle and started again, and in the end there is one report.
 *
 * @param restart ends Herald as a power cut does, and starts it again
 */
export async function campaign(stage: Stage, restart: () => Promise<boolean>): Promise<void> {
  await ask(stage);
  await decide(stage);
  await watch(stage);
  await crash(stage, restart);
  await end(stage);
}

async function ask({ narrator, verification, asha, until }: Stage): Promise<void> {
  narrator.person('Asha', `/chatapp order_update, to a CSV file of ${PEOPLE + 2} rows`);
  const file = await asha.upload('customers.csv', LIST);
  const form = await asha.openForm(TEAM, '/chatapp order_update');
  await form.choose('recipients', 'file');
  form.attach('file', [file]);
  await form.submit();
  const review = await until('the review', () => {
    const shown = JSON.stringify(asha.views());
    return shown.includes('Ask for approval') && shown;
  });
  narrator.aside(`Review: ${PEOPLE} recipients, one row twice, one without a number`);
  verification.claim('The review counts the recipients', review.includes(`*${PEOPLE} of `), review);
  verification.claim('… and the row that came twice', review.includes('1 twice'));
  verification.claim('… and the row without a number', review.includes('1 wrong number'));
  narrator.aside('Ask for approval');
  await form.submit();
}

async function decide(stage: Stage): Promise<void> {
  const { narrator, verification, asha, ravi, until } = stage;
  const card = await until('the card', () => stage.messages(APPROVALS).find(hasButton('approval_approve')));
  stage.tell(messageText(card));
  narrator.person('Asha', 'tries to approve her own send');
  await stage.click(asha, card, 'approval_approve');
  const refused = await until('her refusal', () =>
    stage.messages(APPROVALS).find((one) => one.ephemeralFor === asha.userId),
  );
  stage.tell(messageText(refused));
  verification.claim('Nobody approves their own send', /own send/.test(messageText(refused)));
  verification.same('Nobody was sent to before the approval', reached(stage).length, 0);
  narrator.person('Ravi', 'approves it');
  await stage.click(ravi, card, 'approval_approve');
}

async function watch(stage: Stage): Promise<void> {
  const { narrator, verification, ravi, until } = stage;
  const progress = await until('progress', () => stage.messages(TEAM).find(hasButton('send_pause')));
  await until('the first customers', () => reached(stage).length > 20);
  narrator.person('Ravi', 'pauses it: was that the right list?');
  await stage.click(ravi, progress, 'send_pause');
  const paused = await until('the pause', () => stage.messages(TEAM).find(hasButton('send_resume')));
  stage.tell(messageText(paused));
  verification.claim('Some have it, and not all', reached(stage).length < PEOPLE);
  narrator.person('Ravi', 'it was; lets it go on');
  const before = reached(stage).length;
  await stage.click(ravi, paused, 'send_resume');
  await until('more customers', () => reached(stage).length > before + 20);
}

async function crash(stage: Stage, restart: () => Promise<boolean>): Promise<void> {
  const { narrator, verification } = stage;
  narrator.person('Nobody', 'pulls the plug of Herald (SIGKILL), and puts it back');
  const before = reached(stage).length;
  verification.claim('Herald started again', await restart());
  verification.claim('It was in the middle of the send', before > 0 && before < PEOPLE);
}

async function end(stage: Stage): Promise<void> {
  const { narrator, verification, until } = stage;
  const done = await until('the end', () =>
    stage
      .messages(TEAM)
      .find((one) => /\d+ people\*?: done/.test(messageText(one) + JSON.stringify(one.blocks))),
  );
  stage.tell(messageText(done));
  const report = await until('the report', () => stage.messages('D0ASHA').find(({ files }) => files?.length));
  await until('its button', () => stage.messages(TEAM).find(hasButton('sends_report')));
  const numbers = reached(stage);
  verification.same('Nobody got it twice', numbers.length, new Set(numbers).size);
  const unknown = Number(/(\d+)\*? may have been sent/.exec(messageText(done))?.[1] ?? 0);
  verification.claim(
    'Everybody was reached, but for those of whom nobody knows',
    numbers.length + unknown >= PEOPLE,
    {
      reached: numbers.length,
      unknown,
    },
  );
  const shared = stage.messages(TEAM).filter(({ files }) => files?.length);
  verification.same('The report, with whole numbers, stands in no channel', shared, []);
  narrator.aside(
    `${report.files?.[0]?.name ?? ''} was sent to Asha; approvers get it by a button in the thread`,
  );
}

/** Numbers that have a message of this campaign, as often as they have one. */
function reached(stage: Stage): string[] {
  return Object.entries(stage.phones()).flatMap(([number, inbox]) =>
    number.startsWith(CAMPAIGN) ? inbox.map(() => number) : [],
  );
}

function hasButton(actionId: string): (message: SandboxMessage) => boolean {
  return ({ blocks }) => JSON.stringify(blocks ?? []).includes(`"${actionId}"`);
}
