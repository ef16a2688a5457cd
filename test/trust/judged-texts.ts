import { expect } from 'vitest';
import { processorMsSince } from '../processor-time.ts';
import { COCKTAIL, COCKTAIL_LINES, HOSTILE, LONG, SHORT } from './hostile-strings.ts';
import { isFull } from './how-many.ts';
import { faultsOfMessage, faultsOfView } from './shown.ts';

/** What one input may take of the thread that everything waits for; asserted with a margin, because machines differ. */
const MOST_MS = 1_000;
/** Those that name, mark and grow are tried at each place. */
const ALWAYS: ReadonlySet<string> = new Set([SHORT, COCKTAIL, COCKTAIL_LINES, '__proto__', '\ud83d']);

/** Each place is tried with one string in so many, by turns: `turn` is the place's. */
export function textsFor(oneIn: number, turn = 0): readonly string[] {
  return HOSTILE.filter((text, index) => isFull || (index + turn) % oneIn === 0 || ALWAYS.has(text));
}

/** The same of the long ones. */
export function longTextsFor(oneIn: number, turn = 0): readonly string[] {
  return LONG.filter((_text, index) => isFull || (index + turn) % oneIn === 0);
}

/** What the line of an attack says of its texts. */
export const shareOf = (oneIn: number) => (isFull ? '' : `, one string in ${oneIn} at each place`);

export const count = (number: number) => number.toLocaleString('en');

/** What stands in Slack because of a text. */
export interface Shown {
  readonly views?: readonly (object | undefined)[];
  readonly messages?: readonly object[];
}

/** Texts with what came of them: the processor time of this thread by text, and what is wrong with what is shown. */
export function judgeTexts() {
  const wrong: object[] = [];
  let inputs = 0;
  let shown = 0;
  let slowest = { ms: 0, text: '' };

  function note(begun: NodeJS.CpuUsage, text: string): void {
    const ms = processorMsSince(begun);
    inputs += 1;
    if (ms > slowest.ms) slowest = { ms, text: text.slice(0, 60) };
  }
  function wrongly(text: string, what: object): void {
    wrong.push({ text: text.slice(0, 80), ...what });
  }
  function judge(text: string, { views = [], messages = [] }: Shown, where: object): void {
    shown += views.length + messages.length;
    const faults = [
      ...views.flatMap((view) => (view === undefined ? ['no view'] : faultsOfView(view))),
      ...messages.flatMap(faultsOfMessage),
    ];
    if (faults.length > 0) wrongly(text, { ...where, faults });
  }

  return {
    wrongly,
    of<Value>(text: string, work: () => Value): Value {
      const begun = process.threadCpuUsage();
      const value = work();
      note(begun, text);
      return value;
    },
    async ofAll<Value>(text: string, work: () => Promise<Value>): Promise<Value> {
      const begun = process.threadCpuUsage();
      const value = await work();
      note(begun, text);
      return value;
    },
    judge,
    /** Judges what `work` shows, and how long it takes. @param where what a failure says besides */
    shows(text: string, where: object, work: () => Shown): void {
      judge(text, this.of(text, work), where);
    },
    async showsAll(text: string, where: object, work: () => Promise<Shown>): Promise<void> {
      judge(text, await this.ofAll(text, work), where);
    },
    shown: () => shown,
    /** Fails if anything was wrong or slow. @returns `1,234 inputs, the slowest 12 ms` */
    figure(): string {
      expect(wrong.slice(0, 10)).toEqual([]);
      expect(slowest.ms, slowest.text).toBeLessThan(MOST_MS);
      return `${count(inputs)} inputs, the slowest ${slowest.ms.toFixed(0)} ms`;
    },
  };
}
