import type { Template } from '../../messages/templates/template.ts';

/** Who a template's change came from when no person made it: the file was read at a start. */
export const HERALD_YML = 'herald.yml';

/** A template is known by its channel and its name, as it is registered with the service. */
export type TemplateKey = Pick<Template, 'channel' | 'name'>;

/** A template as the catalogue has it now. */
export interface StoredTemplate {
  readonly template: Template;
  /** Archived ones are offered to nobody and can be restored. */
  readonly archived: boolean;
  /** Counts its changes, from 1: an edit names the revision that it was made from. */
  readonly revision: number;
  /** A Slack user id, or `herald.yml`. */
  readonly changedBy: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

export type TemplateAction = 'added' | 'edited' | 'archived' | 'restored';

/** Which way a change came in. */
export type TemplateSource = 'form' | 'import' | typeof HERALD_YML;

/** A wished state of one template. */
export interface TemplateWrite {
  readonly template: Template;
  readonly archived: boolean;
  readonly action: TemplateAction;
  /** The revision that the request was made from; 0: there must be none yet. */
  readonly expected: number;
}

/** Who asks for it, when, and how. */
export interface TemplateAuthor {
  readonly actor: string;
  readonly at: number;
  readonly source: TemplateSource;
}

/** One line of the append-only history, with the template as it was from then on. */
export interface TemplateChange extends TemplateAuthor {
  readonly revision: number;
  readonly action: TemplateAction;
  readonly template: Template;
}

/** Durable memory of the templates. Every method is one transaction that is on disk when it resolves. */
export interface TemplateStore {
  /** Archived ones too, by channel and name. */
  all(): Promise<readonly StoredTemplate[]>;
  find(key: TemplateKey): Promise<StoredTemplate | undefined>;
  /**
   * All of the writes, with a line of history each, or none: when one was made from another revision than the
   * stored one, nothing is written and the keys of those come back.
   */
  write(writes: readonly TemplateWrite[], author: TemplateAuthor): Promise<readonly TemplateKey[]>;
  /** Newest first, those before revision `before` where it is given. */
  history(key: TemplateKey, limit: number, before?: number): Promise<readonly TemplateChange[]>;
  /**
   * Differs after every write, by whichever process and however writes overlap: what was read at the same version is
   * still so.
   */
  version(): Promise<number>;
}
