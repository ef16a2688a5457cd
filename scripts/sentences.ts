import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/*
 * Every sentence that a person can meet, out of the syntax trees of the rooms that speak to people: texts and templates that
 * begin like a sentence and end like one. What only logs and start-up say is left out, and so is what describes a key.
 */

const TOP = new URL('../', import.meta.url);
const ROOMS = ['slack', 'sends', 'messages', 'gateway'];
const SENTENCE = /^[A-Z“*{…✅⚠⛔][\s\S]*\s[\s\S]*[.?!…:]$/u;
/** Calls whose texts are for whoever runs Herald. */
const NOT_SAID = /^(?:logger|metrics|console|RegExp|Error|RangeError|TypeError)$/;

interface Text {
  readonly start: number;
  readonly end: number;
  readonly said: string;
}

/** The lines of the list: of each file its sentences, in the order of the code. */
export function describeSentences(): string[] {
  const files = globSync(`src/{${ROOMS.join(',')}}/**/*.ts`, { cwd: TOP }).toSorted();
  return files.flatMap((file) => {
    const said = sentencesIn(file, readFileSync(new URL(file, TOP), 'utf8'));
    return said.length === 0
      ? []
      : ['', `## ${file.slice('src/'.length)}`, '', ...said.map((one) => `- ${one}`)];
  });
}

function sentencesIn(file: string, code: string): string[] {
  const texts: Text[] = [];
  const silent: { readonly start: number; readonly end: number }[] = [];
  const add = ({ start, end }: { start: number; end: number }, said: string) => {
    const line = said.replace(/\s+/g, ' ').trim();
    if (SENTENCE.test(line)) texts.push({ start, end, said: line });
  };
  const mute = (node: { start: number; end: number; callee: { start: number; end: number } }) => {
    const [root = ''] = code.slice(node.callee.start, node.callee.end).split(/[.?!(]/);
    const isLogged = /\b(?:logger|log)\b/.test(code.slice(node.callee.start, node.callee.end));
    if (isLogged || NOT_SAID.test(root)) silent.push(node);
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, node.value);
    },
    TemplateLiteral: (node) => {
      const [first, ...rest] = node.quasis.map(({ value }) => value.cooked ?? '');
      const parts = node.expressions.map(({ start, end }) => nameOf(code.slice(start, end)));
      add(
        node,
        rest.reduce((said, text, at) => `${said}{${parts[at]}}${text}`, first ?? ''),
      );
    },
    CallExpression: mute,
    NewExpression: mute,
  }).visit(parseSync(file, code).program);
  const isSaid = ({ start, end }: Text) =>
    !silent.some((call) => call.start <= start && end <= call.end) &&
    !texts.some((other) => other.start < start && end < other.end);
  return [...new Set(texts.filter(isSaid).map(({ said }) => said))];
}

/** The last name in an expression: `{masked(number)}` is a number. */
function nameOf(expression: string): string {
  return /([a-z_]\w*)\W*$/i.exec(expression)?.[1] ?? '…';
}
