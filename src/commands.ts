import { renderProblem } from './config/problems.ts';
import { problemsOfFiles } from './config/secret-files.ts';
import type { Surroundings } from './herald.ts';

interface Command {
  /** What follows `node dist/main.js`. */
  readonly usage: string;
  readonly doc: string;
  /** Returns the exit code. */
  run(options: readonly string[], surroundings: Surroundings): Promise<number>;
}

/** By its first word. Each is imported when it is asked for: none needs what the others do. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    usage: '',
    doc: 'Runs Herald until it is asked to stop.',
    run: async (_options, surroundings) => (await import('./herald.ts')).runHerald(surroundings),
  },
  doctor: {
    usage: 'doctor [--offline] [--json]',
    doc: 'Looks at settings, database, Slack and the service, and says what to put right.',
    run: async (...asked) => (await import('./doctor.ts')).runDoctor(...asked),
  },
  explain: {
    usage: 'explain answer|webhook FILE',
    doc: 'Says how Herald reads what the service sent, and what to write into herald.yml.',
    run: async (...asked) => (await import('./explain.ts')).runExplain(...asked),
  },
  backup: {
    usage: 'backup PATH',
    doc: 'Copies the database to a new file, also while Herald runs.',
    run: async (...asked) => (await import('./backup.ts')).runBackup(...asked),
  },
  restore: {
    usage: 'restore PATH',
    doc: 'Puts a backup in the place of the database. Stop Herald first.',
    run: async (...asked) => (await import('./backup.ts')).runRestore(...asked),
  },
  'take-over-opt-outs': {
    usage: 'take-over-opt-outs ADDRESS',
    doc: 'Adds the opt-outs of another database, e.g. of the one that a restored one replaces.',
    run: async (...asked) => (await import('./backup.ts')).runTakeOver(...asked),
  },
  export: {
    usage: 'export NUMBER PATH',
    doc: 'Writes all that is kept of one number to a new file.',
    run: async (...asked) => (await import('./person.ts')).runExport(...asked),
  },
  erase: {
    usage: 'erase NUMBER',
    doc: 'Removes one number wherever it is kept. Stop a Herald on a file first.',
    run: async (...asked) => (await import('./person.ts')).runErase(...asked),
  },
  'accept-older-database': {
    usage: 'accept-older-database',
    doc: 'Lets Herald start on a database that it refused for knowing less than the one before.',
    run: async (...asked) => (await import('./backup.ts')).runAcceptance(...asked),
  },
  migrate: {
    usage: 'migrate --from FILE --to ADDRESS',
    doc: 'Moves what is in a SQLite file to PostgreSQL. Stop Herald first.',
    run: async (...asked) => (await import('./migrate.ts')).runMigration(...asked),
  },
  help: {
    usage: 'help',
    doc: 'Shows this.',
    run: async (_options, { say }) => {
      say(usage());
      return 0;
    },
  },
};

/** They name every problem of the settings at once, or need none. */
const SAY_ALL = [COMMANDS.start, COMMANDS.doctor, COMMANDS.help];

/** Does what the command line asks for. Returns the exit code; 1 and the list of commands for one that is not known. */
export async function runCommand(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name = 'start', ...options] = words;
  const command =
    name === '--help' ? COMMANDS.help : Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const problems = SAY_ALL.includes(command) ? [] : problemsOfFiles(surroundings.env);
  if (command !== undefined && problems.length > 0) {
    surroundings.say(problems.map(renderProblem).join('\n'));
    return 1;
  }
  if (command !== undefined) return command.run(options, surroundings);
  surroundings.say(`Herald has no command ${name}.\n\n${usage()}`);
  return 1;
}

function usage(): string {
  const lines = Object.values(COMMANDS).map(
    ({ usage, doc }) => `  node dist/main.js ${usage.padEnd(34)}${doc}`,
  );
  return [
    'Where things are comes from the environment; backup, restore and the like read DATABASE_URL.',
    '',
    ...lines,
  ].join('\n');
}
