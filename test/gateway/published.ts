import { readFileSync } from 'node:fs';

/**
 * What services publish, kept as text: a `#` begins a group, a name a shape, below it stands its body as it is sent, and
 * behind each arrow one thing that must be read of it. What is read of most shapes of a group stands below the group's name.
 */
export function publishedShapes(file: URL) {
  const [, ...groups] = readFileSync(file, 'utf8').split(/^# /m);
  return groups.map((group) => {
    const [head = '', ...shapes] = group.trim().split('\n\n');
    const [kind, , usual] = shapeOf(head);
    const read = shapes
      .map(shapeOf)
      .map(([name, body, own]) => [name, body, own.length > 0 ? own : usual] as const);
    return [kind, read] as const;
  });
}

function shapeOf(block: string) {
  const [name = '', ...lines] = block.split('\n');
  const isRead = (line: string) => line.startsWith('  → ');
  const body = lines.filter((line) => !isRead(line)).map((line) => line.slice(2));
  return [name, body.join('\n'), lines.filter(isRead).map((line) => line.slice(4))] as const;
}

/**
 * Accounts with published shapes: a `#` begins one, below it stands what it writes into herald.yml, and behind a blank line
 * one sample a line, with what must be read of it behind arrows.
 */
export function accounts(file: URL) {
  const [, ...written] = readFileSync(file, 'utf8').split(/^# /m);
  return written.map((account) => {
    const [head = '', samples = ''] = account.trim().split('\n\n');
    const [name = '', ...yaml] = head.split('\n');
    const read = samples.split(/\n(?! {2}→)/).map((sample) => {
      const [line = '', ...expected] = sample.split('\n  → ');
      return [line, expected] as const;
    });
    return [name, yaml.join('\n'), read] as const;
  });
}

/** Answers by groups, a `#` before each: one a line, with or without a name and a bar before it, and what must be read of it behind an arrow. */
export function answersOf(group: string) {
  const [, ...written] = readFileSync(new URL('answers.txt', import.meta.url), 'utf8').split(/^# /m);
  const [, ...lines] =
    written
      .find((one) => one.startsWith(`${group}\n`))
      ?.trim()
      .split('\n') ?? [];
  if (lines.length === 0) throw new Error(`answers.txt has no group ${group}.`);
  return lines.map((line) => {
    const [, name = '', body = '', expected = ''] = /^(?:(.+?) \| )?(.*) → (.*)$/.exec(line) ?? [];
    return [name, body, expected] as const;
  });
}
