import { validateMessage, validateView } from '../../sandbox/slack/block-kit/index.ts';

/** A window in full, a line for each part of it, to be compared with a golden file; once Slack would take it. */
export function outline(view: object): string {
  const problems = validateView(view);
  if (problems.length > 0) throw new Error(`Slack does not take this window: ${JSON.stringify(problems)}`);
  return `${linesOf(view).join('\n')}\n`;
}

/** A message in full, likewise: its text, then a line for each part of its blocks. */
export function outlineOfCard(card: { readonly text: string; readonly blocks: readonly object[] }): string {
  const problems = validateMessage(card);
  if (problems.length > 0) throw new Error(`Slack does not take this message: ${JSON.stringify(problems)}`);
  return `${[card.text, ...card.blocks.flatMap(linesOf)].join('\n')}\n`;
}

/** `input block_id=query label="Search"`, with what it holds below it. */
function linesOf(part: object): string[] {
  const own: string[] = [];
  const below: string[] = [];
  for (const [key, value] of Object.entries(part)) {
    const parts = [value].flat();
    if (key === 'type') own.unshift(value);
    else if (parts.every((one) => typeof one === 'object' && one !== null && wordsOf(one) === undefined)) {
      const name = HOLDING.has(key) ? '' : `${key}: `;
      below.push(...parts.flatMap(linesOf).map((line) => `  ${line.startsWith(' ') ? '' : name}${line}`));
    } else own.push(`${key}=${parts.map((one) => wordsOf(one) ?? one).join(', ')}`);
  }
  return [own.join(' '), ...below];
}

/** What every such part holds, and so is not named. */
const HOLDING: ReadonlySet<string> = new Set(['blocks', 'element', 'elements', 'options']);

/** The words of a text object as Herald makes them, whose formatting shows in the quotation marks; undefined for others. */
function wordsOf(value: unknown): string | undefined {
  const { type, text, ...rest } = (value ?? {}) as { type?: unknown; text?: unknown };
  const look = JSON.stringify({ type, ...rest });
  if (look === '{"type":"plain_text","emoji":false}') return JSON.stringify(text);
  return look === '{"type":"mrkdwn","verbatim":true}' ? `mrkdwn ${JSON.stringify(text)}` : undefined;
}
