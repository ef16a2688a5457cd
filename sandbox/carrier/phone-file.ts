import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierState } from '../protocol.ts';

type Phones = CarrierState['phones'];

/** Changes of so many milliseconds are saved together: 10,000 phones are written whole each time. */
const TOGETHER_MS = 500;

/** Keeps the phones' inboxes in a file, so that they agree with a workspace whose history is kept. */
export class PhoneFile {
  readonly #path: string;
  readonly #phones: () => Phones;
  #writing: Promise<void> = Promise.resolve();
  #isDue = false;
  readonly #ending = new AbortController();

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

  /** Saves soon; changes until then, and during a write, are gathered. */
  save(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const { signal } = this.#ending;
    const gathered = delay(TOGETHER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    this.#writing = Promise.all([this.#writing, gathered]).then(async () => {
      this.#isDue = false;
      await writeFile(`${this.#path}.new`, JSON.stringify({ version: 1, phones: this.#phones() }), {
        mode: 0o600,
      });
      await rename(`${this.#path}.new`, this.#path);
    });
  }

  /** Resolves once everything is on disk; from then on nothing is gathered. */
  async flush(): Promise<void> {
    this.#ending.abort();
    this.save();
    await this.#writing;
  }
}
