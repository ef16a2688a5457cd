import { expect, it } from 'vitest';
import { findCode } from '../src/gateway/signs.ts';
import { readWebhookBody } from '../src/gateway/webhooks/decode.ts';
import { columnsUsed } from '../src/messages/columns.ts';
import { markdownProblem } from '../src/messages/interactive/plain-title.ts';
import { isStopReply } from '../src/messages/stop-words.ts';
import { fingerprintOf } from '../src/sends/alerts/text.ts';
import { leadingNumbers } from '../src/slack/compose/line/leading-number.ts';
import { readTextLine } from '../src/slack/compose/line/quick-line.ts';
import { mrkdwnText } from '../src/slack/kit/message-text/block-text.ts';
import { slackPieces } from '../src/slack/kit/message-text/command-text.ts';
import { processorMsSince } from './processor-time.ts';

/*
 * Text that was made to be read for ever. Each took seconds, or had no end; each is now read in a few milliseconds,
 * and the bound leaves room for a busy machine.
 */
const MOST_MS = 250;
const LONG = 65_000;
const blanks = ' '.repeat(LONG);

it.each<[what: string, read: () => unknown]>([
  [
    'a webhook that is nearly a form',
    () =>
      readWebhookBody({
        contentType: 'text/plain',
        bytes: new TextEncoder().encode(`a=${'&a='.repeat(38)} {`),
      }),
  ],
  ['26 emoji of a skin tone', () => mrkdwnText(':clap::skin-tone-4:'.repeat(26))],
  ['a placeholder of blanks that stays open', () => columnsUsed(`{{${' '.repeat(2_900)}`)],
  ['the word code, and blanks', () => findCode({ members: [], text: `code${blanks}` }, new Set())],
  ['a version of many digits', () => fingerprintOf(`1.${'1'.repeat(LONG)}.1`, { fingerprint: undefined })],
  ['signs within a reply', () => isStopReply(`a${'!'.repeat(LONG)}a`, ['stop'])],
  ['blanks behind a text', () => readTextLine(`+6591234567 hello${blanks}!${blanks}`, 'SG')],
  ['brackets before a text', () => leadingNumbers([{ text: `${'('.repeat(LONG)}x`, newLine: false }], 'SG')],
  ['a mention that stays open', () => slackPieces(`<!${'a'.repeat(LONG)}`)],
  ['links that stay open', () => markdownProblem('[[]('.repeat(LONG / 4), 'Title')],
])('reads %s without delay', (_what, read) => {
  const begun = process.threadCpuUsage();
  read();
  expect(processorMsSince(begun)).toBeLessThan(MOST_MS);
});
