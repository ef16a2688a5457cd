import { describe, expect, it } from 'vitest';
import { contentOf, stateFor, valueObject } from '../../../sandbox/ui/blocks/input-state.ts';
import type { Block, Element, Option } from '../../../sandbox/ui/blocks/types.ts';

const input = (blockId: string, element: Element): Block => ({ type: 'input', block_id: blockId, element });
const option = (value: string): Option => ({ text: { type: 'plain_text', text: value }, value });
const text = (more: Partial<Element> = {}): Element => ({
  type: 'plain_text_input',
  action_id: 'v',
  ...more,
});
const typed = (value: string | null) => ({ type: 'plain_text_input', value });

describe('what the inputs of a new view hold', () => {
  it.each<[element: Element, value: Record<string, unknown>]>([
    [text(), typed(null)],
    [text({ initial_value: 'Hello' }), typed('Hello')],
    [{ type: 'number_input' }, { type: 'number_input', value: null }],
    [{ type: 'static_select' }, { type: 'static_select', selected_option: null }],
    [
      { type: 'external_select', initial_option: option('a') },
      { type: 'external_select', selected_option: option('a') },
    ],
    [{ type: 'multi_static_select' }, { type: 'multi_static_select', selected_options: [] }],
    [
      { type: 'checkboxes', initial_options: [option('a')], options: [option('a')] },
      {
        type: 'checkboxes',
        selected_options: [option('a')],
      },
    ],
    [
      { type: 'radio_buttons', options: [option('a')] },
      { type: 'radio_buttons', selected_option: null },
    ],
    [
      { type: 'users_select', initial_user: 'U1' },
      { type: 'users_select', selected_user: 'U1' },
    ],
    [{ type: 'multi_users_select' }, { type: 'multi_users_select', selected_users: [] }],
    [{ type: 'channels_select' }, { type: 'channels_select', selected_channel: null }],
    [{ type: 'conversations_select' }, { type: 'conversations_select', selected_conversation: null }],
    [
      { type: 'datepicker', initial_date: '2026-11-21' },
      { type: 'datepicker', selected_date: '2026-11-21' },
    ],
    [{ type: 'timepicker' }, { type: 'timepicker', selected_time: null }],
    [
      { type: 'datetimepicker', initial_date_time: 5 },
      { type: 'datetimepicker', selected_date_time: 5 },
    ],
    [{ type: 'file_input' }, { type: 'file_input', files: [] }],
  ])('%j', (element, value) => {
    const withId = { ...element, action_id: 'v' };
    expect(stateFor([input('b', withId)], {}, {})).toEqual({ b: { v: value } });
  });

  it('finds inputs in sections and actions, and none in buttons', () => {
    const blocks: Block[] = [
      { type: 'section', block_id: 's', accessory: { type: 'datepicker', action_id: 'day' } },
      {
        type: 'actions',
        block_id: 'a',
        elements: [
          { type: 'button', action_id: 'go' },
          { type: 'timepicker', action_id: 'hour' },
        ],
      },
      { type: 'divider', block_id: 'd' },
    ];
    expect(stateFor(blocks, {}, {})).toEqual({
      s: { day: { type: 'datepicker', selected_date: null } },
      a: { hour: { type: 'timepicker', selected_time: null } },
    });
  });
});

describe('what they hold after an update of the view', () => {
  it('keeps what was entered under the same block_id and action_id, whatever the new initial value', () => {
    const held = { to: { v: typed('+65') } };
    expect(stateFor([input('to', text({ initial_value: 'other' }))], held, {})).toEqual(held);
  });

  it('keeps a field that was emptied empty', () => {
    const held = { to: { v: typed(null) } };
    expect(stateFor([input('to', text({ initial_value: 'other' }))], held, {})).toEqual(held);
  });

  it('forgets under a new block_id or action_id, and what is no longer shown', () => {
    const held = { 'to:1': { v: typed('+65') }, gone: { v: typed('x') } };
    const blocks = [input('to:2', text()), input('from', text({ action_id: 'w', initial_value: 'Support' }))];
    expect(stateFor(blocks, held, {})).toEqual({ 'to:2': { v: typed(null) }, from: { w: typed('Support') } });
  });

  it('forgets when the element is of another type now', () => {
    const blocks = [input('to', { type: 'static_select', action_id: 'v', options: [option('a')] })];
    expect(stateFor(blocks, { to: { v: typed('+65') } }, {})).toEqual({
      to: { v: { type: 'static_select', selected_option: null } },
    });
  });

  it('forgets an option that is no longer offered, also out of groups', () => {
    const held = { from: { v: { type: 'static_select', selected_option: option('b') } } };
    const grouped = (options: Option[]): Element => ({
      type: 'static_select',
      action_id: 'v',
      option_groups: [{ label: { type: 'plain_text', text: 'All' }, options }],
    });
    expect(stateFor([input('from', grouped([option('a'), option('b')]))], held, {})).toEqual(held);
    expect(stateFor([input('from', grouped([option('a')]))], held, {})).toEqual({
      from: { v: { type: 'static_select', selected_option: null } },
    });
  });

  it('takes what the workspace holds where the page has nothing yet, as after a reload', () => {
    const stored = { to: { v: typed('+91') }, from: { v: typed('old') } };
    const held = { from: { v: typed('new') } };
    expect(stateFor([input('to', text()), input('from', text())], held, stored)).toEqual({
      to: { v: typed('+91') },
      from: { v: typed('new') },
    });
  });
});

it('writes and reads a value object by the key of its type', () => {
  const element: Element = { type: 'multi_channels_select' };
  const value = valueObject(element, ['C1']);
  expect(value).toEqual({ type: 'multi_channels_select', selected_channels: ['C1'] });
  expect(contentOf(element, value)).toEqual(['C1']);
  expect(contentOf({ type: 'button' }, { type: 'button', value: 'x' })).toBeUndefined();
});
