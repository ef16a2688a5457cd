import { advice, type Finding } from '../core/finding.ts';
import type { Environment } from './environment.ts';

const ADDRESSES = ['SLACK_API_URL', 'MESSAGING_BASE_URL', 'MESSAGING_FLASH_URL'] as const;

const OLD_SECRETS = ['SLACK_SIGNING_SECRET_OLD', 'WEBHOOK_TOKEN_OLD'] as const;

/** What is allowed, and may not be meant. */
export function risksOf(environment: Environment): readonly Finding[] {
  const plain = ADDRESSES.filter((key) => isPlainElsewhere(environment[key])).map((key) =>
    advice(
      `${key} begins with http:// and names another machine: keys, numbers and texts can be read on the way.`,
      'Use https://.',
    ),
  );
  const old = OLD_SECRETS.filter((key) => environment[key] !== undefined).map((key) =>
    advice(`${key} is still set.`, 'Take it out once nobody uses it any more.'),
  );
  const off = advice(
    'Webhooks are off: without WEBHOOK_TOKEN no answer of a customer reaches Slack.',
    'Set WEBHOOK_TOKEN, and give the service the address that docs/answers.md names.',
  );
  return [...plain, ...old, ...(environment.WEBHOOK_TOKEN === undefined ? [off] : [])];
}

function isPlainElsewhere(address: string | undefined): boolean {
  const url = address === undefined ? undefined : URL.parse(address);
  return (
    url?.protocol === 'http:' && !/^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  );
}
