import type { Failure } from '../../../sends/outcome.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';

/** What stands around the service's words, and of how few of them nobody would make sense. */
const FRAME = ' The service says: ``.'.length;
const FEWEST_WORDS = 20;

type Why = Pick<Failure, 'what' | 'next' | 'explanation'>;

/**
 * What happened, in mrkdwn of at most `most` characters, with the service's own words on it as far as there is room. They
 * are foreign: as code, Slack formats nothing of them and makes no links.
 */
export function whatHappened({ what, explanation }: Omit<Why, 'next'>, most: number): string {
  const happened = escapeMrkdwn(what, most);
  const room = most - happened.length - FRAME;
  if (explanation === undefined || room < FEWEST_WORDS) return happened;
  return `${happened} The service says: \`${escapeMrkdwn(explanation.replaceAll('`', '’'), room)}\`.`;
}

/** What happened and what to do next, in mrkdwn of at most `most` characters. */
export function whyText(failure: Why, most: number): string {
  const next = escapeMrkdwn(failure.next, most / 2);
  return `${whatHappened(failure, most - next.length - 1)} ${next}`;
}
