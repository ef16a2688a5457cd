import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentExample, readmeSections, withSections } from '../scripts/generated-text.ts';

function read(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
}

describe('documents say what the code does (npm run readme brings them up to date)', () => {
  it('README.md', () => {
    const readme = read('README.md');
    expect(readme).toBe(withSections(readme));
  });

  it('.env.example', () => {
    expect(read('.env.example')).toBe(environmentExample());
  });
});

describe('sections', () => {
  it('replace what stands between their markers and nothing else', () => {
    const document = 'a\n<!-- x:start -->\nold\n<!-- x:end -->\nb\n';
    const renewed = withSections(document, { x: 'new' });
    expect(renewed).toBe('a\n<!-- x:start -->\nnew\n<!-- x:end -->\nb\n');
    expect(withSections(renewed, { x: 'new' })).toBe(renewed);
  });

  it.each(['no markers', '<!-- x:end --> <!-- x:start -->', '<!-- x:start --> only'])(
    'refuse a document without their markers: %s',
    (document) => {
      expect(() => withSections(document, { x: 'new' })).toThrow('<!-- x:start -->');
    },
  );

  it('leave out the value of nothing that is secret', () => {
    expect(Object.keys(readmeSections)).toEqual(['configuration', 'scopes', 'wire']);
    expect(environmentExample()).toMatch(/^MESSAGING_API_KEY=$/m);
    expect(environmentExample()).toMatch(/^# PORT=3000$/m);
  });
});
