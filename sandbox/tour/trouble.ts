import { ALL_CODES, FAILURE_CODES, SUCCESS_CODE } from '../carrier/failure-codes.ts';
import { SENTINELS } from '../carrier/sentinels.ts';
import { type Stage, TEAM } from './stage.ts';

const NOTHING_SENT = /nothing was sent/i;
const MAY_HAVE_BEEN_SENT = /may have been sent/i;
const ACCEPTED = /accepted by the service/i;

/** Codes after which nobody can know whether the customer has it. */
const UNKNOWN_AFTER: readonly number[] = [131000, 131016, 133004];

/**
 * Mei sends an alert to a wrong number, is told under the field, corrects it, and it goes out once: row 10.
 */
export async function correctedNumber(stage: Stage): Promise<void> {
  const { narrator, verification, mei } = stage;
  const right = '+6591234567';
  narrator.person('Mei', 'wakes the colleague on call  (row 10)');
  narrator.aside('/flash');
  const form = await mei.openForm(TEAM, '/flash');
  const before = stage.requests().length;
  const text = 'The server room is at 41 degrees.';
  form.fill('to', '+65 9123 45').fill('text', text);
  narrator.aside(`To: +65 9123 45\nText: ${text}`);
  const refused = await form.submit();
  const sentence = refused.ok ? undefined : refused.errors.to;
  narrator.aside(`under To: ${sentence ?? '(nothing)'}`);
  verification.same('The wrong number is refused under To alone', refused, {
    ok: false,
    errors: { to: sentence ?? 'a sentence' },
  });
  verification.claim('The form is still open', form.open);
  verification.same('Nothing was sent to the wrong number', stage.requests().length, before);
  narrator.aside(`To: ${right}`);
  const submit = async (): Promise<void> => {
    const taken = await form.fill('to', right).submit();
    verification.same('The corrected form was taken', taken, { ok: true });
  };
  await stage.resultOf(mei, submit, ACCEPTED);
  const received = stage
    .requests()
    .slice(before)
    .map(({ path, body }) => ({ path, body }));
  verification.same('Row 10 was sent once, whole', received, [
    {
      path: '/sms',
      body: { sender: 'ACMEIN', to: right.slice(1), text, type: 'TRANS', flash: 1 },
    },
  ]);
  stage.tellPhone(right, { channel: 'flash', from: 'ACMEIN', text });
}

/** Ravi meets each of the twelve codes, one number a code, and reads what to do. */
export async function twelveCodes(stage: Stage): Promise<void> {
  const { narrator, verification, ravi } = stage;
  for (const code of ALL_CODES) {
    const number = SENTINELS.find(({ does }) => does.type === 'code' && does.code === code)?.number ?? '';
    const line = `/chatapp order_update ${number} "Kiran" "A-1002"`;
    narrator.person('Ravi', line);
    const expected = patternFor(code);
    const said = await stage.resultOf(ravi, () => ravi.command(TEAM, line), anyEnd());
    verification.claim(`Code ${code}: the channel says ${expected}`, expected.test(said), said);
    if (code !== SUCCESS_CODE)
      verification.claim(`Code ${code} stands in the post`, said.includes(String(code)), said);
    const asked = stage.requests().filter(({ body }) => JSON.stringify(body).includes(`"${number}"`));
    verification.same(`Code ${code}: the service was asked once`, asked.length, 1);
    const delivered = stage.phones()[number]?.length ?? 0;
    verification.same(`Code ${code}: deliveries`, delivered, code === SUCCESS_CODE ? 1 : 0);
  }
  verification.same('The codes are twelve', ALL_CODES.length, Object.keys(FAILURE_CODES).length + 1);
}

/** Ravi meets a 200 whose body speaks of an error that no list has: code and words of the service, and no guess. */
export async function unknownErrorIn200(stage: Stage): Promise<void> {
  const { narrator, verification, ravi } = stage;
  const number = '+919999800012';
  const line = `/chatapp order_update ${number} "Kiran" "A-1003"`;
  narrator.person('Ravi', line);
  const said = await stage.resultOf(ravi, () => ravi.command(TEAM, line), anyEnd());
  verification.claim('A 200 with an error is not called accepted', MAY_HAVE_BEEN_SENT.test(said), said);
  verification.claim(
    'Its code is said to be on no list',
    said.includes('131026, not in Herald’s list'),
    said,
  );
  verification.claim('The service’s own words stand there', said.includes('too old'), said);
  verification.same('Nothing is on that phone', stage.phones()[number] ?? [], []);
}

function patternFor(code: number): RegExp {
  if (code === SUCCESS_CODE) return ACCEPTED;
  return UNKNOWN_AFTER.includes(code) ? MAY_HAVE_BEEN_SENT : NOTHING_SENT;
}

function anyEnd(): RegExp {
  return new RegExp([NOTHING_SENT, MAY_HAVE_BEEN_SENT, ACCEPTED].map(({ source }) => source).join('|'), 'i');
}
