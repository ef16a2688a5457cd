import type { CustomerReply } from '../protocol.ts';
import { ERRANDS } from './rows.ts';
import type { Stage } from './stage.ts';

interface Answered {
  /** The errand whose message is answered, by its row. */
  readonly row: string;
  readonly why: string;
  readonly answer: CustomerReply['answer'];
  /** What stands in the thread of the message that asked. */
  readonly told: RegExp;
  /** What the message itself then says. */
  readonly counted?: RegExp;
}

const ANSWERS: readonly Answered[] = [
  {
    row: '11',
    why: 'taps a button',
    answer: { type: 'button', id: 'visit-tomorrow', title: 'Tomorrow' },
    told: /Tomorrow/,
    counted: /Tomorrow – \*?1/,
  },
  {
    row: '12',
    why: 'fills in the address',
    answer: { type: 'address', values: { name: 'Kiran', in_pin_code: '560001', city: 'Bengaluru' } },
    told: /Kiran[\s\S]*560001[\s\S]*Bengaluru/,
  },
];

/** Customers answer on their phones; each answer stands in the thread of the message that asked. */
export async function customersAnswer(stage: Stage): Promise<void> {
  for (const answered of ANSWERS) {
    const number = ERRANDS.find(({ row }) => row === answered.row)?.number ?? '';
    stage.narrator.person('Kiran', `${answered.why}  (answers row ${answered.row})`);
    const told = await stage.answerOf(number, answered.answer, answered.told, answered.counted);
    stage.verification.claim(
      `Row ${answered.row}: the thread shows no more than the end of the number`,
      !told.replaceAll(/\D/g, '').includes(number.slice(1, -4)),
      told,
    );
  }
}
