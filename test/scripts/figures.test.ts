import { afterEach, expect, it, vi } from 'vitest';
import FiguresReporter from '../../scripts/ci/figures.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

type Case = Parameters<FiguresReporter['onTestCaseResult']>[0];

function run(state: string, figure?: string, project = 'trust') {
  return {
    project: { name: project },
    name: `what ${state}`,
    module: { relativeModuleId: 'test/trust/a.test.ts' },
    meta: () => ({ figure }),
    result: () => ({ state }),
  };
}

it('says what held, what failed and what was not run, each with its figure', () => {
  // In a run whose figures are kept, too, these are none.
  vi.stubEnv('HERALD_FIGURES', undefined);
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const reporter = new FiguresReporter();
  for (const one of [run('passed', '3 lives'), run('failed'), run('skipped'), run('passed', 'none', 'unit')])
    reporter.onTestCaseResult(one as unknown as Case);
  reporter.onTestRunEnd();
  expect(said.mock.calls).toEqual([
    [
      [
        '',
        'What was tried:',
        '  held     what passed: 3 lives',
        '  FAILED   what failed: see above',
        '  not run  what skipped: see above',
      ].join('\n'),
    ],
  ]);
});
