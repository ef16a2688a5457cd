import type { Surroundings } from '../../core/surroundings.ts';
import type { FlashMessage } from '../../messages/kinds/flash.ts';
import type { SmsMessage } from '../../messages/kinds/sms.ts';
import type { Message } from '../../messages/kinds.ts';
import { measureSms } from '../../messages/sms/segments.ts';
import type { Audiences } from '../audiences/service.ts';
import type { BulkSends } from '../bulk.ts';
import type { Origin } from '../send.ts';
import type { SendService, SubmitResult } from '../service.ts';
import type { Alert, AlertStep, PagedPerson } from './alert.ts';
import { ended, withoutSteps } from './changes.ts';
import { isLate, plan } from './plan.ts';
import { type AlertRule, type AlertSettings, overridesQuietHours } from './rules.ts';
import type { DecideOn } from './situation.ts';

const DOWN = 'Herald was not running when this was due, and it is too late now. It was not sent.';
const BROKEN_OFF =
  'Herald was stopped while this was being sent, and it is too late for the rest. /sends lists who was sent to before that.';
const RULE_GONE = 'The rule is no longer in herald.yml. It was not sent.';

export interface PagingDependencies extends Surroundings {
  readonly sends: Pick<SendService, 'submit'>;
  readonly bulkSends: Pick<BulkSends, 'request'>;
  readonly audiences: Pick<Audiences, 'fromNumbers'>;
  readonly settings: AlertSettings;
  /** Herald's own user, the requester of a rule's sends; undefined until it is signed in to Slack. */
  readonly herald: () => { readonly teamId: string; readonly userId: string } | undefined;
}

/** The steps of alerts: due escalations are planned, and what is planned is sent. */
export function createSteps(dependencies: PagingDependencies, decideOn: DecideOn) {
  const { settings, clock } = dependencies;

  /** Does the due steps of an alert. False when one must be tried again. */
  async function act(alert: Alert): Promise<boolean> {
    const rule = settings.rules.find(({ name }) => name === alert.rule);
    if (rule === undefined) {
      await change(alert.id, (one) =>
        ended(withoutSteps(one, ['planned'], RULE_GONE), { state: 'deleted', at: clock.now() }),
      );
      return true;
    }
    let complete = true;
    for (const [place, { state, dueAt }] of alert.steps.entries()) {
      if (dueAt > clock.now()) continue;
      if (state === 'waiting') await planStep(alert.id, place, rule);
      if (state === 'planned') complete = (await send(alert, place, rule)) && complete;
    }
    return complete;
  }

  /** Plans a due escalation, unless it is too late. */
  function planStep(alertId: string, place: number, rule: AlertRule): Promise<void> {
    return decideOn([alertId], (situation) => {
      const { alerts, now } = situation;
      const alert = alerts.get(alertId);
      const step = alert?.steps[place];
      if (alert === undefined || step?.state !== 'waiting') return;
      const settled = isLate(step.dueAt, situation)
        ? ({ ...step, state: 'late', at: now, note: DOWN } as const)
        : plan(alert, step, rule, situation);
      alerts.set(alertId, { ...alert, steps: alert.steps.with(place, settled) });
    });
  }

  async function send(alert: Alert, place: number, rule: AlertRule): Promise<boolean> {
    const step = alert.steps[place];
    if (step === undefined) return true;
    const paged = isLate(step.at ?? step.dueAt, { settings, now: clock.now() })
      ? ({ state: 'late', people: step.people, note: BROKEN_OFF } as const)
      : await sendStep(alert, place, rule, dependencies);
    if (paged === undefined) return false;
    await change(alert.id, (one) => {
      const before = one.steps[place];
      if (before?.state !== 'planned') return one;
      return { ...one, steps: one.steps.with(place, { ...before, ...paged }) };
    });
    return true;
  }

  function change(alertId: string, next: (alert: Alert) => Alert): Promise<void> {
    return decideOn([alertId], ({ alerts }) => {
      const alert = alerts.get(alertId);
      if (alert !== undefined) alerts.set(alertId, next(alert));
    });
  }

  return { act, change };
}

/** The result of a planned step. */
type Paged = Pick<AlertStep, 'state' | 'people'> & Pick<Partial<AlertStep>, 'sendId' | 'note'>;

/** Who asks for a rule's sends while Slack has not said who Herald is: on-call people do not wait for Slack. */
const NOT_SIGNED_IN = { teamId: '', userId: 'herald' };
const NO_SENDER = 'herald.yml configures no SMS sender, so nothing can be sent. Nothing was sent.';

/**
 * Makes the sends of a planned step. Their request keys consist of alert, step and number, so each person gets one message
 * however often, and by however many processes, this is called. Undefined when it must be tried again later.
 */
async function sendStep(
  alert: Alert,
  place: number,
  rule: AlertRule,
  dependencies: PagingDependencies,
): Promise<Paged | undefined> {
  const { settings, herald } = dependencies;
  const step = alert.steps[place];
  if (step === undefined) return undefined;
  const asker = herald();
  if (settings.sender === undefined) return { state: 'nobody', people: step.people, note: NO_SENDER };
  const reached = step.people.filter(({ refusal }) => refusal === undefined);
  const origin: Origin = {
    ...(asker ?? NOT_SIGNED_IN),
    channelId: alert.channelId,
    alert: { id: alert.id, threadTs: alert.threadTs, urgent: overridesQuietHours(rule) },
  };
  const key = `alert:${alert.id}:${place}`;
  if (reached.length > settings.approvalOver)
    // Slack alone knows who may approve, and that it is not Herald.
    return asker && askApproval(alert, step, { reached, origin, key }, dependencies);
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

/** A temporary refusal: trying again is safe, because the request key is the same. */
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

/** For more people than a rule may notify: one bulk send, which needs approval like any other. */
async function askApproval(
  alert: Alert,
  step: AlertStep,
  { reached, origin, key }: ForApproval,
  { bulkSends, audiences, settings, logger }: PagingDependencies,
): Promise<Paged | undefined> {
  const list = await audiences.fromNumbers(reached.map(({ number }) => number).join('\n'), origin.userId);
  if (list.state !== 'ready') {
    logger.error({ alertId: alert.id, state: list.state }, 'no list could be made of the people of an alert');
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
