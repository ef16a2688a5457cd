import type { MessageKind } from '../../src/messages/kinds.ts';
import { parseSubmission } from '../../src/messages/parse-submission.ts';
import { CONTEXT } from './samples.ts';

/* Forms that keep every rule, to be changed in one place each. */

export const FROM = '+919876543210';
export const IN_NUMBER = '+919812345670';
export const SG_NUMBER = '+6591234567';

export interface Values {
  [key: string]: unknown;
}

export function buttonForm(): Values {
  return {
    from: FROM,
    to: IN_NUMBER,
    interactive: {
      type: 'button',
      header: { type: 'none' },
      body: { text: 'Shall we deliver today?' },
      footer: { text: null },
      action: {
        buttons: [
          { reply: { title: 'Yes', id: null } },
          { reply: { title: 'No', id: 'no-thanks' } },
          { reply: { title: 'Call me', id: null } },
        ],
      },
    },
  };
}

export function listForm(): Values {
  return {
    from: FROM,
    to: IN_NUMBER,
    interactive: {
      type: 'list',
      header: { type: 'text', text: 'Slots 🚚' },
      body: { text: 'Choose *a slot*.' },
      footer: { text: '_Times are local._' },
      action: {
        button: 'Choose',
        sections: [
          {
            title: 'Today',
            id: null,
            rows: [
              { title: 'Morning', description: '9 to 12', id: null },
              { title: 'Evening', description: null, id: 'today-evening' },
            ],
          },
          { title: 'Tomorrow', id: 'tomorrow', rows: [{ title: 'Morning', description: null, id: null }] },
        ],
      },
    },
  };
}

export function addressFormIn(): Values {
  return {
    from: FROM,
    to: IN_NUMBER,
    country: 'IN',
    body: { text: 'Where shall we deliver?' },
    values: { name: 'Asha Rao', phone_number: '98765 43219', in_pin_code: '560001', city: null },
  };
}

export function addressFormSg(): Values {
  return {
    from: FROM,
    to: SG_NUMBER,
    country: 'SG',
    body: { text: 'Where shall we deliver?' },
    values: { name: null, phone_number: null, sg_post_code: '018956', landmark_area: null },
  };
}

/** A copy with another value at one path; what does not exist on the way is made. */
export function changed(form: Values, path: string, value: unknown): Values {
  const copy = structuredClone(form);
  const segments = path.split('.');
  const last = segments.pop() ?? '';
  let current: Values = copy;
  for (const segment of segments) {
    if (typeof current[segment] !== 'object' || current[segment] === null) current[segment] = {};
    current = current[segment] as Values;
  }
  current[last] = value;
  return copy;
}

/** A rule that is broken alone: the change, the changed form, and what is said where. */
export type Broken = readonly [change: string, form: Values, path: string, sentence: string];

/** Rules of a table: the form, its change as a path and JSON, where that is said if it is elsewhere, and the sentence. */
export function brokenRules(
  forms: Readonly<Record<string, () => Values>>,
  rows: readonly string[][],
): readonly Broken[] {
  return rows.map(([form = '', change = '', ...said]) => {
    const [path = '', value = ''] = change.split(' = ');
    const [at = path, sentence = at] = said.length > 1 ? said : [path, ...said];
    return [change, changed(forms[form]?.() ?? {}, path, JSON.parse(value)), at, sentence];
  });
}

/** What a submitted form is refused for, by path; nothing when it is taken. */
export function refusals(kind: MessageKind, form: Values): Record<string, string> {
  const parsed = parseSubmission(kind, CONTEXT, form);
  return parsed.ok ? {} : Object.fromEntries(parsed.error.map(({ path, message }) => [path, message]));
}

/** The message that a form makes. */
export function messageOf(kind: MessageKind, form: Values) {
  const parsed = parseSubmission(kind, CONTEXT, form);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.message;
}
