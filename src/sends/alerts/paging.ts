import type { Logger } from '../../core/logger.ts';
import type { FlashMessage } from '../../messages/kinds/flash.ts';
import type { SmsMessage } from '../../messages/kinds/sms.ts';
import type { Message } from '../../messages/kinds.ts';
import { measureSms } from '../../messages/sms/segments.ts';
import type { Audiences } from '../audiences/service.ts';
import type { BulkSends } from '../bulk.ts';
import type { Origin } from '../send.ts';
import type { SendService, SubmitResult } from '../service.ts';
import type { Alert, AlertStep, PagedPerson } from './alert.ts';
import { type AlertRule, type AlertSettings, overridesQuietHours } from './rules.ts';

export interface PagingDependencies {
  readonly sends: Pick<SendService, 'submit'>;
  readonly bulkSends: Pick<BulkSends, 'request'>;
  readonly audiences: Pick<Audiences, 'fromNumbers'>;
  readonly settings: AlertSettings;
  /** Herald itself, who asks for what a rule sends; undefined until Slack has said who it is. */
  readonly herald: () => { readonly teamId: string; readonly userId: string } | undefined;
  readonly logger: Logger;
}

/** What became of a planned step; undefined when it cannot be done now and is to be tried again. */
export type Paged = Pick<AlertStep, 'state' | 'people'> & Pick<Partial<AlertStep>, 'sendId' | 'note'>;

const NO_SENDER = 'herald.yml configures no SMS sender, so nothing can be sent. Nothing was sent.';

/**
 * Makes the sends of a planned step. Each has a key of alert, step and number: however often this is done, and by however
 * many processes, each person is sent to once.
 */
export async function sendStep(
  alert: Alert,
  place: number,
  rule: AlertRule,
  dependencies: PagingDependencies,
): Promise<Paged | undefined> {
  const { settings, herald } = dependencies;
  const step = alert.steps[place];
  const asker = herald();
  if (step === undefined || asker === undefined) return undefined;
  if (settings.sender === undefined) return { state: 'nobody', people: step.people, note: NO_SENDER };
  const reached = step.people.filter(({ refusal }) => refusal === undefined);
  const origin: Origin = {
    ...asker,
    channelId: alert.channelId,
    alert: { id: alert.id, threadTs: alert.threadTs, urgent: overridesQuietHours(rule) },
  };
  const key = `alert:${alert.id}:${place}`;
  if (reached.length > settings.approvalOver)
    return askApproval(alert, step, { reached, origin, key }, dependencies);
  const people: PagedPerson[] = [];
  for (const person of step.people) {
    const paged =
      person.refusal === undefined ? await pagePerson(person, rule, origin, key, dependencies) : person;
    if (paged === undefined) return undefined;
    people.push(paged);
  }
  return { state: 'sent', people };
}

async function pagePerson(
  person: PagedPerson,
  rule: AlertRule,
  origin: Origin,
  key: string,
  { sends, settings }: PagingDependencies,
): Promise<PagedPerson | undefined> {
  const { number: to, text } = person;
  const submit = (kind: 'flash' | 'sms') =>
    sends.submit({
      message: messageOf(kind, text, settings),
      to,
      origin,
      requestKey: `${key}:${to}:${kind}`,
    });
  const flash = await submit('flash');
  if (isForLater(flash)) return undefined;
  if (flash.state === 'refused') return { ...person, refusal: flash.what };
  if (!rule.followUp) return { ...person, sendId: flash.send.id };
  const sms = await submit('sms');
  if (isForLater(sms)) return undefined;
  const followUp = sms.state === 'refused' ? {} : { followUpId: sms.send.id };
  return { ...person, sendId: flash.send.id, ...followUp };
}

const FOR_LATER: ReadonlySet<string> = new Set(['stopping', 'store', 'unsure']);

/** Herald itself could not take it, or does not know: that passes, and the same key sends nobody twice. */
function isForLater(result: SubmitResult): boolean {
  return result.state === 'refused' && FOR_LATER.has(result.cause);
}

function messageOf(
  kind: 'flash' | 'sms',
  text: string,
  { sender }: AlertSettings,
): FlashMessage | SmsMessage {
  if (sender === undefined) throw new Error('Without a sender nothing is planned to be sent.');
  const unicode = measureSms(text).encoding === 'UCS-2';
  return { kind, sender: sender.id, type: sender.type, text, unicode };
}

interface ForApproval {
  readonly reached: readonly PagedPerson[];
  readonly origin: Origin;
  readonly key: string;
}

/** Too many people to be told by a rule alone: one bulk send, which waits for its approval as any other. */
async function askApproval(
  alert: Alert,
  step: AlertStep,
  { reached, origin, key }: ForApproval,
  { bulkSends, audiences, settings, logger }: PagingDependencies,
): Promise<Paged | undefined> {
  const list = await audiences.fromNumbers(reached.map(({ number }) => number).join('\n'), origin.userId);
  if (list.state !== 'ready') {
    logger.error({ alertId: alert.id, state: list.state }, 'the people of an alert could not be made a list');
    return undefined;
  }
  const message: Message = messageOf('flash', reached[0]?.text ?? '', settings);
  const result = await bulkSends.request({
    message,
    audienceId: list.audience.id,
    origin,
    requestKey: key,
    approvalOver: settings.approvalOver,
  });
  if (result.state === 'refused' && result.isUnsure) return undefined;
  if (result.state === 'refused')
    return { state: 'nobody', people: step.people, note: `${result.what} ${result.next}` };
  return { state: 'approval', people: step.people, sendId: result.send.id };
}
