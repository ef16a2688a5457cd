import { CODES } from '../../connection/api-error.ts';

/**
 * What can still be done when Slack refuses to post or update a message or a view, by the codes that it documents:
 * `plain_text` it does not like the blocks; `elsewhere` this channel, thread, message or person is out of reach;
 * `operator` only whoever runs Herald can put it right, and then it is to be tried again; `later` the code names
 * neither place nor message, so nothing else would be taken either, and it may pass by itself.
 */
export type Remedy = keyof typeof CODES | 'later';

const REMEDIES = new Map<string, Remedy>(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap((remedy) =>
    CODES[remedy].map((code) => [code, remedy]),
  ),
);

/** While only whoever runs Herald can put it right, asking often helps nobody. */
export const OPERATOR_LATER_MS = 30_000;

/** What a workspace forbids in some of its channels, or in those shared with others. */
const OF_THE_CHANNEL = /^(?:restricted_action|slack_connect_)/;

export function remedyOf(code: string): Remedy {
  return REMEDIES.get(code) ?? (OF_THE_CHANNEL.test(code) ? 'elsewhere' : 'later');
}

/** A code in brackets and, where nobody else can put it right, that whoever runs Herald must. Ends a sentence. */
export function whyRefused(code: string): string {
  return `(${code}).${remedyOf(code) === 'operator' ? ' Whoever runs Herald must mend that first.' : ''}`;
}
