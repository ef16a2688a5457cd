import { z } from 'zod';
import { documented, type KeyMeta, text, webAddress } from '../messages/setting-values.ts';
import { metaOf } from './key.ts';
import { withoutCredentials } from './problems.ts';

const EXPECTED =
  'file: and a path, e.g. file:./data/herald.db, or an address such as postgres://user:password@host:5432/herald';
const ENCODED =
  'signs of the password percent-encoded: %2F for /, %23 for #, %3F for ?, %40 for @, %25 for %';
const SOCKET = 'the folder of a socket as the host, e.g. postgres://user:password@%2Frun%2Fpostgresql/herald';

/** `file:` and a path, or the address of a PostgreSQL database. */
const databaseUrl = z
  .string()
  .refine((url) => whyNot(url) === undefined, { error: ({ input }) => whyNot(String(input)) ?? EXPECTED })
  .transform(withPlainTls);

function whyNot(address: string): string | undefined {
  if (/^file:.+/.test(address)) return undefined;
  if (!/^postgres(ql)?:\/\//.test(address)) return EXPECTED;
  if (/^\w+:\/\/(?:[^/?#]*@)?\//.test(address) && /[?&]host=/.test(address)) return SOCKET;
  const url = URL.parse(address);
  if (url === null) return address.includes('@') ? ENCODED : EXPECTED;
  const { hostname, pathname, search, hash, username, password } = url;
  // A password that holds / or ? or # ends the address early, and a part of it would be the host.
  if (`${pathname}${search}${hash}`.includes('@') || decoded(username + password) === undefined)
    return ENCODED;
  return hostname !== '' && pathname.length > 1 ? undefined : EXPECTED;
}

/**
 * The driver takes `prefer`, `require` and `verify-ca` for `verify-full`, and warns of that at each start; what it does stays
 * the same.
 */
function withPlainTls(address: string): string {
  if (/[?&]uselibpqcompat=/.test(address)) return address;
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** The passwords in an address, as they are written and as they are meant; also of one that Herald refuses. */
function passwordsIn(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const written = [url.password, url.searchParams.get('password') ?? ''];
  return [...new Set([...written, decoded(url.password) ?? ''])].filter((one) => one !== '');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const PORT_EXPECTED = 'a whole number from 0 to 65535 (0 takes any free port)';
const port = z
  .string()
  .regex(/^\d{1,5}$/, PORT_EXPECTED)
  .refine((number) => Number(number) <= 65_535, PORT_EXPECTED);
const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Documents a key whose value is shown nowhere. */
function secret<Schema extends z.ZodType>(schema: Schema, meta: KeyMeta): Schema {
  return documented(schema, { ...meta, secret: true });
}

/** Secrets travel in HTTP headers, which carry nothing else: letters, digits and signs, without spaces. */
function secretText(expected: string) {
  return z.string(expected).regex(/^[!-~]+$/, `${expected}; on one line, in plain letters, digits and signs`);
}

function token(prefix: string, where: string) {
  const expected = `a token that begins with ${prefix} (${where})`;
  return secretText(expected).startsWith(prefix, expected);
}

const PROXY_EXPECTED = 'the address of a proxy, e.g. http://proxy:3128';
const proxy = z
  .string()
  .refine((address) => /^https?:$/.test(URL.parse(address)?.protocol ?? ''), PROXY_EXPECTED);

export const UNGUESSABLE = 'at least 16 characters that nobody can guess';
const unguessable = z.string().min(16, UNGUESSABLE);

const IN_AN_ADDRESS =
  'at least 16 characters that nobody can guess, of letters, digits and . _ ~ -: it is a part of an address';
const addressToken = unguessable.regex(/^[\w.~-]+$/, IN_AN_ADDRESS);

/**
 * The environment: where things are, and secrets. Values arrive as strings; an empty one counts as absent. With
 * `SLACK_APP_TOKEN` Herald uses Socket Mode, without it Slack's HTTP requests, signed with `SLACK_SIGNING_SECRET`.
 */
export const environmentSchema = z
  .object({
    SLACK_BOT_TOKEN: secret(token('xoxb-', 'app settings, "OAuth & Permissions"'), {
      doc: 'The bot token of the installed app.',
    }),
    SLACK_APP_TOKEN: secret(
      token('xapp-', 'app settings, "Basic Information", "App-Level Tokens"').optional(),
      { doc: 'Set: Socket Mode. Needs the scope connections:write.' },
    ),
    SLACK_SIGNING_SECRET: secret(
      secretText('the signing secret (app settings, "Basic Information")').optional(),
      { doc: 'Proves that an HTTP request comes from Slack. Needed without SLACK_APP_TOKEN.' },
    ),
    SLACK_SIGNING_SECRET_OLD: secret(secretText('the signing secret of before').optional(), {
      doc: 'Good as well, while SLACK_SIGNING_SECRET is changed.',
    }),
    SLACK_TEAM_ID: documented(text('the id of a workspace, which begins with T').startsWith('T').optional(), {
      doc: 'Where the app is installed for a whole organisation: the one workspace of it that Herald works for.',
    }),
    SLACK_API_URL: documented(webAddress.optional(), {
      doc: 'Another workspace server than Slack’s; moves everything, Socket Mode included.',
      absent: 'Slack’s own',
    }),
    MESSAGING_BASE_URL: documented(webAddress, { doc: 'The messaging service’s API host: {base_url}.' }),
    MESSAGING_FLASH_URL: documented(webAddress, { doc: 'The host of the flash SMS endpoint: {flash_url}.' }),
    MESSAGING_API_KEY: secret(secretText('the key that the messaging service gave you'), {
      doc: 'Sent as the header apikey, or as wire.headers of herald.yml says.',
    }),
    MESSAGING_FLASH_API_KEY: secret(secretText('the key of the flash SMS endpoint').optional(), {
      doc: 'The key of the flash SMS endpoint, where it is another one.',
      absent: 'MESSAGING_API_KEY',
    }),
    DATABASE_URL: documented(databaseUrl.prefault('file:./data/herald.db'), {
      doc: 'Where sends are kept: a file for one process, or a PostgreSQL database for any number of replicas.',
    }),
    PORT: documented(port.default('3000').transform(Number), {
      doc: 'Port of health, readiness, metrics and Slack’s HTTP requests.',
    }),
    METRICS_PORT: documented(port.transform(Number).optional(), {
      doc: 'A port of their own for the metrics: the other one then has none.',
      absent: 'PORT',
    }),
    HOST: documented(text('an address of this machine, e.g. 127.0.0.1').default('0.0.0.0'), {
      doc: 'Address to listen on.',
    }),
    WEBHOOK_TOKEN: secret(addressToken.optional(), {
      doc: 'The secret last part of the address that the messaging service posts to.',
    }),
    WEBHOOK_TOKEN_OLD: secret(addressToken.optional(), {
      doc: 'Good as well, while WEBHOOK_TOKEN is changed.',
    }),
    WEBHOOK_HEADER_SECRET: secret(
      secretText('the secret that the messaging service sends in a header').optional(),
      { doc: 'Webhooks must carry it too, in the header that webhooks.secretHeader names.' },
    ),
    WEBHOOK_SECRET: secret(
      secretText('the secret with which the messaging service signs what it posts').optional(),
      {
        doc: 'Webhooks must be signed with it, see wire.webhooks.signature; without WEBHOOK_TOKEN that alone proves them.',
      },
    ),
    PSEUDONYM_KEY: secret(unguessable.optional(), {
      doc: 'The key of the names that retention and erase put in the place of numbers. Keep it as long as the database.',
    }),
    HTTPS_PROXY: secret(proxy.optional(), {
      doc: 'The proxy for https:// addresses of Slack and of the service, e.g. http://user:password@proxy:3128.',
    }),
    HTTP_PROXY: secret(proxy.optional(), { doc: 'The same for http:// addresses.' }),
    NO_PROXY: documented(z.string().optional(), {
      doc: 'Hosts that no proxy is used for, with commas between them.',
    }),
    LOG_LEVEL: documented(z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'), {
      doc: 'How much is logged: debug, info, warn or error.',
    }),
    HERALD_CONFIG: documented(text('the path of herald.yml').default('./herald.yml'), {
      doc: 'The file with everything that a team decides.',
    }),
  })
  .refine(
    ({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }) => (SLACK_APP_TOKEN ?? SLACK_SIGNING_SECRET) !== undefined,
    {
      path: ['SLACK_APP_TOKEN'],
      error: 'a token that begins with xapp- for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
      // Said together with the other problems, and not only once they are solved.
      when: ({ value }) => typeof value === 'object' && value !== null,
    },
  )
  .refine(
    ({ PORT, METRICS_PORT }) => METRICS_PORT === undefined || METRICS_PORT === 0 || METRICS_PORT !== PORT,
    {
      path: ['METRICS_PORT'],
      error: 'another port than PORT, or nothing',
    },
  );

/** The variables that `alerts.sources` of herald.yml names: the secret last part of the address that a tool posts to. */
export function isAlertsToken(name: string): name is AlertsTokenName {
  return /^ALERTS_TOKEN_[A-Z0-9_]+$/.test(name) && !name.endsWith('_FILE');
}

export type AlertsTokenName = `ALERTS_TOKEN_${string}`;
export const alertsToken = unguessable;

export type Environment = z.output<typeof environmentSchema> &
  Readonly<Record<AlertsTokenName, string | undefined>>;

type EnvironmentKey = keyof typeof environmentSchema.shape;
const ENVIRONMENT_KEYS = Object.keys(environmentSchema.shape) as EnvironmentKey[];
/** The variables whose values are shown nowhere. */
export const SECRETS = ENVIRONMENT_KEYS.filter((key) => metaOf(environmentSchema.shape[key]).secret);

/** The environment as the start-up log shows it: of secrets, only the names of those that are set. */
export function environmentSummary(environment: Environment): Readonly<Record<string, unknown>> {
  const shown = ENVIRONMENT_KEYS.filter((key) => !SECRETS.includes(key)).map((key) => {
    const value = environment[key];
    return [key, typeof value === 'string' ? withoutCredentials(value) : value] as const;
  });
  const secretsSet = SECRETS.filter((key) => environment[key] !== undefined);
  return { ...Object.fromEntries(shown), secretsSet };
}

/**
 * The secret values themselves, the database's password among them, for the logger to keep out of what it writes.
 *
 * @param environment as it was checked, or as it stands there when nothing was checked yet
 */
export function secretsOf(
  environment: Readonly<Partial<Record<keyof Environment, string | number | undefined>>>,
): readonly string[] {
  const names = [...SECRETS, ...Object.keys(environment).filter((key) => isAlertsToken(key))] as const;
  const secrets = names.flatMap((name) => environment[name] ?? []).map((value) => String(value).trim());
  return [...secrets, ...passwordsIn(String(environment.DATABASE_URL))];
}
