import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type BoundaryRule, circlesOf, problemsOf, roomOf } from './boundaries.ts';
import { readText } from './written.ts';

const TOP = fileURLToPath(new URL('..', import.meta.url));

function sources(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: TOP }).map((path) => path.replaceAll('\\', '/'));
}

describe('the rooms of the house', () => {
  const files = [...sources('src/**/*.ts'), ...sources('sandbox/**/*.ts')];

  it('are all there', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].sort()).toEqual([
      'composition',
      'config',
      'core',
      'gateway',
      'http',
      'messages',
      'sandbox',
      'sends',
      'slack',
      'store',
      'telemetry',
    ]);
  });

  it('import one way only, keep third parties at home, and leave the environment to main', () => {
    const problems = files.flatMap((path) => problemsOf(path, readText(path)));
    expect(problems).toEqual([]);
  });

  it('have no circle of imports, types included', () => {
    const contents = new Map(files.map((path) => [path, readText(path)]));
    expect(circlesOf(contents)).toEqual([]);
  });
});

describe('the check itself', () => {
  it('finds a circle, also one of types only, and no other file that leads to it', () => {
    const contents = new Map([
      ['src/a.ts', `import type { B } from './b.ts';`],
      ['src/b.ts', `import { c } from './c/c.ts';`],
      ['src/c/c.ts', `export type { A } from '../a.ts';`],
      ['src/d.ts', `import { a } from './a.ts';`],
    ]);
    expect(circlesOf(contents)).toEqual([['src/a.ts', 'src/b.ts', 'src/c/c.ts']]);
  });

  it.each<[BoundaryRule, string, string]>([
    ['direction', 'src/core/x.ts', `import { a } from '../messages/limits.ts';`],
    ['direction', 'src/messages/x.ts', `import type { Send } from '../sends/send.ts';`],
    ['direction', 'src/gateway/x.ts', `export { a } from '../slack/app.ts';`],
    ['direction', 'src/slack/deep/x.ts', `const a = await import('../../store/sqlite/open.ts');`],
    ['direction', 'src/config/x.ts', `import { a } from '../gateway/gateway.ts';`],
    ['direction', 'src/config/x.ts', `import type { A } from '../sends/alerts/service.ts';`],
    ['direction', 'src/telemetry/x.ts', `import { a } from '../gateway/wire.ts';`],
    ['direction', 'src/telemetry/x.ts', `import '../config/load.ts';`],
    ['direction', 'src/sends/x.ts', `import { a } from '../herald.ts';`],
    ['sandbox', 'src/slack/x.ts', `import { a } from '../../sandbox/protocol.ts';`],
    ['sandbox', 'sandbox/x.ts', `import { a } from '../src/messages/limits.ts';`],
    ['third party', 'src/slack/x.ts', `import { request } from 'undici';`],
    ['third party', 'src/messages/x.ts', `import type { View } from '@slack/types';`],
    ['third party', 'src/sends/x.ts', `import { DatabaseSync } from 'node:sqlite';`],
    ['third party', 'src/gateway/x.ts', `import { pino } from 'pino';`],
    ['third party', 'src/core/x.ts', `import { z } from 'zod';`],
    ['third party', 'src/http/x.ts', `import express from 'express';`],
    ['environment', 'src/herald.ts', `const a = process.env.HOME;`],
    ['environment', 'src/slack/x.ts', `const { env } = process;`],
    ['environment', 'src/slack/x.ts', `import { env } from 'node:process';`],
    ['environment', 'src/slack/x.ts', `const a = globalThis.process['env'].HOME;`],
    ['direction', 'src/messages/x.ts', `let a: import('../sends/send.ts').Send;`],
    ['third party', 'src/slack/x.ts', `const a = await import(name);`],
    ['third party', 'src/slack/x.ts', `import { createRequire } from 'node:module';`],
    ['sandbox', 'sandbox/x.ts', `const a = await import(name);`],
    ['environment', 'src/slack/x.ts', `import { env as surroundings } from 'node:process';`],
    ['environment', 'src/slack/x.ts', `export { env } from 'node:process';`],
    ['environment', 'src/slack/x.ts', `const running = process; running.env.HOME;`],
    ['direction', 'src/slack/home/x.ts', `import { a } from '../compose/register.ts';`],
    ['direction', 'src/slack/kit/cards/x.ts', `import type { A } from '../../templates/list.ts';`],
    ['direction', 'src/slack/connection/x.ts', `import { a } from '../kit/blocks/button.ts';`],
    ['direction', 'src/slack/alerts/x.ts', `import { a } from '../app.ts';`],
    ['direction', 'src/shortcut.ts', `import { a } from './config/load.ts';`],
  ])('finds a breach of %s in %s: %s', (rule, path, source) => {
    expect(problemsOf(path, source).map((problem) => problem.rule)).toEqual([rule]);
  });

  it.each([
    ['src/main.ts', `const { runHerald } = await import('./herald.ts'); runHerald(process.env);`],
    [
      'src/slack/x.ts',
      `import { z } from 'zod'; import type { Send } from '../sends/send.ts'; import { App } from '@slack/bolt';`,
    ],
    [
      'src/messages/x.ts',
      `// import { request } from 'undici'\nconst text = "import { request } from 'undici'; process.env";`,
    ],
    ['src/config/x.ts', `import { a } from '../gateway/wire.ts'; import { b } from '../messages/limits.ts';`],
    ['sandbox/x.ts', `import { WebSocketServer } from 'ws'; import { a } from './protocol.ts';`],
  ])('lets pass in %s: %s', (path, source) => {
    expect(problemsOf(path, source)).toEqual([]);
  });
});
