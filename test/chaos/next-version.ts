import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const END_OF_LIST = /,?\s*\];$/m;

/** The next migration of each store. */
const ENTRIES = {
  // A column in every table, and one more table.
  'src/store/postgres/migrations.ts': `
  CREATE TABLE added_by_the_next_version (id INTEGER PRIMARY KEY);
  DO $do$ DECLARE name TEXT; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN added_by_the_next_version TEXT', name);
    END LOOP;
  END $do$;
  `,
  'src/store/sqlite/migrations.ts': `
  ALTER TABLE sends ADD COLUMN added_by_the_next_version TEXT;
  ALTER TABLE recipients ADD COLUMN added_by_the_next_version TEXT;
  CREATE TABLE added_by_the_next_version (id INTEGER PRIMARY KEY) STRICT;
  `,
};

/** Puts the version after this one into `folder`, which is empty: the same program, which has one more change of the schema. */
export function unpackNext(folder: string): void {
  cpSync(join(PROJECT, 'src'), join(folder, 'src'), { recursive: true });
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, entry] of Object.entries(ENTRIES)) {
    const migrations = readFileSync(join(PROJECT, file), 'utf8');
    if (!END_OF_LIST.test(migrations)) throw new Error(`${file} has no list that ends with "];".`);
    // A function, because $ has a meaning in a replacement.
    writeFileSync(
      join(folder, file),
      migrations.replace(END_OF_LIST, () => `, \`${entry}\`];`),
    );
  }
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), "import '../src/main.ts';\n");
}
