import type { MessageKind } from '../messages/kinds.ts';

/** Most characters of a draft's name: it travels as the value of a choice in Slack, which holds 75. */
export const DRAFT_NAME_MAX_CHARACTERS = 60;

/** What a person made in a form and keeps for later, whole or half done. It says nothing of recipients. */
export interface SavedDraft {
  /** Slack's id of the person; drafts are seen by nobody else. */
  readonly owner: string;
  readonly kind: MessageKind;
  /** Unlike the person's other drafts of the kind; 1 to 60 characters. */
  readonly name: string;
  /** What the form held, by form paths; not yet checked. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly savedAt: number;
}

export type DraftKey = Pick<SavedDraft, 'owner' | 'kind' | 'name'>;

/** Where drafts are kept. */
export interface DraftStore {
  /** A draft of the same name is replaced. */
  save(draft: SavedDraft): Promise<'added' | 'replaced'>;
  find(key: DraftKey): Promise<SavedDraft | undefined>;
  /** The names of a person's drafts of a kind, the one saved last first. */
  names(owner: string, kind: MessageKind): Promise<readonly string[]>;
  /** False when there was none. */
  remove(key: DraftKey): Promise<boolean>;
}
