import { newBlockId } from './identifiers.ts';

export type Json = Record<string, unknown>;

/**
 * Gives every block a `block_id` and every interactive element an `action_id`, as Slack does when it stores
 * what an app sent without them.
 */
export function withIdentity(blocks: readonly unknown[]): Json[] {
  return blocks.map((block) => blockWithIdentity(asObject(block)));
}

/** The elements of a block that a person can use: in actions, as an accessory, in an input. */
export function elementsOf(block: Json): Json[] {
  const inside = [block.accessory, block.element, ...asList(block.elements), ...asList(block.actions)];
  const nested =
    block.type === 'carousel' ? asList(block.elements).flatMap((card) => elementsOf(asObject(card))) : [];
  return [...inside.filter((element) => isObject(element)).map(asObject), ...nested];
}

/** All blocks, those inside containers too. */
export function flattenBlocks(blocks: readonly unknown[]): Json[] {
  return blocks.flatMap((block) => {
    const own = asObject(block);
    return [own, ...flattenBlocks(asList(own.child_blocks))];
  });
}

export function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PASSIVE = new Set(['image', 'plain_text', 'mrkdwn', 'card', 'raw_text']);

function blockWithIdentity(block: Json): Json {
  const copy: Json = { ...block, block_id: block.block_id ?? newBlockId() };
  if (isObject(block.accessory)) copy.accessory = elementWithIdentity(block.accessory);
  if (isObject(block.element)) copy.element = elementWithIdentity(block.element);
  if (Array.isArray(block.child_blocks)) copy.child_blocks = withIdentity(block.child_blocks);
  if (Array.isArray(block.elements) && block.type !== 'rich_text') {
    copy.elements = block.elements.map((element) => elementWithIdentity(asObject(element)));
  }
  if (block.type === 'card' && Array.isArray(block.actions)) {
    copy.actions = block.actions.map((element) => elementWithIdentity(asObject(element)));
  }
  return copy;
}

function elementWithIdentity(element: Json): Json {
  if (element.type === 'card') return blockWithIdentity(element);
  if (PASSIVE.has(String(element.type))) return element;
  return { ...element, action_id: element.action_id ?? newBlockId() };
}
