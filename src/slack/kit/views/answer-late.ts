import type { KnownBlock, ModalView } from '@slack/types';
import type { Surroundings } from '../../../core/surroundings.ts';
import { LATE, within } from '../../../core/within.ts';
import { notify } from '../clicks/answering.ts';
import type { SubmissionAnswer, SubmissionArguments } from '../clicks/arguments.ts';
import { isShown, showInWindow } from './view-updates.ts';

/** Slack gives a submission three seconds; the way there and back takes some of them. */
const ANSWER_MS = 2000;
/** However long the steps before took, storing the send gets a moment. */
const LEAST_MS = 200;

/** The answers to a submitted form whose work may take longer than Slack waits. */
interface Answers<Value> {
  /** Acknowledges with what the work came to; `LATE` where the window is to wait for it all the same. */
  readonly inTime: (value: Value) => Promise<unknown>;
  /** The window says this until then; without it, it closes. */
  readonly meanwhile?: ModalView;
  readonly late: (value: Value) => Promise<LateAnswer>;
}

interface LateAnswer {
  /** The window shows this then. */
  readonly view?: ModalView;
  /** The person gets this where no window shows it; without it a closed window is left at that. */
  readonly word?: () => {
    readonly sentence: string;
    readonly channelId?: string | undefined;
    readonly blocks?: KnownBlock[];
  };
}

/**
 * Answers a submitted form with what the work comes to: within about two seconds at once, else first with a sentence,
 * then with the view, and where that is not shown with a word to the person.
 *
 * @param startedAt when the submission came, by the monotonic clock
 */
export async function answerLate<Value>(
  { body, ack, client }: SubmissionArguments,
  work: Promise<Value>,
  { inTime, meanwhile, late }: Answers<Value>,
  { clock, logger }: Surroundings,
  startedAt: number = clock.monotonic(),
): Promise<void> {
  const quick = await within(work, Math.max(startedAt + ANSWER_MS - clock.monotonic(), LEAST_MS), clock);
  if (quick !== LATE && (await inTime(quick)) !== LATE) return;
  await ack(meanwhile && showing(meanwhile));
  const { view, word } = await late(await work);
  const update = view && { view_id: body.view.id, view };
  if (word === undefined) {
    if (update) await showInWindow(client, update);
  } else if (update === undefined || !(await isShown(client, update, logger))) {
    const { sentence, channelId, blocks } = word();
    await notify(client, { channelId, userId: body.user.id }, sentence, logger, blocks);
  }
}

/** The answer that puts a view into the place of the submitted one. */
export function showing(view: ModalView): SubmissionAnswer {
  return { response_action: 'update', view };
}
