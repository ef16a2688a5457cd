import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * What people wrote in the repository's documents, without the parts that are generated.
 */

export const TOP = new URL('../', import.meta.url);

/** Every document, by its path from the top. */
export const DOCUMENTS: readonly string[] = globSync(['*.md', 'docs/*.md'], { cwd: fileURLToPath(TOP) }).map(
  (path) => path.replaceAll('\\', '/'),
);

/** The text of a file. @param path from the top of the repository */
export function readText(path: string): string {
  return readFileSync(new URL(path, TOP), 'utf8');
}

export interface Document {
  readonly text: string;
  /** What stands between backticks within a line. */
  readonly codeSpans: readonly string[];
  /** Fenced blocks. */
  readonly codeBlocks: readonly { readonly language: string; readonly body: string }[];
}

/** @param path from the top of the repository */
export function readDocument(path: string): Document {
  const text = readText(path).replace(/<!-- (\w+):start -->[\s\S]*?<!-- \1:end -->/g, '');
  return {
    text,
    codeSpans: [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
    codeBlocks: [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)].map(
      ([, language = '', body = '']) => ({
        language,
        body,
      }),
    ),
  };
}

/** The body of the YAML block that has `key`. */
export function yamlWith(key: string, { codeBlocks }: Document): string {
  return codeBlocks.find(({ language, body }) => language === 'yaml' && body.includes(key))?.body ?? '';
}

/** What a pattern's first group, or else the whole of it, finds in a text; each once. */
export function all(pattern: RegExp, text: string): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([whole, part]) => part ?? whole))];
}

/** A file of the sources and, in brackets after it, the names that it declares. */
export const DECLARED = /`([\w./-]+\.ts)`\s+\(((?:`\w+`(?:, )?)+)\)/g;
