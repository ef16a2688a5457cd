import { renderProblem } from './config/problems.ts';
import { problemsOfFiles } from './config/secret-files.ts';
import type { Surroundings, Task } from './herald.ts';

interface Command {
  readonly doc: string;
  readonly run: Task;
}

/**
 * By what follows `node dist/main.js`: its name and what it takes. Each is imported when it is asked for: Herald itself needs
 * none of the others.
 */
const COMMANDS: Readonly<Record<string, Command>> = {
  '': {
    doc: 'Runs Herald until it is asked to stop.',
    run: async (_options, surroundings) => (await import('./herald.ts')).runHerald(surroundings),
  },
  'doctor [--offline] [--json]': {
    doc: 'Looks at settings, database, Slack and the service, and says what to put right.',
    run: async (...asked) => (await import('./doctor.ts')).runDoctor(...asked),
  },
  'explain answer|webhook FILE, or explain unread': {
    doc: 'Says how Herald reads what the service sent, and what to write into herald.yml.',
    run: async (...asked) => (await import('./explain.ts')).runExplain(...asked),
  },
  'backup PATH': {
    doc: 'Copies the database to a new file, also while Herald runs.',
    run: async (...asked) => (await import('./database-commands.ts')).runBackup(...asked),
  },
  'restore [--check] PATH': {
    doc: 'Puts a backup in the place of the database. Stop Herald first; not to --check.',
    run: async (...asked) => (await import('./database-commands.ts')).runRestore(...asked),
  },
  'take-over-opt-outs ADDRESS': {
    doc: 'Adds the opt-outs of another database, e.g. of the one that a restored one replaces.',
    run: async (...asked) => (await import('./database-commands.ts')).runTakeOver(...asked),
  },
  'export NUMBER PATH': {
    doc: 'Writes all that is kept of one number to a new file.',
    run: async (...asked) => (await import('./database-commands.ts')).runExport(...asked),
  },
  'erase NUMBER': {
    doc: 'Removes one number wherever it is kept. Stop a Herald on a file first.',
    run: async (...asked) => (await import('./database-commands.ts')).runErase(...asked),
  },
  'accept-older-database': {
    doc: 'Lets Herald start on a database that it refused for knowing less than the one before.',
    run: async (...asked) => (await import('./database-commands.ts')).runAcceptance(...asked),
  },
  'migrate --from FILE --to ADDRESS': {
    doc: 'Moves what is in a SQLite file to PostgreSQL. Stop Herald first.',
    run: async (...asked) => (await import('./migrate.ts')).runMigration(...asked),
  },
  help: {
    doc: 'Shows this.',
    run: async (_options, { say }) => {
      say(usage());
      return 0;
    },
  },
};

const byName = new Map(
  Object.entries(COMMANDS).map(([usage, command]) => [usage.split(' ', 1)[0] || 'start', command]),
);

/** They name every problem of the settings at once, or need none. */
const SAY_ALL = ['start', 'doctor', 'help'];

/** Does what the command line asks for. Returns the exit code; 1 and the list of commands for one that is not known. */
export async function runCommand(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const [typed = 'start', ...options] = words;
  const name = typed === '--help' ? 'help' : typed;
  const command = byName.get(name);
  const problems = SAY_ALL.includes(name) ? [] : problemsOfFiles(surroundings.env);
  if (command !== undefined && problems.length === 0) return command.run(options, surroundings);
  const unknown = `Herald has no command ${name}.\n\n${usage()}`;
  surroundings.say(command === undefined ? unknown : problems.map(renderProblem).join('\n'));
  return 1;
}

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length)) + 2;
  const lines = Object.entries(COMMANDS).map(
    ([usage, { doc }]) => `  node dist/main.js ${usage.padEnd(width)}${doc}`,
  );
  return [
    'Where things are comes from the environment; backup, restore and the like read DATABASE_URL.',
    '',
    ...lines,
  ].join('\n');
}
