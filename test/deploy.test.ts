import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { environmentSchema } from '../src/config/environment.ts';
import { readCompose } from './compose.ts';
import { readDocument } from './written.ts';

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'herald-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('deploy/herald.service', () => {
  const text = readFileSync(join(DEPLOY, 'herald.service'), 'utf8');
  const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => ({ key, value }));
  const valuesOf = (wanted: string) => settings.filter(({ key }) => key === wanted).map(({ value }) => value);

  it('sets variables that Herald reads, in folders that it has made for it', () => {
    const given = valuesOf('Environment')
      .flatMap((pairs) => pairs.split(' '))
      .map((pair) => pair.split('=') as [string, string]);
    const known = [...Object.keys(environmentSchema.shape), 'NODE_ENV', 'NODE_COMPILE_CACHE'];
    expect(given.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
    const values = Object.fromEntries(given);
    expect(values.DATABASE_URL).toBe(`file:/var/lib/${valuesOf('StateDirectory')[0]}/herald.db`);
    expect(values.NODE_COMPILE_CACHE).toBe(`/var/cache/${valuesOf('CacheDirectory')[0]}`);
  });

  it('is overridden in the documents by lines of a section: systemd ignores others', () => {
    const { text } = readDocument('docs/running.md');
    const [, override, file] = /^printf '(.+)' \| sudo tee (\S+)$/m.exec(text) ?? [];
    expect(override).toMatch(/^\[Service\]\\nReadWritePaths=/);
    expect(file).toMatch(/^\/etc\/systemd\/system\/herald\.service\.d\/\w+\.conf$/);
  });

  it('gives Herald the time that stopping takes, as compose.yml does', () => {
    expect(valuesOf('TimeoutStopSec').map((seconds) => `${seconds}s`)).toEqual([
      readCompose().services.herald?.stop_grace_period,
    ]);
  });

  const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  const { error, stdout } = analyze('--version');
  const version = Number(/^systemd (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  // Before 250 a unit could be looked at only on a machine that systemd runs.
  const why = error ? String(error) : version < 250 ? `systemd ${version} is too old` : undefined;
  if (why !== undefined)
    console.log(`deploy/herald.service: NOT VERIFIED by systemd-analyze, because ${why}.`);

  it.skipIf(why !== undefined)('is what systemd takes, and is confined', () => {
    // Its program must be there: this one stands for that of the machine it is for.
    const unit = join(folder, 'herald.service');
    writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
    const verified = analyze('verify', '--man=no', unit);
    expect({ said: verified.stderr, status: verified.status }).toEqual({ said: '', status: 0 });
    const confined = analyze('security', '--offline=true', '--threshold=20', unit);
    expect({ said: confined.stdout.split('\n').at(-2), status: confined.status }).toEqual({
      said: expect.stringMatching(/Overall exposure level for herald\.service: 1\.\d OK/),
      status: 0,
    });
  });
});

describe('deploy/as-unit.sh', () => {
  const programs = join(folder, 'of-the-unit');
  const run = (...words: string[]) =>
    spawnSync('sh', [join(DEPLOY, 'as-unit.sh'), ...words], {
      encoding: 'utf8',
      env: { PATH: `${programs}:/usr/bin:/bin`, DATABASE_URL: 'file:of-who-types.db' },
    });
  // Programs that stand for systemd's: one shows the unit with an override, the other says what it was asked for.
  mkdirSync(programs);
  const program = (name: string, text: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program(
    'systemctl',
    `test "$*" = "cat herald.service" && cat ${DEPLOY}herald.service ${programs}/override`,
  );
  program('systemd-run', 'printf "%s\\n" "$@"; exit 3');

  it('gives a command all that the unit and its overrides say, in their order, but how it starts', () => {
    writeFileSync(
      join(programs, 'override'),
      '[Service]\n# Not\\\n ReadWritePaths = /mnt/my backups\nSystemCallFilter=~@clock \\\n  @reboot\n[Install]\nAlias=x\n',
    );
    const { stdout, status } = run('restore', 'a copy.db');
    const [properties, command] = stdout.split('--\n');
    const given = properties?.match(/(?<=^--property=).+$/gm) ?? [];
    const unit = readFileSync(join(DEPLOY, 'herald.service'), 'utf8')
      .split('[Service]')[1]
      ?.split('[Install]')[0];
    const wanted = unit?.match(/^(?!Type|Exec|Restart)\w+=.*$/gm) ?? [];
    expect(wanted).toContain('User=herald');
    const typed = ['ProtectHome=no', 'PrivateTmp=no', 'ReadWritePaths=/tmp'];
    expect(given).toEqual([
      ...wanted,
      ...['ReadWritePaths=/mnt/my backups', 'SystemCallFilter=~@clock    @reboot'],
      ...typed,
    ]);
    expect({ command, status }).toEqual({
      command: '/usr/bin/node\ndist/main.js\nrestore\na copy.db\n',
      status: 3,
    });
  });

  it('says so where systemd has no such unit', () => {
    program('systemctl', 'echo "No files found for herald.service." >&2; exit 1');
    expect(run('doctor')).toMatchObject({
      stderr: expect.stringContaining('systemd knows no herald.service'),
      status: 1,
    });
  });
});

describe('deploy/backup.sh', () => {
  const backups = join(folder, 'backups');
  /** Programs that stand for those of PostgreSQL, of which the machine may have another version, or none. */
  const programs = join(folder, 'programs');
  const names = () => readdirSync(backups).toSorted();
  const run = (word: string, environment: Readonly<Record<string, string>> = {}) =>
    spawnSync('sh', [join(DEPLOY, 'backup.sh'), word], {
      encoding: 'utf8',
      env: {
        PATH: `${programs}:/usr/bin:/bin`,
        BACKUPS: backups,
        KEEP: '3',
        FAILS: '0',
        UNREADABLE: '0',
        PGPASSWORD_FILE: join(folder, 'password'),
        ...environment,
      },
    });
  function program(name: string, ...lines: readonly string[]): void {
    writeFileSync(join(programs, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  }
  mkdirSync(backups);
  mkdirSync(programs);

  it('keeps the newest few, and nothing that is not whole', () => {
    writeFileSync(join(folder, 'password'), 'of-the-file\n');
    program(
      'pg_dump',
      'test "$PGPASSWORD" = of-the-file || exit 2',
      `for word; do test "$word" = "\${word#--file=}" || echo dump > "\${word#--file=}"; done`,
      'exit "$FAILS"',
    );
    program('pg_restore', 'test "$(cat "$2")" = dump && exit "$UNREADABLE"');
    expect(run('fresh').status).toBe(1);
    const older = ['2026-11-19', '2026-11-20', '2026-11-21'].map((day) => `herald-${day}T03-00-00Z.dump`);
    for (const name of older) {
      writeFileSync(join(backups, name), 'dump');
      utimesSync(join(backups, name), 0, 0);
    }
    expect(run('fresh').status).toBe(1);
    writeFileSync(join(backups, 'herald-2026-11-18T03-00-00Z.dump.unfinished'), 'du');
    const made = run('once');
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
    expect(names().slice(0, 2)).toEqual(older.slice(1));
    expect(names()).toHaveLength(3);
    expect(made.stdout).toBe(`Backed up to ${join(backups, names()[2] ?? '')}.\n`);
    expect(run('fresh').status).toBe(0);
    const kept = names();
    for (const failing of [{ FAILS: '1' }, { UNREADABLE: '1' }]) {
      const failed = run('once', failing);
      expect({ status: failed.status, stderr: failed.stderr }).toEqual({
        status: 1,
        stderr: 'There is no backup this time; the next try is in 24 hours.\n',
      });
      expect(names()).toEqual(kept);
    }
    expect(execFileSync('stat', ['--format=%a', join(backups, kept[2] ?? '')], { encoding: 'utf8' })).toBe(
      '600\n',
    );
  });
});
