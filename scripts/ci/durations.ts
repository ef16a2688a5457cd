import type { Reporter, TestModule } from 'vitest/node';

interface Group {
  readonly name: string;
  readonly begunAt: number;
  endedAt: number;
  files: number;
  tests: number;
}

/** A Vitest reporter that ends a run with how long each group of tests took, from its first file to its last. */
export default class DurationsReporter implements Reporter {
  readonly #groups = new Map<string, Group>();

  onTestModuleQueued({ project: { name } }: TestModule): void {
    if (this.#groups.has(name)) return;
    const now = performance.now();
    this.#groups.set(name, { name, begunAt: now, endedAt: now, files: 0, tests: 0 });
  }

  onTestModuleEnd(module: TestModule): void {
    const group = this.#groups.get(module.project.name);
    if (group === undefined) return;
    group.endedAt = performance.now();
    group.files += 1;
    group.tests += [...module.children.allTests()].length;
  }

  onTestRunEnd(): void {
    console.log(['', 'How long each group took:', ...[...this.#groups.values()].map(lineOf)].join('\n'));
  }
}

function lineOf({ name, begunAt, endedAt, files, tests }: Group): string {
  const seconds = Math.round((endedAt - begunAt) / 1_000);
  return `  ${name.padEnd(18)} ${`${seconds}`.padStart(4)} s   ${tests} tests in ${files} files`;
}
