import { given } from '../../core/given.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import { KINDS } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { type SmsSender, sendersOf } from '../../messages/senders.ts';
import { measureSms } from '../../messages/sms/segments.ts';
import type { Audiences } from '../audiences/service.ts';
import type { BulkSends } from '../bulk/service.ts';
import type { BulkRequest } from '../bulk.ts';
import type { Origin } from '../send.ts';
import type { SendService, SubmitResult } from '../service.ts';
import { type Alert, type AlertStep, ended, type PagedPerson, withoutSteps } from './alert.ts';
import { type DecideOn, isLate, plan, type Situation } from './plan.ts';
import { type AlertRule, type AlertSettings, overridesQuietHours } from './rules.ts';

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
    for (const [place, step] of alert.steps.entries()) {
      if (step.dueAt > clock.now()) continue;
      if (step.state === 'waiting')
        await changeStep(alert.id, place, 'waiting', (waiting, of, situation) =>
          isLate(waiting.dueAt, situation)
            ? { ...waiting, state: 'late', at: situation.now, note: DOWN }
            : plan(of, waiting, rule, situation),
        );
      if (step.state === 'planned') {
        const paged = isLate(step.at ?? step.dueAt, { settings, now: clock.now() })
          ? ({ state: 'late', note: BROKEN_OFF } as const)
          : await sendStep(alert, place, step, rule, dependencies);
        if (paged === undefined) complete = false;
        else await changeStep(alert.id, place, 'planned', (planned) => ({ ...planned, ...paged }));
      }
    }
    return complete;
  }

  /** Puts another step in the place of one, unless that is in another state by now. */
  function changeStep(
    alertId: string,
    place: number,
    state: AlertStep['state'],
    next: (step: AlertStep, alert: Alert, situation: Situation) => AlertStep,
  ): Promise<void> {
    return change(alertId, (alert, situation) => {
      const step = alert.steps[place];
      if (step?.state !== state) return alert;
      return { ...alert, steps: alert.steps.with(place, next(step, alert, situation)) };
    });
  }

  function change(alertId: string, next: (alert: Alert, situation: Situation) => Alert): Promise<void> {
    return decideOn([alertId], (situation) => {
      const alert = situation.alerts.get(alertId);
      if (alert !== undefined) situation.alerts.set(alertId, next(alert, situation));
    });
  }

  return { act, change };
}

/** The changes of a step once it was sent, or could not be. */
type Paged = Pick<AlertStep, 'state'> & Partial<AlertStep>;

/** Asks for a rule's sends while Slack has not said who Herald is: on-call people do not wait for Slack. */
const NOT_SIGNED_IN = { teamId: '', userId: 'herald' };
const NO_SENDER = 'herald.yml configures no SMS sender, so nothing can be sent. Nothing was sent.';

/**
 * Makes the sends of a planned step. Their request keys consist of alert, step and number, so each person gets one message
 * however often, and by however many processes, this is called. Undefined when it must be tried again later.
 */
async function sendStep(
  alert: Alert,
  place: number,
  step: AlertStep,
  rule: AlertRule,
  dependencies: PagingDependencies,
): Promise<Paged | undefined> {
  const { settings, herald } = dependencies;
  const { senders } = settings;
  const asker = herald();
  if (senders.length === 0) return { state: 'nobody', note: NO_SENDER };
  const reached = step.people.filter(({ refusal }) => refusal === undefined);
  const { id, threadTs, channelId } = alert;
  const of = { id, threadTs, urgent: overridesQuietHours(rule) };
  const origin: Origin = { ...(asker ?? NOT_SIGNED_IN), channelId, alert: of };
  const key = `alert:${id}:${place}`;
  if (reached.length > settings.approvalOver) {
    const message = flashOf(reached[0]?.text ?? '', senders);
    // Slack alone knows who may approve, and that it is not Herald.
    return asker && askApproval(reached, { message, origin, requestKey: key }, dependencies);
  }
  const people: PagedPerson[] = [];
  for (const person of step.people) {
    const { number: to, text } = person;
    const message = flashOf(text, senders, to);
    const { refusal = KINDS.flash.rowProblem(message, to) } = person;
    const submit = (kind: 'flash' | 'sms') => {
      const requestKey = `${key}:${to}:${kind}`;
      return dependencies.sends.submit({ message: { ...message, kind }, to, origin, requestKey });
    };
    const flash = refusal === undefined ? await submit('flash') : undefined;
    const isSent = flash !== undefined && flash.state !== 'refused';
    const sms = isSent && rule.followUp ? await submit('sms') : undefined;
    if (isForLater(flash) || isForLater(sms)) return undefined;
    people.push({
      ...person,
      ...given({ refusal: flash?.state === 'refused' ? flash.what : refusal }),
      ...(isSent && { sendId: flash.send.id }),
      ...(sms !== undefined && sms.state !== 'refused' && { followUpId: sms.send.id }),
    });
  }
  return { state: 'sent', people };
}

const FOR_LATER: ReadonlySet<string> = new Set(['stopping', 'store', 'unsure']);

/** A temporary refusal: trying again is safe, because the request key is the same. */
function isForLater(result: SubmitResult | undefined): boolean {
  return result?.state === 'refused' && FOR_LATER.has(result.cause);
}

function flashOf(text: string, senders: readonly SmsSender[], to?: Msisdn) {
  const unicode = measureSms(text).encoding === 'UCS-2';
  return { kind: 'flash' as const, ...sendersOf(senders, undefined, to), text, unicode };
}

/** For more people than a rule may notify: one bulk send, which needs approval like any other. */
async function askApproval(
  reached: readonly PagedPerson[],
  request: Pick<BulkRequest, 'message' | 'origin' | 'requestKey'>,
  { bulkSends, audiences, settings, logger }: PagingDependencies,
): Promise<Paged | undefined> {
  const { origin, requestKey } = request;
  const list = await audiences.fromNumbers(reached.map(({ number }) => number).join('\n'), origin.userId);
  if (list.state !== 'ready') {
    logger.error({ requestKey, state: list.state }, 'no list could be made of the people of an alert');
    return undefined;
  }
  const { approvalOver } = settings;
  const result = await bulkSends.request({ ...request, audienceId: list.audience.id, approvalOver });
  if (result.state === 'refused' && result.isUnsure) return undefined;
  if (result.state === 'refused') return { state: 'nobody', note: `${result.what} ${result.next}` };
  return { state: 'approval', sendId: result.send.id };
}
