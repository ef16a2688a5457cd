import { readFileSync } from 'node:fs';

export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The Dockerfile's instructions in order; continued lines are joined, comments dropped. */
export function readDockerfile(): readonly Instruction[] {
  return readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/);
      return { name, value: rest.join(' ') };
    });
}

/** What the image itself sets. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const set =
    readDockerfile()
      .find(({ name }) => name === 'ENV')
      ?.value.split(/\s+/) ?? [];
  return Object.fromEntries(set.map((pair) => pair.split('=', 2)));
}

/** What the container's health check runs. */
export function healthCheckCommand(instructions: readonly Instruction[]): readonly string[] {
  const value = instructions.find(({ name }) => name === 'HEALTHCHECK')?.value ?? '';
  return JSON.parse(value.slice(value.indexOf('['))) as string[];
}
