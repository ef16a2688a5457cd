import { extname } from 'node:path';
import type { SlackFile } from '../protocol.ts';
import { fileShape } from './api-shapes.ts';
import type { WorkspaceClock } from './clock.ts';
import { newId, newToken } from './identifiers.ts';
import type { WorkspaceDisk } from './persistence.ts';
import type { StoredFile, WorkspaceState } from './state.ts';

/** The largest file the workspace takes, in bytes; Slack's own limit is 1 GB. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024;

const MEDIA_TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.gz': 'application/gzip',
  '.txt': 'text/plain',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** What `slack_file` takes. Source: https://docs.slack.dev/reference/block-kit/composition-objects/slack-file-object */
const SHOWABLE: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif']);

interface PendingUpload {
  fileId: string;
  name: string;
  length: number;
  bytes: Buffer | null;
}

/** Files: the three steps of an app's upload, a person's upload, and the bytes. */
export class Files {
  #state: WorkspaceState;
  #clock: WorkspaceClock;
  #disk: WorkspaceDisk | null;
  #origin: () => string;
  #uploads = new Map<string, PendingUpload>();
  #bytes = new Map<string, Buffer>();
  #removed = new Set<string>();
  #unknown = new Set<string>();

  constructor(
    state: WorkspaceState,
    clock: WorkspaceClock,
    disk: WorkspaceDisk | null,
    origin: () => string,
  ) {
    this.#state = state;
    this.#clock = clock;
    this.#disk = disk;
    this.#origin = origin;
  }

  /** Step one: an address for the bytes. */
  begin(name: string, length: number): { fileId: string; uploadUrl: string } {
    const token = newToken();
    const fileId = newId('F');
    this.#uploads.set(token, { fileId, name, length, bytes: null });
    return { fileId, uploadUrl: `${this.#origin()}/upload/${token}` };
  }

  /** Step two: the bytes. False: no such address, or not the number of bytes that was announced. */
  receive(token: string, bytes: Buffer): boolean {
    const upload = this.#uploads.get(token);
    if (upload === undefined || bytes.length !== upload.length) return false;
    upload.bytes = bytes;
    return true;
  }

  /** Step three: the file exists. Null: it was never announced, or its bytes never came. */
  async complete(fileId: string, title: string | undefined, userId: string): Promise<StoredFile | null> {
    const entry = [...this.#uploads].find(([, upload]) => upload.fileId === fileId);
    if (entry === undefined) return null;
    const [token, upload] = entry;
    if (upload.bytes === null) return null;
    this.#uploads.delete(token);
    this.#unknown.add(fileId);
    return this.#store(fileId, upload.name, title, userId, upload.bytes);
  }

  /** A person's file, as a file_input of the page takes it. */
  add(name: string, bytes: Buffer, userId: string): Promise<StoredFile> {
    return this.#store(newId('F'), name, undefined, userId, bytes);
  }

  /** A file is shown in a channel from now on. Undefined: there is no such file. */
  share(fileId: string, channelId: string): StoredFile | undefined {
    const file = this.#removed.has(fileId) ? undefined : this.#state.files.get(fileId);
    if (file === undefined) return undefined;
    const shared = { ...file, channels: [...new Set([...file.channels, channelId])] };
    this.#state.putFile(shared);
    this.#disk?.save();
    return shared;
  }

  /** A person deletes a file; forms that hold it do not notice. */
  remove(fileId: string): void {
    this.#removed.add(fileId);
  }

  isRemoved(fileId: string): boolean {
    return this.#removed.has(fileId);
  }

  /** A person puts other bytes in a file's place. */
  async replace(fileId: string, bytes: Buffer): Promise<void> {
    if (this.#disk === null) this.#bytes.set(fileId, bytes);
    else await this.#disk.writeFileBytes(fileId, bytes);
  }

  /** True for a picture that a message of the app may show. */
  isShowable(fileId: string): boolean {
    const file = this.#removed.has(fileId) ? undefined : this.#state.files.get(fileId);
    return file !== undefined && SHOWABLE.has(file.mimetype) && !this.#unknown.has(fileId);
  }

  /**
   * What the app is told of a file. Slack completes an upload before it knows what the file is, says no type until then,
   * and refuses messages that show it; here always whoever asks first asks too early.
   */
  lookAt(file: StoredFile): StoredFile {
    return this.#unknown.delete(file.id) ? { ...file, mimetype: '' } : file;
  }

  /** The bytes of a file, or null when there is no such file. */
  async read(fileId: string): Promise<Buffer | null> {
    if (!this.#state.files.has(fileId) || this.#removed.has(fileId)) return null;
    return this.#bytes.get(fileId) ?? (await this.#disk?.readFileBytes(fileId)) ?? null;
  }

  /** Slack's whole file objects for the files that a file_input names. */
  describe(named: unknown): unknown[] {
    if (!Array.isArray(named)) return [];
    return named.flatMap((entry: unknown) => {
      const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : entry;
      const file = this.#state.files.get(String(id));
      return file === undefined ? [] : [fileShape(file)];
    });
  }

  async #store(
    id: string,
    name: string,
    title: string | undefined,
    user: string,
    bytes: Buffer,
  ): Promise<StoredFile> {
    const facts: SlackFile = {
      id,
      name,
      mimetype: MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
      size: bytes.length,
      url_private_download: `${this.#origin()}/files/${id}/download/${encodeURIComponent(name)}`,
    };
    const created = Math.floor(this.#clock.now() / 1000);
    const file: StoredFile = { ...facts, title: title ?? name, user, created, channels: [] };
    await this.replace(id, bytes);
    this.#state.putFile(file);
    this.#disk?.save();
    return file;
  }
}
