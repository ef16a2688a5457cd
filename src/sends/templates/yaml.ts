import { type Document, isNode, LineCounter, parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { fail, ok, type Result } from '../../core/result.ts';
import { type Template, templateListSchema } from '../../messages/templates/template.ts';

/** A problem in a file of templates, with its line, from 1. */
export interface TemplateFileProblem {
  readonly line: number;
  readonly message: string;
}

/** Far more than any catalogue needs; the file is read into memory. */
export const TEMPLATE_FILE_MAX_BYTES = 2_000_000;
/** Nobody reads more. */
export const MOST_PROBLEMS = 1_000;

/**
 * The templates of a YAML file: a list as under `templates` in `herald.yml`, under that key or by itself.
 * Returns the first problems, in the order of the file.
 */
export function readTemplateFile(
  source: string,
): Result<readonly Template[], readonly TemplateFileProblem[]> {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return fail(
      document.errors.slice(0, MOST_PROBLEMS).map(({ pos, message }) => ({
        line: lines.linePos(pos[0]).line,
        message: `This is not valid YAML: ${message.replace(/\.$/, '')}.`,
      })),
    );
  }
  const written = valueIn(document);
  if (!written.ok) return fail([{ line: 1, message: written.error }]);
  const above = Array.isArray(written.value) ? [] : ['templates'];
  const list = above.length === 0 ? written.value : named.safeParse(written.value).data?.templates;
  if (!Array.isArray(list) || list.length === 0) return fail([{ line: 1, message: NO_LIST }]);
  const parsed = templateListSchema.safeParse(list);
  if (parsed.success) return ok(parsed.data);
  return fail(
    parsed.error.issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => ({
        line: lineOf(document, lines, [...above, ...path]),
        message: `${placeOf(list, path)}${message}`,
      }))
      .sort((a, b) => a.line - b.line),
  );
}

const named = z.looseObject({ templates: z.unknown() });
const NO_LIST = 'The file has no templates. Write them as a list, like “templates” in herald.example.yml.';

/** The templates as a YAML file. */
export function writeTemplateFile(templates: readonly Template[]): string {
  return stringify({ templates: templates.map(written) }, { lineWidth: 0 });
}

/** Without the schema's defaults. */
function written({ name, channel, variant, label, languages, placeholders, cards, ...rest }: Template) {
  return {
    name,
    channel,
    variant,
    label,
    ...(languages.length > 0 ? { languages } : {}),
    ...(placeholders.length > 0 ? { placeholders } : {}),
    ...rest,
    ...(cards > 0 ? { cards } : {}),
  };
}

function valueIn(document: Document): Result<unknown, string> {
  try {
    return ok(document.toJS());
  } catch {
    // Nested aliases can expand a few lines to more than the memory.
    return fail('The aliases in this file expand to too much. Write each value out.');
  }
}

/** The line of the value at `path`, or of the closest one around it that exists. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Names the template and its key. */
function placeOf(list: readonly unknown[], [index, ...keys]: readonly PropertyKey[]): string {
  if (typeof index !== 'number') return '';
  const entry = list[index];
  const name =
    typeof entry === 'object' && entry !== null && 'name' in entry ? String(entry.name) : undefined;
  const which = name === undefined ? `template ${index + 1}` : `“${name}”`;
  return keys.length === 0 ? `${which}: ` : `${which}, ${keys.join('.')}: `;
}
