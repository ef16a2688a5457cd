import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { fail, ok, type Result } from '../../../core/result.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { Announcement } from '../../../sends/send.ts';
import {
  type ApiFailure,
  classifyApiError,
  OPERATOR_LATER_MS,
  remedyOf,
  retryAfterOf,
  whyRefused,
} from '../../connection/api-error.ts';
import type { SlackClient } from '../../connection/client.ts';
import type { GivenFile } from './file-inputs.ts';

/** A file to give to people; read once. */
export interface FileToSend {
  readonly name: string;
  readonly content: AsyncIterable<string> | readonly string[];
}

export type SlackFiles = ReturnType<typeof createSlackFiles>;

/** Why a file did not reach Slack, in a sentence; with `retryAfterMs` it certainly did not, and may be given again then. */
interface NotGiven {
  readonly sentence: string;
  readonly retryAfterMs?: number;
}

type SlackFilesDependencies = Pick<SlackClient, 'client' | 'botToken' | 'slackApiUrl'> &
  Pick<Surroundings, 'logger'>;

/** A million rows of twenty columns take less; a slower line than this is taken for broken. */
const TRANSFER_TIMEOUT_MS = 5 * 60_000;

const UNREADABLE = 'Slack did not hand over the file. Nothing was sent. Choose it again in a minute.';

export function createSlackFiles(dependencies: SlackFilesDependencies) {
  return { download: downloading(dependencies), sendTo: sending(dependencies) };
}

function downloading({ client, botToken, slackApiUrl, logger }: SlackFilesDependencies) {
  /** Finds where the file is now: the form's payload may be old. */
  async function locate(file: GivenFile): Promise<Result<string, string>> {
    try {
      const { file: found } = await client.files.info({ file: file.id });
      const address = found?.url_private_download ?? found?.url_private;
      if (address !== undefined && isFileAddress(address, slackApiUrl)) return ok(address);
      logger.warn({ fileId: file.id }, 'a file is not on a host of Slack and was not fetched');
      return fail(ELSEWHERE);
    } catch (error) {
      const failure = classifyApiError(error);
      logger.warn({ failure, fileId: file.id }, 'Slack did not say where a file is');
      return fail(failure.kind === 'refused' ? whyNotHandedOver(failure.code) : UNREADABLE);
    }
  }

  /**
   * The bytes of a file, as they come; breaks off with an error when Slack does, or when more than `maxBytes` come.
   * The failure is two sentences for the person.
   */
  return async (file: GivenFile, maxBytes: number): Promise<Result<AsyncIterable<Uint8Array>, string>> => {
    const address = await locate(file);
    if (!address.ok) return address;
    try {
      const response = await fetch(address.value, {
        headers: { Authorization: `Bearer ${botToken}` },
        redirect: 'error',
        signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
      });
      if (response.status === 404 || response.status === 410) return fail(GONE);
      // Without the right token Slack answers 200 with its sign-in page.
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      if (!response.ok || response.body === null || isPage) {
        logger.warn({ status: response.status, isPage, fileId: file.id }, 'Slack did not hand over a file');
        await response.body?.cancel();
        return fail(UNREADABLE);
      }
      return ok(upTo(maxBytes, response.body));
    } catch (error) {
      logger.warn({ failure: classifyApiError(error), fileId: file.id }, 'a file could not be fetched');
      return fail(UNREADABLE);
    }
  };
}

/** Uploads a file, and only then says the words that it goes below. */
function sending({ client, slackApiUrl, logger }: SlackFilesDependencies) {
  async function put(file: FileToSend): Promise<string> {
    const { length, packed } = await packedOnce(file.content);
    const { upload_url: address, file_id: id } = await client.files.getUploadURLExternal({
      filename: file.name,
      length,
    });
    if (address === undefined || id === undefined || !isFileAddress(address, slackApiUrl))
      throw new Error('Slack gave no usable address to upload to.');
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(length) },
      body: Readable.toWeb(Readable.from([packed]).pipe(createGunzip())),
      duplex: 'half',
      redirect: 'error',
      signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
    } as RequestInit);
    if (!response.ok) throw new Error(`Slack refused the bytes of a file with ${response.status}.`);
    return id;
  }

  async function say(userId: string, sentence: string): Promise<Announcement> {
    // A file needs the id of the conversation; posting to a person gives it.
    const { channel, ts } = await client.chat.postMessage({ channel: userId, text: sentence });
    if (channel === undefined || ts === undefined) throw new Error('Slack did not say where it posted.');
    return { channelId: channel, ts };
  }

  async function takeBack({ channelId: channel, ts }: Announcement): Promise<void> {
    await client.chat.delete({ channel, ts }).catch((error: unknown) => {
      logger.warn({ failure: classifyApiError(error) }, 'the words above a file could not be taken back');
    });
  }

  /** Sends a file directly to a person, under a sentence, which is taken back where the file certainly does not follow. */
  return async (userId: string, sentence: string, file: FileToSend): Promise<Result<unknown, NotGiven>> => {
    let words: Announcement | undefined;
    try {
      const id = await put(file);
      words = await say(userId, sentence);
      const files: [{ id: string; title: string }] = [{ id, title: file.name }];
      await client.files.completeUploadExternal({ files, channel_id: words.channelId });
      return ok(undefined);
    } catch (error) {
      const failure = classifyApiError(error);
      logger.warn({ failure }, 'a file could not be given');
      if (words !== undefined && failure.kind !== 'ambiguous') await takeBack(words);
      return fail(notGiven(failure));
    }
  };
}

function notGiven(failure: ApiFailure): NotGiven {
  if (failure.kind === 'refused') {
    const mayPass = remedyOf(failure.code) === 'operator' && failure.code !== 'missing_scope';
    return { sentence: whyNotTaken(failure.code), ...(mayPass && { retryAfterMs: OPERATOR_LATER_MS }) };
  }
  const sentence = 'Slack did not take the file. Try again in a minute.';
  return failure.kind === 'ambiguous' ? { sentence } : { sentence, retryAfterMs: retryAfterOf(failure) };
}

/** Throws into the reading of a download. */
async function* upTo(maxBytes: number, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > maxBytes) throw new Error(`The file has more than ${maxBytes} bytes.`);
    yield chunk;
  }
}

/** Read once and kept packed: Slack asks for the length first, and a report is longer with each delivery that comes in. */
async function packedOnce(content: FileToSend['content']) {
  let length = 0;
  async function* encoded(): AsyncIterable<Uint8Array> {
    for await (const part of content) {
      const bytes = Buffer.from(part);
      length += bytes.length;
      yield bytes;
    }
  }
  const packed = await pipeline(encoded(), createGzip({ level: 1 }), (parts) => buffer(parts));
  return { length, packed };
}

/**
 * True for addresses that may be given the bot token or a file's bytes: on the Web API's own origin, or by https on
 * its host or one below it (`files.slack.com` for `slack.com`). A payload can name any address.
 */
export function isFileAddress(address: string, slackApiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const api = new URL(slackApiUrl);
  if (url.username !== '' || url.password !== '') return false;
  // Not by its origin: of a blob: address that is the origin of the address in it.
  if (url.protocol === api.protocol && url.host === api.host) return true;
  const isBelow = url.hostname === api.hostname || url.hostname.endsWith(`.${api.hostname}`);
  return url.protocol === 'https:' && url.port === '' && isBelow;
}

/*
 * Sentences for when Slack refuses a file, by the codes that files.getUploadURLExternal, files.completeUploadExternal and
 * files.info are documented to answer with. What is not among them may pass by itself.
 */

const ELSEWHERE =
  'This file is not kept in Slack, so Herald cannot read it. Nothing was sent. Choose a file from your computer.';
const GONE = 'Slack no longer has this file. Nothing was sent. Choose it again.';

const SETTINGS = /^(?:file_(?:uploads_|upload_size_|type_not_)|slack_connect_|user_is_external_guest$)/;

function whyNotTaken(code: string): string {
  if (code === 'missing_scope')
    return 'Herald may not upload files in this workspace. Ask whoever runs Herald to add the scope files:write and install it again.';
  if (code === 'storage_limit_reached')
    return 'The workspace has no room for more files. Delete files that nobody needs, or ask an admin for more room; then ask for the file again.';
  if (SETTINGS.test(code))
    return `The settings of the workspace do not allow this file (${code}). Ask an admin of it to let Herald upload CSV files; then ask for the file again.`;
  if (remedyOf(code) === 'elsewhere')
    return `Slack does not let Herald write there (${code}). Ask whoever runs Herald.`;
  return `Slack refused the file ${whyRefused(code)} Ask for it again later; if that does not help, inform whoever runs Herald.`;
}

function whyNotHandedOver(code: string): string {
  switch (code) {
    case 'missing_scope':
      return 'Herald may not read files in this workspace. Nothing was sent. Ask whoever runs Herald to add the scope files:read and install it again; meanwhile paste the numbers.';
    case 'file_deleted':
      return GONE;
    case 'file_not_found':
    case 'not_visible':
      return 'Slack does not show Herald this file: it was deleted, or stands in a channel without Herald. Nothing was sent. Invite Herald there, or choose the file again.';
    default:
      return `Slack refused to hand over the file (${code}). Nothing was sent. Choose it again later; if that does not help, inform whoever runs Herald.`;
  }
}
