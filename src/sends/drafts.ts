import type { MessageKind } from '../messages/kinds.ts';

/** Most characters of a draft's name, which is the value of an option in Slack (at most 75). */
export const DRAFT_NAME_MAX_CHARACTERS = 60;

/** A form saved for later, complete or not, without recipients. */
export interface SavedDraft {
  /** Slack user id; nobody else sees the draft. */
  readonly owner: string;
  readonly kind: MessageKind;
  /** Unique among the person's drafts of this kind; 1 to 60 characters. */
  readonly name: string;
  /** The form's values by form path; not validated. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly savedAt: number;
}

export type DraftKey = Pick<SavedDraft, 'owner' | 'kind' | 'name'>;

/** Durable memory of drafts. */
export interface DraftStore {
  /** Replaces a draft of the same name. */
  save(draft: SavedDraft): Promise<'added' | 'replaced'>;
  find(key: DraftKey): Promise<SavedDraft | undefined>;
  /** The names of a person's drafts of a kind, newest first. */
  names(owner: string, kind: MessageKind): Promise<readonly string[]>;
  /** False when there was none. */
  remove(key: DraftKey): Promise<boolean>;
}
