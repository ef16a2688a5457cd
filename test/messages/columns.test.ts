import { describe, expect, it } from 'vitest';
import { columnNamed, columnsUsed, compileText } from '../../src/messages/columns.ts';

describe('a text with columns', () => {
  const fill = compileText('Hi {{ name }}, {{order}} of {{name}}', ['name', 'order']);

  it.each([
    [['Asha', 'A-1'], 'Hi Asha, A-1 of Asha'],
    // A row may be empty where the column is there: then nothing stands in the text.
    [['', 'A-1'], 'Hi , A-1 of '],
    // What a value brings in is not read again.
    [['{{order}}', 'A-1'], 'Hi {{order}}, A-1 of {{order}}'],
    [['Asha'], 'Hi Asha, {{order}} of Asha'],
  ])('takes %j', (values, expected) => {
    expect(fill(values)).toBe(expected);
  });

  it('keeps a column that the list lacks as it was typed', () => {
    expect(compileText('{{ a }} {{b}}', ['b'])(['x'])).toBe('{{ a }} x');
    expect(columnsUsed('{{ a }} {{b}} {{a}}')).toEqual(['a', 'b']);
  });

  it.each([
    ['order_no', 'Order No.'],
    ['name', 'name'],
    ['NAME', undefined],
    ['नाम', 'नाम '],
    ['!', undefined],
  ])('finds by the name %s the column %s, if only one is nearly so called', (name, column) => {
    expect(columnNamed(name, ['Order No.', 'name', 'Name!', 'नाम ', '?'])).toBe(column);
  });
});
