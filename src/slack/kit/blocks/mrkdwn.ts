import type { types } from '@slack/bolt';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';

/*
 * The pieces that Herald's messages are made of. `text` is mrkdwn made by the caller, with everything that came from
 * outside already through `escapeMrkdwn`; `verbatim` keeps Slack from finding links and mentions in it.
 */

export function section(text: string): types.SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

export function context(text: string): types.ContextBlock {
  return { type: 'context', elements: [mrkdwn(text)] };
}

export function mrkdwn(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

const SHOWN_VALUE = 300;

/** Facts side by side, with their values as they were typed; as many as Slack takes. */
export function factsSection(
  facts: readonly { readonly label: string; readonly value: string }[],
): types.SectionBlock {
  const fields = facts
    .slice(0, LIMITS.sectionFields)
    .map(({ label, value }) => mrkdwn(`*${label}*\n${literalMrkdwn(value, SHOWN_VALUE)}`));
  return { type: 'section', fields };
}

/** Of a person, or of a user group by its id, `S…`. */
export function mention(id: string): string {
  return id.startsWith('S') ? `<!subteam^${escapeMrkdwn(id)}>` : `<@${escapeMrkdwn(id)}>`;
}

/** A moment in the reader's own time zone; UTC where Slack cannot show that. */
export function moment(atMs: number): string {
  const utc = `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(atMs / 1000)}^{date_short_pretty} {time}|${utc}>`;
}
