import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { readText } from './written.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const { groups } = parse(readText('deploy/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readText('deploy/grafana-dashboard.json')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
};
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** What Herald shows, by name: the type, and the labels that its help and its code give it. */
async function shown(): Promise<ReadonlyMap<string, string>> {
  const metrics = createMetrics({ version: '1.2.3', commit: 'abc' });
  const text = await metrics.render();
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
}

const namesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:herald|process|nodejs)_\w+/g)].map(([name]) => name);

describe('deploy/alerts.yml and deploy/grafana-dashboard.json', () => {
  it.each(expressions)(
    '%s: names metrics that exist, in the form that their type has',
    async (_, expression) => {
      const types = await shown();
      const names = namesIn(expression);
      expect(names).not.toEqual([]);
      for (const name of names) {
        const part = /_(?:bucket|count|sum)$/.exec(name)?.[0] ?? '';
        const type = types.get(name) ?? types.get(name.slice(0, name.length - part.length));
        expect(type, `${name} does not exist`).toBeDefined();
        if (!types.has(name)) expect(type, name).toBe('histogram');
        else expect(type, `${name} needs _bucket, _sum or _count`).not.toBe('histogram');
        // A counter says nothing but by how much it grew.
        if (type === 'counter')
          expect(expression).toMatch(new RegExp(`(?:rate|increase)\\(${name}[^()]*\\[\\d+[mh]\\]\\)`));
      }
      const count = (sign: string) => expression.split(sign).length;
      expect([count('('), count('['), count('{')]).toEqual([count(')'), count(']'), count('}')]);
    },
  );

  it('together show every metric of Herald’s own: what nobody reads is not counted', async () => {
    const used = expressions.flatMap(([, expression]) => namesIn(expression)).join(' ');
    const own = [...(await shown()).keys()].filter((name) => name.startsWith('herald_'));
    expect(own.filter((name) => !used.includes(name))).toEqual([]);
    expect(own.length).toBeGreaterThan(20);
  });

  it('have a heading in docs/runbook.md for each rule, and no other', () => {
    const headings = [...readText('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  });

  it('are complete: each rule has a name of its own, a severity and a sentence, each panel an id', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^\S.*\.$/);
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});
