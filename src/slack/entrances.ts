import { KINDS, MESSAGE_KINDS } from '../messages/kinds.ts';
import type { Audience } from '../sends/audience.ts';
import type { SendReader } from '../sends/ports.ts';
import type { Send } from '../sends/send.ts';
import { textAt } from './connection/payload.ts';
import type { Right } from './kit/people/access.ts';
import { readSendValue } from './results/approve/card.ts';
import { readQuery } from './sends/query.ts';

/*
 * Every entrance to Herald from Slack, and the right it asks for. What has no row here is refused, so that a new
 * handler cannot be reached before it was decided who may use it; a test compares the rows with what is registered.
 */

/** The right that an entrance takes, for people to read. */
export type Need =
  /** It changes nothing but the person's own, sends nothing, and shows no number. */
  | 'nothing'
  /** Only who asked for the send. */
  | 'requester'
  | 'approve'
  | 'send'
  | 'send or approve'
  | 'templates'
  | 'lists'
  | 'lists and templates'
  /** One's own sends take no right. */
  | 'sends'
  | 'reports'
  /** By what is typed after the command. */
  | 'sends or audit'
  | 'lists or templates';

interface Entrance {
  readonly needs: Need;
  /** The right to ask for, undefined for none. Absent: none is needed, or the handler asks, because the answer belongs into its form. */
  readonly right?: (deed: Deed, sources: EntranceSources) => Promise<Right | undefined> | Right | undefined;
}

/** What somebody does, as far as rights depend on it. */
export interface Deed {
  readonly userId: string;
  /** What was typed after a command. */
  readonly text: string;
  /** What the button carries. */
  readonly value: string;
  /** What the form carries, as JSON. */
  readonly metadata: string;
}

export interface EntranceSources {
  readonly store: Pick<SendReader, 'find'>;
  readonly audiences: { find(audienceId: string): Promise<Audience | undefined> };
}

type SendRight = (send: Send, deed: Deed) => Right | undefined;

const withSend = (idOf: (deed: Deed) => string | undefined, right: SendRight) => {
  return async (deed: Deed, { store }: EntranceSources) => {
    const id = idOf(deed);
    const send = id === undefined ? undefined : await store.find(id);
    // Of a send that is not there the handler says so.
    return send && right(send, deed);
  };
};
const ofButton = ({ value }: Deed) => readSendValue(value).sendId;
/** What a form carries under `key`; undefined where it carries no object. */
export function inForm({ metadata }: Deed, key: string): string | undefined {
  try {
    return textAt(JSON.parse(metadata), key);
  } catch {
    return undefined;
  }
}
const unlessOwn =
  (to: 'sends' | 'reports'): SendRight =>
  ({ origin }, { userId }) =>
    origin.userId === userId ? undefined : { to };
const toSend: SendRight = ({ kind }) => ({ to: 'send', kind });
const toSendOrApprove: SendRight = ({ kind }) => ({ to: 'send', kind, orApprover: true });

const OPEN: Entrance = { needs: 'nothing' };
const handlerAsks = (needs: Need): Entrance => ({ needs });
const LISTS: Entrance = { needs: 'lists', right: () => ({ to: 'lists' }) };
const LISTS_BUT_FOR_HELP: Entrance = {
  needs: 'lists',
  right: ({ text }) => (text.toLowerCase() === 'help' ? undefined : { to: 'lists' }),
};
const SEND_AGAIN: Entrance = { needs: 'send', right: withSend(ofButton, toSend) };
/** Decides about the rest of a send: who may send it, or could have approved it. */
const GO_ON: Entrance = { needs: 'send or approve', right: withSend(ofButton, toSendOrApprove) };
const LOOK_AT_SEND: Entrance = { needs: 'sends', right: withSend(ofButton, unlessOwn('sends')) };

export const ENTRANCES: Readonly<Record<string, Entrance>> = {
  // Sending: the form or the line says which kind, so their handlers ask.
  ...Object.fromEntries(
    MESSAGE_KINDS.filter((kind) => !('builds' in KINDS[kind].command)).map((kind) => [
      `command:/${kind}`,
      handlerAsks('send'),
    ]),
  ),
  'shortcut:send_message': handlerAsks('send'),
  'shortcut:send_this_as': handlerAsks('send'),
  'shortcut:flash_this': handlerAsks('send'),
  'action:home_start': handlerAsks('send'),
  'view:choose_kind': handlerAsks('send'),
  ...Object.fromEntries(MESSAGE_KINDS.map((kind) => [`view:${kind}`, handlerAsks('send')])),
  'function:send_template_message': handlerAsks('send'),
  'function:send_flash_sms': handlerAsks('send'),

  // In a form that is open; submitting it asks.
  'options:template': OPEN,
  'options:audience': OPEN,
  'options:use_draft': OPEN,
  'action:template': OPEN,
  'action:field': OPEN,
  'action:arrange': OPEN,
  'action:recipients': OPEN,
  'action:other_list': OPEN,
  'action:save_draft': OPEN,
  'action:use_draft': OPEN,
  'action:remove_draft': OPEN,
  'action:reopen_form': OPEN,

  // A send under way or ended.
  'action:send_retry_failed': SEND_AGAIN,
  'action:send_retry_unknown': SEND_AGAIN,
  'action:send_to_rest': SEND_AGAIN,
  'action:send_leave': GO_ON,
  'action:send_wait': GO_ON,
  'action:send_resume': GO_ON,
  'action:send_pause': handlerAsks('approve'),
  'action:send_stop': handlerAsks('approve'),
  'action:send_cancel': handlerAsks('requester'),

  // A send that waits.
  'action:approval_approve': handlerAsks('approve'),
  'action:approval_reject': handlerAsks('approve'),
  'view:approval_rejection': handlerAsks('approve'),
  'action:approval_edit': handlerAsks('requester'),
  'action:approval_test': GO_ON,
  'action:approval_test_other_number': GO_ON,
  'view:approval_test_number': {
    needs: 'send or approve',
    right: withSend((deed) => inForm(deed, 'sendId'), toSendOrApprove),
  },
  'action:approval_recipients': LOOK_AT_SEND,
  'action:approval_whole': LOOK_AT_SEND,

  // What was sent.
  'command:/sends': {
    needs: 'sends or audit',
    right: (deed, sources) => {
      const query = readQuery(deed.text);
      if (query.ask === 'audit') return { to: 'audit' };
      if (query.ask === 'list') return query.list.whose === 'all' ? { to: 'sends' } : undefined;
      return query.ask === 'one'
        ? withSend(() => query.sendId, unlessOwn('sends'))(deed, sources)
        : undefined;
    },
  },
  'action:sends_look': LOOK_AT_SEND,
  'action:sends_older': {
    needs: 'sends',
    right: ({ value }) => (textAt(JSON.parse(value), 'whose') === 'mine' ? undefined : { to: 'sends' }),
  },
  'action:sends_report': { needs: 'reports', right: withSend(ofButton, unlessOwn('reports')) },
  'action:exclusions': {
    needs: 'reports',
    right: async ({ value, userId }, { audiences }) => {
      const list = await audiences.find(value);
      return list === undefined || list.createdBy === userId ? undefined : { to: 'reports' };
    },
  },
  // What others send is left out for those who may not see it.
  'event:app_home_opened': handlerAsks('sends'),
  'action:home_refresh': handlerAsks('sends'),

  // Lists.
  'command:/audiences': LISTS_BUT_FOR_HELP,
  'command:/optout': LISTS_BUT_FOR_HELP,
  'action:audience_upload': LISTS,
  'action:audience_look': LISTS,
  'action:audience_replace': LISTS,
  'action:audience_delete': LISTS,
  'view:audience_upload': LISTS,
  'view:optout_import': LISTS,

  // Templates. To change them takes their own right, for which the windows ask; as a file they are a list as well.
  'command:/templates': {
    needs: 'lists or templates',
    right: ({ text }) => (/^(export|import)$/i.test(text) ? { to: 'lists' } : undefined),
  },
  'action:templates_export': LISTS,
  'action:templates_import': { ...LISTS, needs: 'lists and templates' },
  'view:templates_import': { ...LISTS, needs: 'lists and templates' },
  'view:templates_import_plan': { ...LISTS, needs: 'lists and templates' },
  'action:template_add': handlerAsks('templates'),
  'action:template_edit': handlerAsks('templates'),
  'action:template_duplicate': handlerAsks('templates'),
  'action:template_archive': handlerAsks('templates'),
  'view:template_form': handlerAsks('templates'),
  'view:template_archive': handlerAsks('templates'),
  'view:templates_list': OPEN,
  'view:template_try': OPEN,
  'action:template_look': OPEN,
  'action:template_try': OPEN,
  'action:template_try_field': OPEN,
  'action:template_history': OPEN,
  'action:template_older': OPEN,
  'action:template_kind': OPEN,
  'action:template_more': OPEN,
  'action:template_fewer': OPEN,
  'action:templates_earlier': OPEN,
  'action:templates_later': OPEN,
  'action:templates_all': OPEN,
  'action:templates_query': OPEN,
  'action:templates_channel': OPEN,
  'action:templates_state': OPEN,

  // Alerts. Whoever is on call may be a guest: acknowledging, and one's own number, take no right.
  'command:/herald': {
    needs: 'sends',
    right: ({ text }) =>
      /^alerts(\s|$)/i.test(text) && !/^alerts\s+numbers(\s|$)/i.test(text) ? { to: 'sends' } : undefined,
  },
  'action:alert_acknowledge': OPEN,
  'action:alert_rule_try': { needs: 'sends', right: () => ({ to: 'sends' }) },
  'action:alert_rule_mute': handlerAsks('approve'),
  'action:alert_rule_unmute': handlerAsks('approve'),
  'action:alert_numbers': OPEN,
  'view:alert_numbers': handlerAsks('approve'),
};
