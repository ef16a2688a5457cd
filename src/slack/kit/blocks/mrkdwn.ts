import type { types } from '@slack/bolt';
import { escapeMrkdwn } from '../../connection/escape.ts';

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

/** Of a person, or of a user group by its id, `S…`. */
export function mention(id: string): string {
  return id.startsWith('S') ? `<!subteam^${escapeMrkdwn(id)}>` : `<@${escapeMrkdwn(id)}>`;
}

/** A moment in the reader's own time zone; UTC where Slack cannot show that. */
export function moment(atMs: number): string {
  const utc = `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(atMs / 1000)}^{date_short_pretty} {time}|${utc}>`;
}
