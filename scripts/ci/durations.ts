import type { Reporter, TestModule, TestProject } from 'vitest/node';
import { keepDuration } from './kept-figures.ts';

interface Group {
  readonly name: string;
  readonly project: TestProject;
  readonly begunAt: number;
  endedAt: number;
  files: number;
  tests: number;
}

/** A Vitest reporter that ends a run with how long each group of tests took, from its first file to its last. */
export default class DurationsReporter implements Reporter {
  readonly #groups = new Map<string, Group>();

  onTestModuleQueued({ project }: TestModule): void {
    const { name } = project;
    if (this.#groups.has(name)) return;
    const now = performance.now();
    this.#groups.set(name, { name, project, begunAt: now, endedAt: now, files: 0, tests: 0 });
  }

  onTestModuleEnd(module: TestModule): void {
    const group = this.#groups.get(module.project.name);
    if (group === undefined) return;
    group.endedAt = performance.now();
    group.files += 1;
    group.tests += [...module.children.allTests()].length;
  }

  async onTestRunEnd(): Promise<void> {
    const groups = [...this.#groups.values()];
    console.log(['', 'How long each group took:', ...groups.map(lineOf)].join('\n'));
    for (const group of groups) {
      const { testFiles } = await group.project.globTestFiles();
      // Of some of its files it would be the time of nothing.
      if (group.files === testFiles.length) keepDuration(group.name, secondsOf(group));
    }
  }
}

function secondsOf({ begunAt, endedAt }: Group): number {
  return Math.round((endedAt - begunAt) / 1_000);
}

function lineOf(group: Group): string {
  const { name, files, tests } = group;
  const seconds = secondsOf(group);
  return `  ${name.padEnd(26)} ${`${seconds}`.padStart(4)} s   ${tests} tests in ${files} files`;
}
