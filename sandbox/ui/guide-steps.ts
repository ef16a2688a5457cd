import type { SandboxMessage } from '../protocol.ts';

const MANAGER = 'U0RAVI';
const APPROVALS = 'C0APPROVALS';
const ALERTS = 'C0ALERTS';

const ASKER = 'U0ASHA';
const TEAM = 'C0TEAM';

export interface Step {
  id: 'send' | 'ask' | 'approve' | 'alert' | 'answer';
  title: string;
  /** What to do once the click has brought the person there. */
  hint: string;
  as: string;
  channel: string;
  command?: { command: string; text: string };
}

/** The way through the sandbox for whoever sees it first. */
export const STEPS: readonly Step[] = [
  {
    id: 'send',
    title: 'Send your first message',
    hint: 'Choose a template, enter +91 98123 45678, press Send, and watch the phone.',
    as: ASKER,
    channel: TEAM,
    command: { command: '/chatapp', text: '' },
  },
  {
    id: 'ask',
    title: 'Ask for a bulk send with this sample list',
    hint: 'Under Recipients choose a CSV file, then “Use the sample list”. Three of its rows are bad on purpose.',
    as: ASKER,
    channel: TEAM,
    command: { command: '/chatapp', text: 'order_update' },
  },
  {
    id: 'approve',
    title: 'Be the manager and approve it',
    hint: 'As Ravi, read what the customers get, and press Approve.',
    as: MANAGER,
    channel: APPROVALS,
  },
  {
    id: 'alert',
    title: 'Let a machine raise the alarm',
    hint: 'Post an alert as Grafana: whoever is on call gets a flash SMS, and the thread says so.',
    as: ASKER,
    channel: ALERTS,
  },
  {
    id: 'answer',
    title: 'Answer as a customer',
    hint: 'Write into a phone at the right: the words stand in the thread of the message there.',
    as: ASKER,
    channel: TEAM,
  },
];

/** What was done already, by what stands in the channels now. */
export function stepsDone(messages: readonly SandboxMessage[]): ReadonlySet<Step['id']> {
  const cards = messages.filter(({ channel, blocks = [] }) => {
    const [first] = blocks as { block_id?: string }[];
    return channel === APPROVALS && first?.block_id?.startsWith('approval:');
  });
  const done: Readonly<Record<Step['id'], boolean>> = {
    send: messages.some(({ channel, text = '' }) => channel === TEAM && /accepted by the service/.test(text)),
    ask: cards.length > 0,
    approve: cards.some(({ text = '' }) => text.includes(': approved')),
    alert: messages.some(({ channel, thread_ts }) => channel === ALERTS && thread_ts !== undefined),
    answer: messages.some(({ thread_ts, text = '' }) => thread_ts !== undefined && / wrote:|💬 /.test(text)),
  };
  return new Set(STEPS.map(({ id }) => id).filter((id) => done[id]));
}
