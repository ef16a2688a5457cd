import { advice, type Finding } from '../core/finding.ts';
import type { Configuration } from './load.ts';

const ADDRESSES = ['SLACK_API_URL', 'MESSAGING_BASE_URL', 'MESSAGING_FLASH_URL'] as const;

const OLD_SECRETS = ['SLACK_SIGNING_SECRET_OLD', 'WEBHOOK_TOKEN_OLD'] as const;

const SIGNING_SECRETS = ['SLACK_SIGNING_SECRET', 'SLACK_SIGNING_SECRET_OLD'] as const;
const SECRET_CHARACTERS = 32;
const isShort = (secret: string | undefined) => secret !== undefined && secret.length < SECRET_CHARACTERS;

/** What is allowed, and may not be meant. */
export function risksOf({ environment, team }: Configuration): readonly Finding[] {
  const { access, alerts, approvals } = team;
  const groups = Object.keys(alerts.groups).map((name) => `@${name}`);
  return [
    team.operators === undefined &&
      advice(
        'herald.yml names no operators: what needs whoever runs Herald stands in the log only.',
        'Name a channel in operators.',
      ),
    ...SIGNING_SECRETS.filter((key) => isShort(environment[key])).map((key) =>
      advice(
        `${key} is shorter than what Slack makes (${SECRET_CHARACTERS} characters): whoever guesses it commands Herald.`,
        'Copy the whole signing secret from “Basic Information” of the app’s settings.',
      ),
    ),
    ...ADDRESSES.filter((key) => isPlainElsewhere(environment[key])).map((key) =>
      advice(
        `${key} begins with http:// and names another machine: keys, numbers and texts can be read on the way.`,
        'Use https://.',
      ),
    ),
    ...OLD_SECRETS.filter((key) => environment[key] !== undefined).map((key) =>
      advice(`${key} is still set.`, 'Take it out once nobody uses it any more.'),
    ),
    (environment.WEBHOOK_TOKEN ?? environment.WEBHOOK_SECRET) === undefined &&
      advice(
        'Webhooks are off: without WEBHOOK_TOKEN no answer of a customer reaches Slack.',
        'Set WEBHOOK_TOKEN, and give the service the address that docs/answers.md names.',
      ),
    Object.keys(access.send).length === 0 &&
      advice(
        'herald.yml says nothing under access.send: every member may send to anybody.',
        'List under access.send who may send what.',
      ),
    groups.length > 0 &&
      alerts.approvalOver > 0 &&
      advice(
        `Nobody sends to many customers alone; but whoever may send flash SMS pages ${groups.join(', ')} without an approval, up to ${alerts.approvalOver} people on call at once and ${approvals.singlesPerHour} messages an hour.`,
        'Lower alerts.approvalOver or approvals.singlesPerHour, or list under access.send.flash who may page.',
      ),
    team.wire.isGuessed &&
      advice(
        'wire.answers.success is not set: what the service answers is read with care, and never for certain.',
        'Describe its answers, see docs/accounts.md.',
      ),
  ].filter((finding) => finding !== false);
}

function isPlainElsewhere(address: string | undefined): boolean {
  const url = address === undefined ? undefined : URL.parse(address);
  return (
    url?.protocol === 'http:' && !/^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  );
}
