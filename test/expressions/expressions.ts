import { parseSync, Visitor } from 'oxc-parser';

/*
 * Every regular expression of a file, and whether the time it takes grows no faster than what it reads: text comes
 * from customers, from channels and from the messaging service, and one that takes for ever stops everything.
 */

/** An expression as it stands in a file. */
export interface Expression {
  readonly line: number;
  /** Undefined for one that is put together while Herald runs: it cannot be judged here. */
  readonly pattern: string | undefined;
  readonly flags: string;
}

/** Methods that make an expression of the text that they are given. */
const MAKES_EXPRESSION: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

export function expressionsOf(path: string, source: string): readonly Expression[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: Expression[] = [];
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const computed = (start: number) => found.push({ line: lineOf(start), pattern: undefined, flags: '' });
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) {
        const { pattern, flags } = node.regex;
        found.push({ line: lineOf(node.start), pattern, flags });
      }
    },
    NewExpression: ({ callee, start }) => {
      if (nameOf(callee) === 'RegExp') computed(start);
    },
    CallExpression: ({ callee, arguments: [first], start }) => {
      const name = nameOf(callee);
      const isText = first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && !('regex' in first));
      if (name === 'RegExp' || (MAKES_EXPRESSION.has(name) && isText)) computed(start);
    },
  }).visit(program);
  return found;
}

/** `RegExp` and `globalThis.RegExp` alike. */
function nameOf(callee: {
  readonly type: string;
  readonly name?: unknown;
  readonly property?: object;
}): string {
  const named =
    callee.type === 'MemberExpression' && callee.property !== undefined ? callee.property : callee;
  return 'name' in named && typeof named.name === 'string' ? named.name : '';
}

/** Reads the checker, which looks for its own binary unless told to use JavaScript alone. */
async function loadChecker() {
  process.env.RECHECK_BACKEND = 'pure';
  return await import('recheck');
}

const { checkSync } = await loadChecker();
/** How long one expression may be thought about; the longest of Herald take two seconds on a quiet machine. */
const PATIENCE_MS = 60_000;

/**
 * What is wrong with an expression; undefined when it is proven to be linear, or to look at a bounded number of
 * characters from each place. What the checker cannot judge (look-around or a reference back beside a repetition
 * without end) is wrong as well.
 */
export function fault({ pattern, flags }: Expression): string | undefined {
  if (pattern === undefined) return 'put together while Herald runs';
  const found = checkSync(pattern, flags, { checker: 'automaton', timeout: PATIENCE_MS });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `not judged: ${found.error.kind}`;
  return found.complexity.summary;
}
