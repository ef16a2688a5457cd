import { stripVTControlCharacters, styleText } from 'node:util';

const COLORS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;
/** By pino's numbers. */
const LEVELS: Readonly<Record<number, keyof typeof COLORS>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};
const PLAIN = /^[\w.:+/@-]+$/;

/** A line of the log as a person reads it at a terminal: time, level, sentence, fields, and the stack of an error below. */
export function prettyLine(line: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = LEVELS[Number(level)] ?? 'error';
  const said = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const parts = [
    clock,
    styleText(COLORS[name], name.padEnd(5)),
    clean(String(msg)),
    styleText('gray', clean(said.join(' '))),
  ];
  return `${parts.join(' ').trimEnd()}\n${error === undefined ? '' : `${clean(stackOf(error))}\n`}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
}

function stackOf(error: unknown): string {
  const has = typeof error === 'object' && error !== null && 'stack' in error;
  return (has ? String(error.stack) : shown(error)).replaceAll(/^/gm, '    ');
}

/** Foreign words must not move the cursor. */
function clean(text: string): string {
  return stripVTControlCharacters(text);
}
