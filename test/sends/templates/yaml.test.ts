import { describe, expect, it } from 'vitest';
import { readTemplateFile, writeTemplateFile } from '../../../src/sends/templates/yaml.ts';
import { OPENING, ORDER } from './setting.ts';

const problems = (source: string) => {
  const read = readTemplateFile(source);
  return read.ok ? [] : read.error.map(({ line, message }) => `${line} ${message}`);
};

describe('a YAML file of templates', () => {
  it('comes back as it was written', () => {
    const written = writeTemplateFile([ORDER, OPENING]);
    expect(written).toBe(`templates:
  - name: order_update
    channel: chatapp
    variant: text
    label: Order update
    languages:
      - en
    placeholders:
      - name: customer
        example: Asha
      - name: order
        example: A-1001
        maxLength: 12
    text: Hello {{1}}, your order {{2}} is on its way.
  - name: store_open
    channel: rcs
    variant: plain
    label: Store opening
    text: We are open.
`);
    expect(readTemplateFile(written)).toEqual({ ok: true, value: [ORDER, OPENING] });
  });

  it('may be the list by itself', () => {
    const read = readTemplateFile('- { name: a, channel: rcs, variant: rich }\n');
    expect(read.ok && read.value.map(({ name }) => name)).toEqual(['a']);
  });

  it('names every problem with its line, template and key', () => {
    expect(
      problems(`# ours
templates:
  - name: Order
    channel: chatapp
    variant: text
    placeholders:
      - { name: size, oneOf: [S] }
  - name: a
    channel: rcs
    variant: postcard
  - channel: rcs
    variant: plain
  - { name: a, channel: rcs, variant: plain, colour: red }
`),
    ).toEqual([
      '3 “Order”, name: Enter the name as registered: lowercase letters, digits and underscores only.',
      '7 “Order”, placeholders.0.oneOf: “oneOf” is a list of 2 to 100 texts; put each in quotes.',
      '10 “a”, variant: The variants of rcs are plain, rich, variables, carousel-fixed, carousel-images.',
      '11 template 3, name: Enter the name as registered: lowercase letters, digits and underscores only.',
      '13 “a”: A template has no “colour”; it has name, channel, variant, label, languages, placeholders, text, cards, type, dltTemplateId, entityId.',
    ]);
  });

  it.each(['', 'templates: []', 'senders: {}'])('refuses %j', (source) => {
    expect(problems(source)).toEqual([
      '1 The file has no templates. Write them as a list, like “templates” in herald.example.yml.',
    ]);
  });

  it('says where it is no YAML, and unfolds nothing beyond measure', () => {
    expect(problems('templates:\n  - { name: a\n')[0]).toMatch(/^\d This is not valid YAML: /);
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]',
      'c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]',
    ];
    expect(problems(`${bomb.join('\n')}\ntemplates: [*c,*c,*c,*c]`)).toEqual([
      '1 The aliases in this file expand to too much. Write each value out.',
    ]);
  });

  it('refuses the same name twice in a channel', () => {
    expect(
      problems('- { name: a, channel: rcs, variant: rich }\n- { name: a, channel: rcs, variant: plain }\n'),
    ).toEqual(['2 “a”, name: Another template of the same channel has this name already.']);
  });
});
