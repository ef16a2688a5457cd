import { slackSentence } from './wording.ts';

/**
 * Rules that span elements: identifiers that must not repeat, one focus in a view. They read raw JSON, so that
 * they report even when a block has other faults.
 */
export function repeatedIdentifiers(blocks: readonly unknown[], prefix: string): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  blocks.forEach((block, index) => {
    const blockId = textField(block, 'block_id');
    if (blockId !== undefined && seen.has(blockId)) {
      problems.push(slackSentence(`\`block_id\` "${blockId}" already exists`, [index, 'block_id'], prefix));
    }
    if (blockId !== undefined) seen.add(blockId);
    problems.push(...repeatedActions(block, `${prefix}/${index}`));
  });
  return problems;
}

function repeatedActions(block: unknown, prefix: string): string[] {
  const elements = listField(block, 'elements');
  const seen = new Set<string>();
  return elements.flatMap((element, index) => {
    const actionId = textField(element, 'action_id');
    if (actionId === undefined) return [];
    if (!seen.has(actionId)) {
      seen.add(actionId);
      return [];
    }
    const problem = `\`action_id\` "${actionId}" already exists for another element`;
    return [slackSentence(problem, ['elements', index, 'action_id'], prefix)];
  });
}

/** Only one element of a view may take the focus when it opens. */
export function countFocused(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countFocused(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'focus_on_load' in value && value.focus_on_load === true ? 1 : 0;
  return Object.values(value).reduce<number>((sum, item) => sum + countFocused(item), own);
}

/** All text a reader sees in blocks, in characters: what Slack's limit for a whole message counts. */
export function visibleTextLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + visibleTextLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce<number>((sum, [key, item]) => {
    return sum + (key === 'text' && typeof item === 'string' ? item.length : visibleTextLength(item));
  }, 0);
}

export function blockTypeOf(block: unknown): string | undefined {
  return textField(block, 'type');
}

function textField(value: unknown, key: string): string | undefined {
  const field = fieldOf(value, key);
  return typeof field === 'string' ? field : undefined;
}

function listField(value: unknown, key: string): unknown[] {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? field : [];
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[key];
}
