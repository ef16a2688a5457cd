import type { Send } from '../send.ts';
import type { TaskKind } from '../tasks.ts';

/** Approvers are reminded once, in the last quarter of the time they have. */
const REMIND_BEFORE = 1 / 4;

/** Something that time will do to a send; `at` in milliseconds since the epoch. */
export interface Due {
  readonly kind: Exclude<TaskKind, 'look'>;
  readonly at: number;
}

/** What time will do to a bulk send as it stands now, earliest first; nothing while it waits for people only. */
export function dueOf({ state, createdAt, approval, startAt, resumeAt }: Send): readonly Due[] {
  switch (state) {
    case 'awaiting_approval': {
      if (approval === undefined) return [];
      const { expiresAt } = approval;
      const remindAt = expiresAt - (expiresAt - createdAt) * REMIND_BEFORE;
      return [
        { kind: 'remind', at: remindAt },
        { kind: 'expire', at: expiresAt },
      ];
    }
    case 'approved':
      // Where its time has not come yet, starting it plans it for then.
      return [{ kind: 'start', at: createdAt }];
    case 'scheduled':
      return [{ kind: 'start', at: startAt ?? createdAt }];
    case 'paused':
      // Without a time it waits for a person.
      return resumeAt === undefined ? [] : [{ kind: 'resume', at: resumeAt }];
    default:
      return [];
  }
}
