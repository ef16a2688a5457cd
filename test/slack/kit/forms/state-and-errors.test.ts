import { describe, expect, test } from 'vitest';
import { errors, readState } from '../../../../src/slack/kit/forms/read-state.ts';

const under = (issues: Parameters<typeof errors>[0], blocks: Parameters<typeof errors>[1]['blocks']) =>
  errors(issues, { blocks }).errors;

const text = (value: string | null) => ({ field: { type: 'plain_text_input', value } });

describe('reading a submitted state', () => {
  test('paths become one nested value', () => {
    expect(
      readState({
        to: text('+65'),
        'header.link': text('https://a.example'),
        'header.filename': text(null),
        'params.0': text('a'),
        'params.1': text('b'),
        'content.1.fileUrl': text('two'),
        'content.0.fileUrl': text('one'),
      }),
    ).toEqual({
      to: '+65',
      header: { link: 'https://a.example', filename: null },
      params: ['a', 'b'],
      content: [{ fileUrl: 'one' }, { fileUrl: 'two' }],
    });
  });

  test('values of another suffix are not this form’s', () => {
    const values = { to: text('+65'), 'params.0:old': text('Asha'), 'params.0:new': text('A-1') };
    expect(readState(values, 'new')).toEqual({ to: '+65', params: ['A-1'] });
    expect(readState(values)).toEqual({ to: '+65' });
  });

  test.each<[object, unknown]>([
    [{ type: 'static_select', selected_option: { value: 'TRANS' } }, 'TRANS'],
    [{ type: 'static_select', selected_option: null }, null],
    [{ type: 'external_select', selected_option: { value: 'order_update' } }, 'order_update'],
    [{ type: 'multi_static_select', selected_options: [{ value: 'a' }, { value: 'b' }] }, ['a', 'b']],
    [{ type: 'multi_static_select', selected_options: [] }, []],
    [{ type: 'checkboxes', selected_options: [{ value: 'true' }] }, true],
    [{ type: 'checkboxes', selected_options: [] }, false],
    [{ type: 'conversations_select', selected_conversation: 'C0TEAM' }, 'C0TEAM'],
    [{ type: 'channels_select', selected_channel: null }, null],
    [{ type: 'users_select', selected_user: 'U0ASHA' }, 'U0ASHA'],
    [{ type: 'number_input', value: '10.5' }, 10.5],
    [{ type: 'number_input', value: 'ten' }, 'ten'],
    [{ type: 'number_input', value: null }, null],
    [{ type: 'url_text_input', value: 'https://a.example' }, 'https://a.example'],
    [{ type: 'plain_text_input' }, null],
    [{ type: 'plain_text_input', value: ':tada: Sale' }, '🎉 Sale'],
  ])('%o', (element, expected) => {
    expect(readState({ a: { field: element as { type: string } } })).toEqual({ a: expected });
  });

  test('a block named __proto__ is a field like any other', () => {
    const read = readState({ '__proto__.polluted': text('yes') });
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('issues under the blocks that are shown', () => {
  const input = (blockId: string) => ({ type: 'input', block_id: blockId });
  const blocks = [
    { type: 'section', block_id: 'notes' },
    { type: 'section' },
    input('template'),
    input('params.0:order~1'),
    input('params.1:order~1'),
    input('header.link'),
    input('to'),
  ];

  test.each([
    ['its own block', 'to', 'to'],
    ['its own block, whatever the suffix', 'params.1', 'params.1:order~1'],
    ['the first field below it', 'params', 'params.0:order~1'],
    ['the nearest field beside it', 'params.7', 'params.0:order~1'],
    ['the nearest field below its parent', 'header.filename', 'header.link'],
    ['the first input, when nothing is near', 'otp', 'template'],
    ['the first input, for the form as a whole', '', 'template'],
    ['no section, though its id is the path', 'notes', 'template'],
  ])('%s', (_name, path, blockId) => {
    expect(under([{ path, message: 'Wrong.' }], blocks)).toEqual({ [blockId]: 'Wrong.' });
  });

  test('several sentences under one block are all said, each once, in order', () => {
    const issues = ['One.', 'Two.', 'One.'].map((message) => ({ path: 'to', message }));
    expect(under([...issues, { path: 'otp', message: 'Three.' }], blocks)).toEqual({
      to: 'One. Two.',
      template: 'Three.',
    });
  });

  test('a path is not near another that merely begins alike', () => {
    const placed = (path: string, other: string) =>
      under([{ path, message: 'Wrong.' }], [input('x'), input(other)]);
    expect(placed('params.10', 'params.1')).toEqual({ 'params.1': 'Wrong.' });
    expect(placed('to', 'total')).toEqual({ x: 'Wrong.' });
  });
});
