import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MIGRATIONS = 'src/store/postgres/migrations.ts';
const END_OF_LIST = /^\];$/m;

/** One more entry: a column in every table, and one more table. */
const ENTRY = `  \`
  CREATE TABLE added_by_the_next_version (id INTEGER PRIMARY KEY);
  DO $do$ DECLARE name TEXT; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN added_by_the_next_version TEXT', name);
    END LOOP;
  END $do$;
  \`,
];`;

/** Puts the version after this one into `folder`, which is empty: the same program, which has one more change of the schema. */
export function unpackNext(folder: string): void {
  cpSync(join(PROJECT, 'src'), join(folder, 'src'), { recursive: true });
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const migrations = readFileSync(join(PROJECT, MIGRATIONS), 'utf8');
  if (!END_OF_LIST.test(migrations)) throw new Error(`${MIGRATIONS} has no list that ends with "];".`);
  // A function, because $ has a meaning in a replacement.
  writeFileSync(
    join(folder, MIGRATIONS),
    migrations.replace(END_OF_LIST, () => ENTRY),
  );
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), "import '../src/main.ts';\n");
}
