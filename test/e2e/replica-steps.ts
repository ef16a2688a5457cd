import type { Replicas } from './replicas.ts';
import { APPROVALS, ASHA, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* What tests of several Heralds do and look at. */

export const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1, singlesPerHour: 3 }
pacing: { sms: { perSecond: 20, concurrency: 10, recipientsPerRequest: 1 } }
`;

/** So many, one after the other. */
export const numbers = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => `+9198${String(from + n).padStart(8, '0')}`);

/** More do not fit into a field of 3,000 characters, and come as a file. */
const MOST_TYPED = 200;

export type ReplicaSteps = ReturnType<typeof replicaSteps>;

export function replicaSteps(stack: Replicas) {
  /** The message of a send itself: news of it, which may hold its text as well, stand in threads. */
  const message = (channel: string, text: string) =>
    stack.workspace
      .snapshot()
      .messages.findLast(
        (one) => one.channel === channel && one.thread_ts === undefined && JSON.stringify(one).includes(text),
      );

  /** Waits until the progress message of the send with this text says `state`. */
  const shows = (text: string, state: string) =>
    stack.watch.until(
      `“${text}” to be ${state}`,
      () => message(TEAM, text)?.text?.includes(`: ${state}`),
      60_000,
    );

  /** Presses a button of the message that holds `text`. */
  const press = (person: string, channel: string, text: string, action: string) => {
    const found = message(channel, text);
    if (found === undefined) throw new Error(`Nothing in ${channel} says “${text}”.`);
    return stack.person(person).click(action, { message: found });
  };

  /** Asha opens the form at one replica, submits it at the other, and its review at the one. */
  async function ask(text: string, to: readonly string[]): Promise<void> {
    const asha = stack.person(ASHA);
    stack.balancer.sendTo(0);
    const form = await asha.openForm(TEAM, '/sms');
    stack.balancer.sendTo(1);
    const typed = to.length <= MOST_TYPED;
    await form.choose('recipients', typed ? 'numbers' : 'file');
    stack.balancer.sendTo(0);
    form.fill('text', text);
    if (typed) form.fill('numbers', to.join('\n'));
    else form.attach('file', [await asha.upload('customers.csv', ['phone', ...to].join('\n'))]);
    stack.balancer.sendTo(1);
    await form.submit();
    await stack.watch.until('the review', () => /Ask for approval/.test(JSON.stringify(asha.views())));
    stack.balancer.sendTo(0);
    await form.submit();
    await stack.watch.until('the approval card', () => message(APPROVALS, text));
    await form.close();
    stack.balancer.sendTo(undefined);
  }

  return { message, shows, press, ask };
}
