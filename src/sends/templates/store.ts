import { type Message, templateKeyOf } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Failure } from '../outcome.ts';
import type { TemplateMark } from './mark.ts';

/** The author of changes that come from the file. */
export const HERALD_YML = 'herald.yml';

/** Identifies a template, as it is registered with the service. */
export type TemplateKey = Pick<Template, 'channel' | 'name'>;

/** The key as one text, for maps. */
export function keyOf({ channel, name }: TemplateKey): string {
  return `${channel}/${name}`;
}

/** A template in the catalogue. */
export interface StoredTemplate {
  readonly template: Template;
  /** Archived templates are not offered and can be restored. */
  readonly archived: boolean;
  /** Counts its changes, from 1. */
  readonly revision: number;
  /** A Slack user id, or `herald.yml`. */
  readonly changedBy: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** The last word about it at the service; not a part of its definition. */
  readonly mark?: TemplateMark;
}

export type TemplateAction = 'added' | 'edited' | 'archived' | 'restored';

/** How a change was made. */
export type TemplateSource = 'form' | 'import' | typeof HERALD_YML;

/** A change of one template. */
export interface TemplateWrite extends Pick<StoredTemplate, 'template' | 'archived'> {
  readonly action: TemplateAction;
  /** The revision that the change was made from; 0: there must be none yet. */
  readonly expected: number;
}

/** Names who made a change, when and how. */
interface TemplateAuthor {
  readonly actor: string;
  readonly at: number;
  readonly source: TemplateSource;
}

/** One line of the append-only history, with the template after the change. */
export interface TemplateChange extends TemplateAuthor, Pick<TemplateWrite, 'template' | 'action'> {
  readonly revision: number;
}

/** Durable memory of the templates. Every method is one transaction that is on disk when it resolves. */
export interface TemplateStore {
  /** All, archived ones included, by channel and name. */
  all(): Promise<readonly StoredTemplate[]>;
  find(key: TemplateKey): Promise<StoredTemplate | undefined>;
  /**
   * Makes all changes, with a line of history each, or none. Returns the keys whose `expected` is not the stored revision;
   * if there are any, nothing is written.
   */
  write(writes: readonly TemplateWrite[], author: TemplateAuthor): Promise<readonly TemplateKey[]>;
  /**
   * Notes what was said of every template of this name, or of one, unless something newer was. Returns those that have changed,
   * and those that had this very mark already.
   */
  mark(
    which: Pick<TemplateKey, 'name'> & Partial<TemplateKey>,
    mark: TemplateMark,
  ): Promise<readonly TemplateKey[]>;
  /** Newest first; only before revision `before`, if given. */
  history(key: TemplateKey, limit: number, before?: number): Promise<readonly TemplateChange[]>;
  /**
   * Changes with every write by any process, overlapping ones too: what was read at the same version is still current.
   */
  version(): Promise<number>;
}

/** A probable fault of a template, by the service's code. */
export type TemplateDoubt = 'placeholders' | 'registration' | 'parameters';

/** Codes of the interface document for templates that differ between catalogue and service. */
const DOUBTS: ReadonlyMap<string, TemplateDoubt> = new Map([
  ['132000', 'placeholders'],
  ['132001', 'registration'],
  ['132015', 'parameters'],
]);

export function templateDoubt(code: string | undefined): TemplateDoubt | undefined {
  return DOUBTS.get(code ?? '');
}

/** The template to check after a failure, with the code; undefined for other failures. */
export function templateAtFault(
  message: Message,
  failure: Pick<Failure, 'code'> | undefined,
): { readonly key: TemplateKey; readonly code: string } | undefined {
  const code = failure?.code;
  const key = templateKeyOf(message);
  return key && code !== undefined && templateDoubt(code) !== undefined ? { key, code } : undefined;
}
