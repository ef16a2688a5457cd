import { fail, ok } from '../../core/result.ts';
import {
  IMAGE_EXTENSION_PATTERN,
  IMAGE_MAX_MEGABYTES,
  LINK_PATTERN,
  TEXT_MAX_CHARACTERS,
} from '../limits.ts';
import { textProblem } from '../text.ts';
import type { FieldMeta } from './field.ts';
import { type Read, readLine, required } from './form.ts';

/** The hint of an image's URL. Herald does not fetch it, so the size is not checked. */
export const IMAGE_HINT = `A public link to a JPG, JPEG or PNG of at most ${IMAGE_MAX_MEGABYTES} MB, starting with http:// or https://.`;
export const LINK_HINT = 'A public link starting with http:// or https://.';

/** A leaf for the name of a document. */
export function fileNameField() {
  const label = 'File name';
  return required(
    {
      label,
      hint: 'The name under which the recipient sees the document.',
      placeholder: 'invoice.pdf',
      maxLength: TEXT_MAX_CHARACTERS,
      affectsPreview: true,
    },
    'Enter the document’s file name, such as invoice.pdf.',
    readLine(label),
  );
}

/** A leaf for a URL that the service will fetch. */
export function linkField(meta: FieldMeta, missing: string, read: Read<string>) {
  return required({ ...meta, input: 'url' }, missing, read);
}

/** An absolute http or https URL, as typed but for the letter case of its scheme; never fetched by Herald. */
export function readLink(label: string): Read<string> {
  return (typed) => {
    const link = typed.trim();
    const problem = textProblem(link, { label, lineBreaks: false });
    if (problem !== undefined) return fail(problem);
    if (!LINK_PATTERN.test(link)) return fail(`${label} must start with http:// or https://.`);
    if (/\s/.test(link)) return fail(`${label} contains a space: write %20 instead.`);
    if (!URL.canParse(link))
      return fail(`${label} is not a complete link, such as https://example.com/file.`);
    return ok(link.replace(LINK_PATTERN, (scheme) => scheme.toLowerCase()));
  };
}

/** A link to a JPG, JPEG or PNG, judged by the end of its path; a query or fragment may follow. */
export function readImageLink(label: string): Read<string> {
  const readAny = readLink(label);
  return (typed) => {
    const link = readAny(typed);
    if (link.ok && !IMAGE_EXTENSION_PATTERN.test(new URL(link.value).pathname)) {
      return fail(`${label} must lead to an image whose name ends in .jpg, .jpeg or .png.`);
    }
    return link;
  };
}
