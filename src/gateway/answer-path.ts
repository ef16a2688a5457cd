import { z } from 'zod';
import { type AnswerMember, normalised } from './answer-members.ts';

/** A way into an answer, outermost first: names without case, `_` and `-`, places in a list, `'[]'` for any place. */
export type Path = readonly (string | number)[];

export const ANY_PLACE = '[]';

/** `a.b[0].c` and `a[].b`. */
export const pathSchema = z
  .string({ error: 'Write where the answer says so, e.g. data.status.' })
  .regex(
    /^(?:[^\s.[\]]+|\[\d{0,4}\])(?:\[\d{0,4}\]|\.[^\s.[\]]+)*$/,
    'Write field names with points between them, e.g. data.status; [0] is a place in a list, [] any place.',
  )
  .transform(
    (text): Path =>
      text
        .split(/[.[]/)
        .filter((part) => part !== '')
        .map((part) =>
          part === ']' ? ANY_PLACE : part.endsWith(']') ? Number.parseInt(part, 10) : normalised(part),
        ),
  );

/** Whether a path is the way of a member. Lists that the path does not mention are passed through. */
export function leadsTo(path: Path, way: AnswerMember['way']): boolean {
  let at = 0;
  for (const step of way) {
    const wanted = path[at];
    if (wanted === step || (wanted === ANY_PLACE && typeof step === 'number')) at += 1;
    else if (typeof step === 'string' || typeof wanted === 'number') return false;
  }
  return at === path.length;
}
