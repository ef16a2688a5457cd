import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentSummary, secretsOf } from '../../src/config/environment.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { renderProblem } from '../../src/config/problems.ts';
import { withSecretFiles } from '../../src/config/secret-files.ts';
import { table } from '../table.ts';
import { ENVIRONMENT, TEAM } from './least.ts';

const TICK = '`';

function load(env: Record<string, string | undefined> = ENVIRONMENT, file = TEAM) {
  return loadConfiguration({ env, readFile: () => file });
}

function problems(env: Record<string, string | undefined> = ENVIRONMENT, file = TEAM): readonly string[] {
  const result = load(env, file);
  return result.ok ? [] : result.error.map(renderProblem);
}

describe('the least configuration', () => {
  it('is a few variables and one sender; everything else has its default', () => {
    const result = load();
    expect(result.ok && result.value.environment).toEqual({
      ...ENVIRONMENT,
      DATABASE_URL: 'file:./data/herald.db',
      PORT: 3000,
      HOST: '0.0.0.0',
      LOG_LEVEL: 'info',
    });
    expect(result.ok && result.value.team).toMatchObject({
      defaults: { country: 'IN', timezone: 'Asia/Kolkata', campaignName: '' },
      senders: { chatapp: [], rcs: [], sms: [{ id: 'ACMEIN', label: 'Acme', type: 'TRANS' }] },
      templates: [],
      approvals: { approvers: [], over: 1, tiers: [], expireHours: 24, lateAfterMinutes: 60 },
      pacing: { sms: { perSecond: 20, concurrency: 10, recipientsPerRequest: 100 } },
      quietHours: [{ country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' }],
      webhooks: { secretHeader: 'x-webhook-secret', allowFrom: [], proxies: [] },
    });
  });

  it('takes the example file as it stands', () => {
    const example = readFileSync(new URL('../../herald.example.yml', import.meta.url), 'utf8');
    expect(problems(ENVIRONMENT, example)).toEqual([]);
  });

  it('treats an empty variable as absent', () => {
    expect(problems({ ...ENVIRONMENT, SLACK_APP_TOKEN: ' ', SLACK_SIGNING_SECRET: 'shhh' })).toEqual([]);
    expect(problems({ ...ENVIRONMENT, LOG_LEVEL: '' })).toEqual([]);
  });

  it('asks for the key of pseudonyms where retention removes numbers', () => {
    const file = (what: string) => `${TEAM}\nretention: { ${what}: 90 }`;
    for (const what of ['recipients', 'answers'])
      expect(problems(ENVIRONMENT, file(what))).toEqual([
        'PSEUDONYM_KEY: found nothing, and retention removes numbers; expected at least 16 characters that nobody can guess',
      ]);
    for (const what of ['texts', 'webhooks', 'lists']) expect(problems(ENVIRONMENT, file(what))).toEqual([]);
    expect(
      problems({ ...ENVIRONMENT, PSEUDONYM_KEY: 'a-key-that-nobody-guesses' }, file('recipients')),
    ).toEqual([]);
    expect(problems({ ...ENVIRONMENT, PSEUDONYM_KEY: 'short' }, file('texts'))).toHaveLength(1);
  });

  it('treats an empty section as absent', () => {
    expect(problems(ENVIRONMENT, `${TEAM}\nalerts:\nwire:\naccess:\n`)).toEqual([]);
  });

  it('drops the line break at the end of a secret that came from a file', () => {
    const result = load({ ...ENVIRONMENT, MESSAGING_API_KEY: 'key-1234567890\n' });
    expect(result.ok && result.value.environment.MESSAGING_API_KEY).toBe('key-1234567890');
  });
});

it('takes a socket of PostgreSQL by its folder, in the place of the host', () => {
  const socket = 'postgres://herald@%2Frun%2Fpg/herald';
  expect(problems({ ...ENVIRONMENT, DATABASE_URL: socket })).toEqual([]);
});

describe('TLS to PostgreSQL', () => {
  const url = (query: string) => {
    const result = load({ ...ENVIRONMENT, DATABASE_URL: `postgres://u:p@db/herald?${query}` });
    return result.ok && new URL(result.value.environment.DATABASE_URL).search;
  };

  // The driver takes them for the same, and warns of that in words of its own at each start.
  it.each(['prefer', 'require', 'verify-ca'])('sslmode=%s looks at the certificate', (mode) => {
    expect(url(`sslmode=${mode}&sslrootcert=ca.pem`)).toBe('?sslmode=verify-full&sslrootcert=ca.pem');
  });

  it.each(['sslmode=no-verify', 'sslmode=disable', 'uselibpqcompat=true&sslmode=require'])(
    '%s stays',
    (query) => {
      expect(url(query)).toBe(`?${query}`);
    },
  );
});

describe('secrets in files', () => {
  const files: Readonly<Record<string, string>> = {
    '/run/key': 'key-from-a-file\n',
    '/run/url': 'postgres://u:p@db/herald\n',
  };
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  };

  it('take the place of the variable, of every secret and of the address of the database', () => {
    const { MESSAGING_API_KEY: _, ...rest } = ENVIRONMENT;
    const env = { ...rest, MESSAGING_API_KEY_FILE: '/run/key', DATABASE_URL_FILE: '/run/url' };
    const result = load(withSecretFiles(env, readFile));
    expect(result.ok && result.value.environment).toMatchObject({
      MESSAGING_API_KEY: 'key-from-a-file',
      DATABASE_URL: 'postgres://u:p@db/herald',
    });
  });

  it('that are not there, or stand beside the variable, are told of with the rest', () => {
    const { MESSAGING_API_KEY: _, ...rest } = ENVIRONMENT;
    const env = {
      ...rest,
      MESSAGING_API_KEY_FILE: '/run/kay',
      SLACK_BOT_TOKEN_FILE: '/run/key',
      PORT: '3k',
      PORT_FILE: '/run/key',
    };
    expect(problems(withSecretFiles(env, readFile))).toEqual([
      'SLACK_BOT_TOKEN_FILE: found SLACK_BOT_TOKEN besides; expected one of the two',
      'MESSAGING_API_KEY_FILE: found no file that can be read at /run/kay; expected the path of a file that holds the value',
      'PORT: found "3k"; expected a whole number from 0 to 65535 (0 takes any free port)',
    ]);
  });
});

describe('sources of alerts', () => {
  const source = '{ name: prometheus, token: ALERTS_TOKEN_PROMETHEUS, channel: C0ALERTS }';
  const file = `${TEAM}
alerts:
  groups: { oncall: [{ name: Mei, number: "+6591234567" }] }
  sources: [${source}]
  rules: [{ name: r, channel: C0ALERTS, notify: [oncall], from: { sources: [prometheus] } }]`;
  const token = 'a-token-for-prometheus';
  const env = { ...ENVIRONMENT, ALERTS_TOKEN_PROMETHEUS: token };
  const inFile = { ...ENVIRONMENT, ALERTS_TOKEN_PROMETHEUS_FILE: '/run/token' };

  it('have a token in the environment or in a file, which counts as a secret', () => {
    const result = load(env, file);
    expect(result.ok && secretsOf(result.value.environment)).toContain(token);
    expect(JSON.stringify(result.ok && environmentSummary(result.value.environment))).not.toContain(token);
    const read = withSecretFiles(inFile, () => 'a-token-in-a-file\n');
    expect(problems(read, file)).toEqual([]);
  });

  const expected = 'expected at least 16 characters that nobody can guess, for alerts.sources “prometheus”';
  it.each([
    ['no token', ENVIRONMENT, file, `ALERTS_TOKEN_PROMETHEUS: found nothing; ${expected}`],
    [
      'a token that can be guessed',
      { ...env, ALERTS_TOKEN_PROMETHEUS: 'short' },
      file,
      `ALERTS_TOKEN_PROMETHEUS: found too few characters; ${expected}`,
    ],
    [
      'a file that is not there',
      inFile,
      file,
      'ALERTS_TOKEN_PROMETHEUS_FILE: found no file that can be read at /run/token; expected the path of a file that holds the value',
    ],
    [
      'a name twice',
      env,
      file.replace(source, `${source}, ${source}`),
      'herald.yml: alerts.sources[1].name: found "prometheus"; expected a name that no other source has',
    ],
    [
      'another channel than the rule’s',
      env,
      file.replace('r, channel: C0ALERTS', 'r, channel: C0OTHER'),
      'herald.yml: alerts.rules[0].from.sources[0]: found "prometheus"; expected a source of alerts.sources with this channel',
    ],
    [
      'another variable',
      env,
      file.replace('ALERTS_TOKEN_P', 'TOKEN_P'),
      'herald.yml: alerts.sources[0].token: found "TOKEN_PROMETHEUS"; expected the name of an environment variable that begins with ALERTS_TOKEN_',
    ],
  ])('with %s keep Herald from starting', (_, env, file, problem) => {
    expect(problems(env, file)).toEqual([problem]);
  });
});

describe('problems', () => {
  it('come all at once, from the environment and the file together', () => {
    const file = 'senders: {}\npacing: { sms: { perSecond: fast } }\napprovals: { ovr: 5, channel: general }';
    expect(
      problems({ MESSAGING_API_KEY: 'key-1234567890', PORT: '70000', HERALD_CONFIG: 'herald.yml' }, file),
    ).toEqual([
      'SLACK_BOT_TOKEN: found nothing; expected a token that begins with xoxb- (app settings, "OAuth & Permissions")',
      'MESSAGING_BASE_URL: found nothing; expected an address that begins with https:// or http://',
      'MESSAGING_FLASH_URL: found nothing; expected an address that begins with https:// or http://',
      'PORT: found "70000"; expected a whole number from 0 to 65535 (0 takes any free port)',
      'SLACK_APP_TOKEN: found nothing; expected a token that begins with xapp- for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
      'herald.yml: senders: found {}. Configure at least one sender, under chatapp, rcs or sms.',
      'herald.yml: approvals.channel: found "general"; expected the id of a channel, e.g. C0123ABCD (in Slack: the bottom of its "about" page)',
      'herald.yml: approvals.ovr: found a key that Herald does not know; expected over, perhaps',
      'herald.yml: pacing.sms.perSecond: found "fast"; expected starts a second, more than 0',
    ]);
  });

  it.each(table`
SLACK_BOT_TOKEN=xoxp-secret-of-mine | SLACK_BOT_TOKEN: found a value of 19 characters (not shown); expected a token that begins with xoxb- (app settings, "OAuth & Permissions")
SLACK_APP_TOKEN=xoxb-swapped | SLACK_APP_TOKEN: found a value of 12 characters (not shown); expected a token that begins with xapp- (app settings, "Basic Information", "App-Level Tokens")
MESSAGING_BASE_URL=api.example.com | MESSAGING_BASE_URL: found "api.example.com"; expected an address that begins with https:// or http://
MESSAGING_FLASH_URL=ftp://x | MESSAGING_FLASH_URL: found "ftp://x"; expected an address that begins with https:// or http://
DATABASE_URL=postgres://db | DATABASE_URL: found "postgres://db"; expected file: and a path, e.g. file:./data/herald.db, or an address such as postgres://user:password@host:5432/herald
DATABASE_URL=postgres://herald:hunter22/herald | DATABASE_URL: found "postgres://…"; expected file: and a path, e.g. file:./data/herald.db, or an address such as postgres://user:password@host:5432/herald
DATABASE_URL=postgresql://herald:hunter22@/herald?host=/run/pg | DATABASE_URL: found "postgresql://…@/herald?…"; expected the folder of a socket as the host, e.g. postgres://user:password@%2Frun%2Fpostgresql/herald
DATABASE_URL=postgres:///herald?user=herald&host=/run/pg | DATABASE_URL: found "postgres:///herald?…"; expected the folder of a socket as the host, e.g. postgres://user:password@%2Frun%2Fpostgresql/herald
MESSAGING_BASE_URL=https://u:p@api.example.com?x | MESSAGING_BASE_URL: found "https://…@api.example.com?…"; expected scheme, host, port and path only, without a user name, a password, ? or #
DATABASE_URL=mysql://herald:hunter@22@db/herald | DATABASE_URL: found "mysql://…@db/herald"; expected file: and a path, e.g. file:./data/herald.db, or an address such as postgres://user:password@host:5432/herald
MESSAGING_BASE_URL=https://api.example.com/?apikey=hunter22 | MESSAGING_BASE_URL: found "https://api.example.com/?…"; expected scheme, host, port and path only, without a user name, a password, ? or #
MESSAGING_API_KEY=key-123\n4567890 | MESSAGING_API_KEY: found a value of 15 characters (not shown); expected the key that the messaging service gave you; on one line, in plain letters, digits and signs
SLACK_BOT_TOKEN= & SLACK_BOT_TOKN=xoxb-1234567890 | SLACK_BOT_TOKEN: found nothing, but SLACK_BOT_TOKN is set; expected a token that begins with xoxb- (app settings, "OAuth & Permissions")
LOG_LEVEL=chatty | LOG_LEVEL: found "chatty"; expected one of debug, info, warn, error
PORT=3k | PORT: found "3k"; expected a whole number from 0 to 65535 (0 takes any free port)
WEBHOOK_TOKEN=short | WEBHOOK_TOKEN: found a value of 5 characters (not shown); expected at least 16 characters that nobody can guess
WEBHOOK_TOKEN=a token/nobody guesses | WEBHOOK_TOKEN: found a value of 22 characters (not shown); expected at least 16 characters that nobody can guess, of letters, digits and . _ ~ -: it is a part of an address
METRICS_PORT=3000 | METRICS_PORT: found "3000"; expected another port than PORT, or nothing`)(
    'with %s',
    (variables = '', problem = '') => {
      const env = Object.fromEntries(
        variables.split(' & ').map((one) => one.replaceAll('\\n', '\n').split(/=(.*)/s)),
      );
      expect(problems({ ...ENVIRONMENT, ...env })).toEqual([problem]);
    },
  );

  it('without the secret of the signatures that it asks for', () => {
    const signed = 'wire: { webhooks: { signature: { header: X-Signature } } }';
    expect(problems(ENVIRONMENT, `${TEAM}\n${signed}`)).toEqual([
      'WEBHOOK_SECRET: found nothing, and wire.webhooks.signature asks for signatures; expected the secret with which the messaging service signs what it posts',
    ]);
    expect(problems({ ...ENVIRONMENT, WEBHOOK_SECRET: 's3cret' }, `${TEAM}\n${signed}`)).toEqual([]);
  });

  it.each(['pa/ss', 'pa#ss', 'pa?ss', '12/34', '12#34', '12?34', 'pa%ss', 'pa"/ss'])(
    'with the password %s in DATABASE_URL, of which nothing is shown',
    (password) => {
      expect(
        problems({ ...ENVIRONMENT, DATABASE_URL: `postgres://herald:${password}@db:5432/herald` }),
      ).toEqual([
        'DATABASE_URL: found "postgres://…@db:5432/herald"; expected signs of the password percent-encoded: %2F for /, %23 for #, %3F for ?, %40 for @, %25 for %',
      ]);
    },
  );

  it.each(table`
defaults: { timezone: Mars/Olympus } | defaults.timezone: found "Mars/Olympus"; expected an IANA time zone, e.g. Asia/Kolkata
quietHours: [{ country: IN, types: [PROMO], from: "25:00", to: "10:00", timezone: Asia/Kolkata }] | quietHours[0].from: found "25:00"; expected a time of day in quotes, from "00:00" to "23:59"
alerts: { groups: { a: [] }, rules: [{ name: x, channel: C0ALERTS, match: "(", notify: [a] }] } | alerts.rules[0].match: found "(". Patterns are in the syntax of RE2; this one it cannot read: missing closing ).
alerts: { groups: { a: [] }, rules: [{ name: x, channel: C0ALERTS, except: "a(?!b)", notify: [a] }] } | alerts.rules[0].except: found "a(?!b)". Patterns are in the syntax of RE2, which has no look-ahead, no look-behind and no back-references. Write it without them.
alerts: { groups: { a: [] }, rules: [{ name: x, channel: C0ALERTS, notify: [a] }, { name: x, channel: C0ALERTS, notify: [a] }] } | alerts.rules[1].name: found "x"; expected a name that no other rule has
alerts: { groups: { a: [{ name: Mei }] } } | alerts.groups.a[0].number: found nothing; expected either a number, or a Slack user whose number is on file
alerts: { groups: { a: [{ user: U0MEI, onCall: [{ days: [Monday] }] }] } } | alerts.groups.a[0].onCall[0].days[0]: found "Monday"; expected a day: Mon, Tue, Wed, Thu, Fri, Sat, Sun
alerts: { groups: { a: [{ user: U0MEI, onCall: [{ from: "22:00" }] }] } } | alerts.groups.a[0].onCall[0].to: found nothing; expected from and to together, or neither
alerts: { sender: NOBODY } | alerts.sender: found "NOBODY"; expected the id of one of senders.sms
approvals: { approvers: [ravi] } | approvals.approvers[0]: found "ravi"; expected the id of a user or a user group, e.g. U0123ABCD (in Slack: the bottom of its "about" page)
alerts: { groups: { a: [] }, rules: [{ name: x, channel: C0ALERTS, notify: [a, b] }] } | alerts.rules[0].notify[1]: found "b"; expected one of a, or a user group of Slack by its id (S…) or handle (@oncall)
alerts: { groups: { a: [{ name: Mei, number: 6591234567 }] } } | alerts.groups.a[0].number: found [number …4567]. Enter a phone number as text, in quotes, so that + is kept.
access: { send: { smss: [U0ASHA] } } | access.send.smss: found a key that Herald does not know; expected sms, perhaps
templates: [{ name: a, channel: rcs, variant: plain, lable: A }] | templates[0].lable: found a key that Herald does not know; expected label, perhaps
prices: { currency: INR, sms: { india: 1 } } | prices.sms.india: found a key that cannot stand here. Enter a country as two capital letters, such as IN.
prices: { currency: rupees } | prices.currency: found "rupees"; expected an ISO 4217 currency, e.g. INR
- a | line 2, column 1: found a line that is neither “key: value” nor part of the list before it; expected a key with : after it, as far to the right as its neighbours
a: "b | line 2, column 6: found a sign missing; expected a : and a space after each key, a comma between items, and an end to each " ' [ {
a:⏎⇥- b | line 3, column 1: found a tab at the beginning of a line; expected spaces
a: 1⏎a: 2 | line 3, column 1: found a key that stands there twice; expected each key once
a: @b | line 2, column 4: found a value that begins with a sign such as @ or ${TICK}; expected quotation marks around it
a: b: c | line 2, column 4: found a second “: ” in one line; expected quotation marks around the value
a: "\d+" | line 2, column 5: found a \ inside double quotation marks that YAML reads otherwise; expected single quotation marks
a: {b: 1 | line 2, column 9: found a line that begins in the wrong column, or a [ or { without its end; expected the indentation of its neighbours, and an end to each [ and {
a: [b]] | line 2, column 7: found a sign that cannot stand here; expected valid YAML
---⏎a: 1 | line 2, column 1: found a line --- that begins a second document; expected valid YAML
approvls: {} | approvls: found a key that Herald does not know; expected approvals, perhaps`)(
    'with %s',
    (yaml = '', problem = '') => {
      const file = yaml.replaceAll('⏎', '\n').replaceAll('⇥', '\t');
      expect(problems(ENVIRONMENT, `${TEAM}\n${file}`)).toEqual([`herald.yml: ${problem}`]);
    },
  );

  it('of a file that is no map of keys, or unfolds to too much, are said of the file', () => {
    expect(problems(ENVIRONMENT, 'hello')).toEqual([
      'herald.yml: found "hello"; expected the sections of herald.example.yml',
    ]);
    const level = (name: string, inner: string) => `${name}: &${name} [${Array(9).fill(inner).join(', ')}]\n`;
    const bomb = level('a', 'x') + level('b', '*a') + level('c', '*b') + level('d', '*c');
    expect(problems(ENVIRONMENT, bomb)).toEqual([
      'herald.yml: found aliases that unfold to too much; expected each value written out',
    ]);
  });

  it('of a file that is not there name the variable and the file', () => {
    const result = loadConfiguration({
      env: ENVIRONMENT,
      readFile: (path) => readFileSync(`/nonexistent/${path}`, 'utf8'),
    });
    expect(result.ok ? [] : result.error.map(renderProblem)).toEqual([
      'HERALD_CONFIG: found no file at herald.yml; expected a file like herald.example.yml; it needs senders at least',
    ]);
  });
});

describe('secrets', () => {
  it('include the password of the database as it is written and as it is meant, also one that nobody can decode', () => {
    const password = (DATABASE_URL: string) => secretsOf({ DATABASE_URL });
    expect(password('postgres://herald:a%40b@db/herald')).toEqual(['a%40b', 'a@b']);
    expect(password('postgres://herald:100%@db/herald')).toEqual(['100%']);
    expect(password('postgres://db/herald?password=in-the-query')).toEqual(['in-the-query']);
  });

  it('are named, and never shown, in the start-up line', () => {
    const result = load();
    if (!result.ok) throw new Error('expected a configuration');
    const { environment } = result.value;
    expect(environmentSummary(environment)).toEqual({
      MESSAGING_BASE_URL: 'https://api.example.com',
      MESSAGING_FLASH_URL: 'https://flash.example.com',
      DATABASE_URL: 'file:./data/herald.db',
      PORT: 3000,
      HOST: '0.0.0.0',
      LOG_LEVEL: 'info',
      HERALD_CONFIG: 'herald.yml',
      SLACK_API_URL: undefined,
      NO_PROXY: undefined,
      secretsSet: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'MESSAGING_API_KEY'],
    });
    expect(secretsOf(environment)).toEqual(['xoxb-1234567890', 'xapp-1234567890', 'key-1234567890']);
  });
});
