import { messageText } from '../message-text.ts';
import type { SandboxMessage } from '../protocol.ts';
import { ALERTS } from '../ui/chat/alert-samples.ts';
import type { Stage } from './stage.ts';

const CHANNEL = 'C0ALERTS';
const ON_CALL = '+6591234567';

/** At ten past three Grafana posts; one phone shows it, Ravi acknowledges, and nobody else is woken. */
export async function alertAtNight(stage: Stage): Promise<void> {
  const { narrator, verification, ravi } = stage;
  narrator.person('Grafana', 'posts in #alerts: High CPU Production');
  await stage.postAs('A0GRAFANA', CHANNEL, ALERTS.grafana ?? {});
  const flashes = () =>
    (stage.phones()[ON_CALL] ?? []).filter(
      ({ channel, text }) => channel === 'flash' && /High CPU/.test(text),
    );
  const [flash] = await stage.until('the flash SMS', () => (flashes().length > 0 ? flashes() : undefined));
  narrator.phone(ON_CALL, 'flash', flash?.text ?? '');
  const card = await stage.until('the thread of the alert', () => cardWith(stage, /accepted by the service/));
  stage.tell(messageText(card));
  narrator.person('Ravi', 'acknowledges');
  await stage.click(ravi, card, 'alert_acknowledge');
  const after = await stage.until('the acknowledgement', () => cardWith(stage, /Acknowledged by/));
  verification.claim('Who acknowledged stands in the thread', /@U0RAVI/.test(messageText(after)), after);
  verification.claim('The escalation is not needed any more', /not needed any more/.test(messageText(after)));
  verification.same('One phone was woken, once', flashes().length, 1);
  await alertOfWebhook(stage);
}

/** Of a webhook's message Slack names the bot alone; the rule asks for the app, and the emoji is a name until it is read. */
async function alertOfWebhook(stage: Stage): Promise<void> {
  const { narrator, verification } = stage;
  narrator.person('Pager', 'posts by a webhook of PagerDuty: :red_circle: Triggered #4211');
  await stage.postAs('A0PAGERDUTY', CHANNEL, ALERTS.pagerduty ?? {});
  const post: object = stage.messages(CHANNEL).find(({ bot_id }) => bot_id === 'B0PAGERDUTY') ?? {};
  verification.claim('Slack names its bot and no app', 'bot_id' in post && !('app_id' in post), post);
  const flash = await stage.until('its flash SMS', () =>
    (stage.phones()[ON_CALL] ?? []).find(({ text }) => text.includes('#4211')),
  );
  narrator.phone(ON_CALL, 'flash', flash.text);
  verification.claim('The emoji arrives as one', flash.text.startsWith('🔴 Triggered'), flash.text);
}

function cardWith(stage: Stage, words: RegExp): SandboxMessage | undefined {
  return stage
    .messages(CHANNEL)
    .findLast((message) => message.thread_ts !== undefined && words.test(messageText(message)));
}
