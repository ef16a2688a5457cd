import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxChannel } from '../protocol.ts';
import type { StoredFile, StoredMessage, StoredView, WorkspaceState } from './state.ts';

/** What survives a restart. Ephemeral messages and open modals do not, as in Slack. */
interface SavedWorkspace {
  version: 1;
  channels: SandboxChannel[];
  messages: StoredMessage[];
  files: StoredFile[];
  homes: [string, StoredView][];
}

/** Keeps the workspace in a folder: `workspace.json`, and the bytes of each file under `files/`. */
export class WorkspaceDisk {
  #folder: string;
  #state: WorkspaceState;
  #pending: Promise<void> = Promise.resolve();
  #isScheduled = false;

  constructor(folder: string, state: WorkspaceState) {
    this.#folder = folder;
    this.#state = state;
  }

  /** Loads what was saved, then saves after every change. */
  async open(): Promise<void> {
    await mkdir(join(this.#folder, 'files'), { recursive: true });
    const saved = await this.#read();
    if (saved !== null) this.#restore(saved);
    this.#state.subscribe((event) => {
      if (event.type !== 'app' && event.type !== 'views') this.save();
    });
  }

  async writeFileBytes(id: string, bytes: Buffer): Promise<void> {
    await writeFile(join(this.#folder, 'files', id), bytes);
  }

  readFileBytes(id: string): Promise<Buffer> {
    return readFile(join(this.#folder, 'files', id));
  }

  /** Waits until everything is on disk. */
  async flush(): Promise<void> {
    this.save();
    let current: Promise<void> | undefined;
    while (current !== this.#pending) {
      current = this.#pending;
      await current;
    }
  }

  /** Saves soon: one write at a time, and changes during a write are gathered into the next. */
  save(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#pending = this.#pending.then(async () => {
      this.#isScheduled = false;
      await this.#write();
    });
  }

  async #write(): Promise<void> {
    const saved: SavedWorkspace = {
      version: 1,
      channels: [...this.#state.channels.values()],
      messages: this.#state.allMessages().filter((message) => message.ephemeralFor === undefined),
      files: [...this.#state.files.values()],
      homes: [...this.#state.homes],
    };
    const path = join(this.#folder, 'workspace.json');
    await writeFile(`${path}.new`, JSON.stringify(saved));
    await rename(`${path}.new`, path);
  }

  async #read(): Promise<SavedWorkspace | null> {
    const path = join(this.#folder, 'workspace.json');
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
    try {
      const saved: SavedWorkspace = JSON.parse(text);
      if (saved.version === 1) return saved;
    } catch {
      // A file that is not JSON falls through to the same sentence as one of another version.
    }
    throw new Error(`${path} is not a sandbox workspace of this version. Start with --fresh to empty it.`);
  }

  #restore(saved: SavedWorkspace): void {
    for (const channel of saved.channels) this.#state.putChannel(channel);
    for (const message of saved.messages) this.#state.putMessage(message);
    for (const file of saved.files) this.#state.putFile(file);
    for (const [userId, view] of saved.homes) this.#state.putHome(userId, view);
  }
}
