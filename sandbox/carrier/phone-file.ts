import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CarrierState } from '../protocol.ts';

type Phones = CarrierState['phones'];

/** Keeps the phones' inboxes in a file, so that they agree with a workspace whose history is kept. */
export class PhoneFile {
  readonly #path: string;
  readonly #phones: () => Phones;
  #writing: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(path: string, phones: () => Phones) {
    this.#path = path;
    this.#phones = phones;
  }

  /** The saved inboxes; none when there is no file yet. */
  async read(): Promise<Phones> {
    await mkdir(dirname(this.#path), { recursive: true });
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      throw error;
    }
    try {
      const saved: { version: number; phones: Phones } = JSON.parse(text);
      if (saved.version === 1) return saved.phones;
    } catch {
      // A file that is not JSON gets the same sentence as one of another version.
    }
    throw new Error(`${this.#path} is not a list of phones of this version. Start with --fresh to empty it.`);
  }

  /** Saves soon; changes during a write are gathered into the next one. */
  save(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#writing = this.#writing.then(async () => {
      this.#isDue = false;
      await writeFile(`${this.#path}.new`, JSON.stringify({ version: 1, phones: this.#phones() }), {
        mode: 0o600,
      });
      await rename(`${this.#path}.new`, this.#path);
    });
  }

  /** Resolves once everything is on disk. */
  async flush(): Promise<void> {
    this.save();
    await this.#writing;
  }
}
