import { z } from 'zod';
import { type AnswerMember, normalised } from './read-answer.ts';

/** A way into a body, outermost first: names without case, `_` and `-`, places in a list, `'[]'` for any place. */
export type Path = readonly (string | number)[];

export const ANY_PLACE = '[]';

/** `a.b[0].c` and `a[].b`, as it is written in herald.yml. */
export const pathSchema = z
  .string({ error: 'Write where it stands, e.g. data.status.' })
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

/**
 * Whatever stands at the end of a path, in the order of the body; a list there counts as its elements. Reads each part of
 * the body at most once.
 *
 * @param open makes a structure of what holds one as text
 */
export function valuesAt(
  root: unknown,
  path: Path,
  open: (value: unknown, key: string) => unknown = (value) => value,
): readonly unknown[] {
  let found: readonly unknown[] = [root];
  for (const step of path) {
    if (typeof step === 'number') found = found.flatMap((one) => (Array.isArray(one) ? [one[step]] : []));
    else if (step === ANY_PLACE) found = found.flatMap((one) => (Array.isArray(one) ? one : []));
    else found = found.flatMap(elements).flatMap((one) => membersCalled(step, one, open));
  }
  return found.flatMap(elements).filter((one) => one !== undefined);
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.flat(MOST_LISTS) : [value];
}

/** Lists straight inside lists. */
const MOST_LISTS = 4;

/** Where two names are alike the first counts. */
function membersCalled(name: string, object: unknown, open: (value: unknown, key: string) => unknown) {
  if (typeof object !== 'object' || object === null) return [];
  const key = Object.keys(object).find((one) => normalised(one) === name);
  return key === undefined ? [] : [open((object as Record<string, unknown>)[key], name)];
}
