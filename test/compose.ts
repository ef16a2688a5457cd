import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** A span of time as the Compose specification writes it, e.g. `1m30s`. */
const duration = z.string().regex(/^(\d+(h|m|s|ms|us))+$/);
/** An image of one version: what is pulled tomorrow is what was tested today. */
const image = z.string().regex(/^[\w./-]+:\d+\.\d+[\w.-]*$/);
const size = z.string().regex(/^\d+(b|k|m|g|kb|mb|gb)$/);

const limits = z.strictObject({
  cpus: z.string().regex(/^\d+(\.\d+)?$/),
  memory: size,
  pids: z.int().positive(),
});

const service = z.strictObject({
  image,
  build: z.strictObject({ context: z.string(), args: z.array(z.string()) }).optional(),
  init: z.boolean().optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({
        condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    )
    .optional(),
  user: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  deploy: z.strictObject({
    replicas: z.int().positive().optional(),
    resources: z.strictObject({ limits }),
  }),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
  tmpfs: z.array(z.string().startsWith('/')).optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  environment: z.record(z.string().regex(/^[A-Z][A-Z_]*$/), z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  volumes: z.array(z.string().regex(/^(\.\/)?[\w./-]+:\/[\w./-]+(:ro)?$/)).optional(),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).optional(),
  command: z.array(z.string()).optional(),
  read_only: z.boolean(),
  shm_size: size.optional(),
  stop_signal: z
    .string()
    .regex(/^SIG[A-Z]+$/)
    .optional(),
  stop_grace_period: duration.optional(),
  healthcheck: z.strictObject({
    test: z.tuple([z.literal('CMD'), z.string()], z.string()),
    interval: duration,
    timeout: duration,
    retries: z.int().positive(),
    start_period: duration.optional(),
  }),
});

/** The parts of the Compose specification that compose.yml uses, and no others. */
const composeSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(z.string(), service),
  'x-confined': z.unknown(),
  volumes: z.record(z.string(), z.strictObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string().startsWith('./secrets/') })),
});

export type Compose = z.output<typeof composeSchema>;

export const composeText = readFileSync(new URL('../compose.yml', import.meta.url), 'utf8');

/** Throws when the file is not what Compose takes. */
export function readCompose(): Compose {
  return composeSchema.parse(parse(composeText, { merge: true }));
}

const VARIABLE = /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g;

/** Names of the variables that the file takes from its surroundings. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}

/** What a service is started with: as Compose, puts variables in, with their defaults; throws where a needed one is missing. */
export function environmentOf(
  { environment = {} }: Compose['services'][string],
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([key, text]) => [
      key,
      text.replace(VARIABLE, (_whole, name: string, kind: string | undefined, rest = '') => {
        const value = variables[name] ?? '';
        if (value !== '' || kind === undefined) return value;
        if (kind === '?') throw new Error(`${name}: ${rest}`);
        return rest;
      }),
    ]),
  );
}
