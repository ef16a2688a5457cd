import { LATE } from '../../../core/within.ts';
import { kindOf } from '../../../messages/kinds.ts';
import type { Send } from '../../../sends/send.ts';
import type { SlackClient } from '../../kit/clicks/arguments.ts';
import { openModal } from '../../kit/clicks/open-modal.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { composeView } from '../form/form-view.ts';
import { commandOf } from '../line/help.ts';
import { loadList } from '../list/list.ts';
import { SCHEDULE_FIELD } from '../list/review-blocks.ts';
import {
  CATALOGUE_SLOW_ON_OPENING,
  CHECK_LIST,
  formDidNotOpen,
  LIST_GONE,
  templateGone,
} from '../sentences.ts';

/**
 * Opens the form of a bulk send that was taken back, holding all that it was asked for with. Submitting it makes a
 * new send. Returns a sentence when the form could not be opened.
 */
export async function openForEditing(
  send: Send,
  triggerId: string,
  client: Pick<SlackClient, 'views'>,
  compose: Compose,
): Promise<string | undefined> {
  const { kind, origin, audience, startAt } = send;
  const { [TEMPLATE_FIELD]: name, ...message } = kindOf(send.message).formValues(send.message);
  const [template, list] = await Promise.all([
    findTemplate(kind, name, compose),
    loadList(audience?.id, compose),
  ]);
  const notes = [
    ...(template === LATE ? [CATALOGUE_SLOW_ON_OPENING] : []),
    ...(template === undefined && typeof name === 'string' ? [templateGone(name)] : []),
    list === LATE || list === undefined ? LIST_GONE : CHECK_LIST,
  ];
  const view = composeView(
    {
      kind,
      channelId: origin.channelId,
      template: template === LATE ? undefined : template,
      list: list === LATE ? undefined : list,
      values: {
        ...message,
        ...(startAt === undefined ? {} : { [SCHEDULE_FIELD]: Math.floor(startAt / 1000) }),
      },
      notes,
    },
    compose,
  );
  const opened = await openModal(client, triggerId, view);
  return opened.ok ? undefined : formDidNotOpen(commandOf(kind), opened.error);
}
