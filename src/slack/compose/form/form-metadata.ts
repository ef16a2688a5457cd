import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MESSAGE_KINDS } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { canCarry, readIfCarried } from '../../connection/carried.ts';
import { unclearFileSchema } from '../../kit/files/file-inputs.ts';
import type { Word } from '../../kit/templates/fit-values.ts';

const wordSchema = z.strictObject({
  text: z.string(),
  quoted: z.boolean(),
  target: z.string().exactOptional(),
  doubtful: z.boolean(),
  newLine: z.boolean(),
});

const metadataSchema = z.strictObject({
  /** The place it was asked for in; absent where the form itself asks. */
  channelId: z.string().min(1).optional(),
  /** The template whose fields are shown, as `templateMark` writes it. */
  shown: z.string().min(1).optional(),
  /** Values of a quick line whose template was not found: they fill the fields of the one that is chosen. */
  waiting: z.array(wordSchema).readonly().optional(),
  /** The checked list that the form is about. */
  audienceId: z.string().min(1).optional(),
  /** The place among the first rows of that list whose preview is shown. */
  place: z.int().optional(),
  /** The file that the list is read from, or that waits for the person to name its number column. */
  sourceFile: unclearFileSchema.optional(),
  /** The draft that was put into the form. */
  draft: z.string().min(1).optional(),
  /** The id of the send to one person that it sends again. */
  again: z.string().min(1).optional(),
  /** The id of the send to many that it edits. */
  replaces: z.string().min(1).optional(),
  /** A digest of the sends that it repeats, as the person was asked about. */
  known: z.string().min(1).optional(),
  /** Fields that mostly have a default are shown, too. */
  more: z.boolean().optional(),
  /** The words of a customer that it answers, in their thread. */
  answering: z
    .strictObject({
      /** The event's id. */
      event: z.number(),
      /** To whom, and what they wrote. */
      about: z.string(),
      /** In which the person may answer. */
      kinds: z.array(z.enum(MESSAGE_KINDS)),
      /** The fields of the sender, as the send had them. */
      sender: z.record(z.string(), z.string()),
      /** When they were last heard of. */
      heardAt: z.number(),
      /** The newest answer that stood in the thread when it was opened; empty for none. */
      before: z.string(),
    })
    .optional(),
});

/** A form carries this in its private_metadata. */
export type FormMetadata = z.output<typeof metadataSchema>;

export type Answering = NonNullable<FormMetadata['answering']>;

/** It carries this however often it is drawn anew. */
export type Carried = Omit<FormMetadata, 'shown' | 'audienceId' | 'place'>;

export function carriedIn(form: Partial<Carried>): Carried {
  const { channelId, waiting, sourceFile, draft, again, replaces, known, more, answering } = form;
  return { channelId, waiting, sourceFile, draft, again, replaces, known, more, answering };
}

/** At most 3000 characters, as Slack demands; values that are too long to carry are left out. */
export function writeMetadata(metadata: FormMetadata): string {
  const { waiting: _words, ...withoutWaiting } = metadata;
  const { sourceFile: _read, ...least } = withoutWaiting;
  return JSON.stringify([metadata, withoutWaiting].find(canCarry) ?? least);
}

/** Undefined for what another version of Herald wrote. */
export function readMetadata(text: string): FormMetadata | undefined {
  return readIfCarried(metadataSchema, text);
}

/** True when the values of a line fit into what a form can carry. */
export function canCarryWords(waiting: readonly Word[]): boolean {
  return canCarry({ channelId: 'C'.repeat(24), waiting });
}

const FINGERPRINT_LENGTH = 8;

/**
 * Names a template as it is defined now, e.g. `order_update~1a2b3c4d`. It is the suffix of the blocks of the
 * template's own fields: another template, or another definition of the same one, never inherits a value, and a
 * submitted form says for which definition it was filled in.
 */
export function templateMark(template: Template): string {
  const definition = JSON.stringify([
    template.channel,
    template.variant,
    template.placeholders,
    template.languages,
    template.cards,
    template.text ?? null,
  ]);
  const fingerprint = createHash('sha256').update(definition).digest('hex').slice(0, FINGERPRINT_LENGTH);
  return `${template.name}~${fingerprint}`;
}

/** True when the mark is of this template, in this or another definition. */
export function isMarkOf(mark: string | undefined, template: Template): boolean {
  return mark?.slice(0, mark.lastIndexOf('~')) === template.name;
}

/** The suffix of inputs whose form was rearranged so often. */
export function revisionMark(revision: number): string {
  return `r${revision}`;
}

/** The revision that a suffix names; undefined for the suffix of a template's fields. */
export function revisionIn(mark: string | undefined): number | undefined {
  const [, digits] = /^r(\d{1,6})$/.exec(mark ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
