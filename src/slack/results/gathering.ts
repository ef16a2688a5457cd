import type { AnnounceResult } from '../../sends/announcer.ts';
import type { SendReport } from '../../sends/send.ts';

/** So many wait for their own messages, a second each; of more one message tells. */
const MOST_ALONE = 3;
/** Failures say what to do: a message holds about so many of them, and of the others twice as many. */
const ROOM = 24;
const ROOM_OF_FAILURE = 3;

type Tell = (reports: readonly [SendReport, ...SendReport[]]) => Promise<AnnounceResult>;

interface Waiting {
  readonly report: SendReport;
  readonly told: PromiseWithResolvers<AnnounceResult>;
}

/** Tells of a send when it is its channel's turn, together with what the same person waits for there if that is much. */
export function createGathering(turn: (channelId: string) => Promise<void>, tell: Tell) {
  const queues = new Map<string, Waiting[]>();

  async function work(key: string, channelId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      await turn(channelId);
      const some = queue.splice(0, queue.length > MOST_ALONE ? fitting(queue) : 1);
      const [first, ...others] = some.map(({ report }) => report);
      const result = first && tell([first, ...others]);
      for (const { told } of some) if (result) told.resolve(result);
      await result?.catch(() => {});
    }
    queues.delete(key);
  }

  return {
    tell: (report: SendReport): Promise<AnnounceResult> => {
      const { channelId, threadTs, userId } = report.send.origin;
      const key = `${channelId}/${threadTs}/${userId}`;
      const told = Promise.withResolvers<AnnounceResult>();
      const queue = queues.get(key) ?? [];
      queue.push({ report, told });
      if (!queues.has(key)) {
        queues.set(key, queue);
        void work(key, channelId, queue);
      }
      return told.promise;
    },
  };
}

/** How many of those that wait longest have room in one message. */
function fitting(queue: readonly Waiting[]): number {
  let room = ROOM;
  const full = queue.findIndex(({ report }) => {
    room -= report.recipient.failure === undefined ? 1 : ROOM_OF_FAILURE;
    return room < 0;
  });
  return full === -1 ? queue.length : full;
}
