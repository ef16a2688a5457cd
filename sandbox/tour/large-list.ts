import { messageText } from '../message-text.ts';
import { type Stage, TEAM } from './stage.ts';

const PEOPLE = 120_000;
const NOTE =
  'Collects in the shop near the station, weekdays after six, and pays by card there; wants no calls.';
const LIST = [
  'phone,customer,note',
  ...Array.from({ length: PEOPLE }, (_, n) => `+91701${1_000_000 + n},Customer ${n + 1},"${n}: ${NOTE}"`),
  'not known,Nobody,',
  '',
].join('\n');
/** Slack takes 10 in a form. */
const MEGABYTES = LIST.length / 1024 / 1024;

/** A list that Slack takes in no form is posted, saved from there as an audience, and chosen for a send. */
export async function largeList(stage: Stage): Promise<void> {
  const { narrator, verification, asha, until } = stage;
  narrator.person('Asha', `posts all customers, a CSV file of ${MEGABYTES.toFixed(1)} MB, in #team`);
  const message = await asha.post(TEAM, 'All customers', [await asha.upload('all-customers.csv', LIST)]);
  narrator.aside('Use file as an audience (in the menu of that message)');
  const upload = await asha.openFormByShortcut('use_as_audience', message);
  verification.same('The form asks for no file', upload.paths(), ['name', 'replace']);
  await upload.submit();
  const saved = await until('the audience', () => {
    const text = messageText({ text: '', blocks: upload.view.blocks });
    return text.includes('is saved.') && text;
  });
  stage.tell(saved);
  const counted = `${PEOPLE.toLocaleString('en')} people`;
  verification.claim('Every row was read', saved.includes(counted) && MEGABYTES > 10, saved);
  verification.claim(
    '… and the one without a number left out',
    saved.includes('1 row left out: 1 wrong number'),
  );
  await upload.close();
  narrator.person('Asha', '/sms to the saved audience “all-customers”');
  const form = await asha.openForm(TEAM, '/sms');
  await form.choose('recipients', 'audience');
  await form.chooseSuggested('audience', 'all-customers');
  await form.fill('text', 'Hello {{customer}}, your order waits for you.').submit();
  const review = await until('the review', () => {
    const shown = JSON.stringify(asha.views());
    return shown.includes('Ask for approval') && shown;
  });
  narrator.aside('Review: as many recipients, and the first one’s message; she looks, and leaves it at that');
  verification.claim('The review has them all', /of [0-9,]+ people get it/.test(review), review);
  verification.claim('… and their values', review.includes('Hello Customer 1, your order'), review);
  await form.close();
}
