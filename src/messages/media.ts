import type { MediaType } from './kinds/kind.ts';
import { kindOf, type Message } from './kinds.ts';
import { IMAGE_MAX_MEGABYTES } from './limits.ts';

/** A link in a message that the service will fetch, with the form's path of its field. */
type MediaLink = ReturnType<typeof mediaIn>[number];

/** What came back when a link was asked for. */
export type MediaAnswer =
  /** `contentType` in lower case without parameters, `bytes` as its headers say; absent where they say nothing. */
  | { readonly state: 'found'; readonly contentType?: string; readonly bytes?: number }
  /** It can be said for certain that the service will not get it: the rest of a sentence after “The link”. */
  | { readonly state: 'unfit'; readonly why: string }
  /** Nothing that says anything came in time. */
  | { readonly state: 'silent' };

const MEGABYTE = 1024 * 1024;

/** What each type of media may be. Source: docs/wire.md, header media; of the pictures of RCS cards no format is stated. */
const FITTING: Readonly<
  Record<MediaType, { readonly wanted: string; readonly types: RegExp; readonly megabytes?: number }>
> = {
  image: { wanted: 'a JPG, JPEG or PNG', types: /^image\/(?:jpe?g|png)$/, megabytes: IMAGE_MAX_MEGABYTES },
  card: { wanted: 'an image', types: /^image\// },
  video: { wanted: 'a video', types: /^video\// },
  document: { wanted: 'a document', types: /^(?!text\/html$)/ },
};

/** Content types that servers send when they do not know. */
const SAYS_NOTHING: ReadonlySet<string | undefined> = new Set([
  undefined,
  'application/octet-stream',
  'binary/octet-stream',
]);

export function mediaIn(message: Message) {
  return kindOf(message)
    .attachments(message)
    .flatMap(({ label, value, media }) => (media === undefined ? [] : [{ label, link: value, ...media }]));
}

/** Why the service will not take what a link leads to, as a sentence; undefined when nothing is against it. */
export function mediaProblem({ type, label }: MediaLink, answer: MediaAnswer): string | undefined {
  if (answer.state === 'silent') return undefined;
  const what = `${label}: the link`;
  if (answer.state === 'unfit') return `${what} ${answer.why}`;
  const { contentType, bytes = 0 } = answer;
  const { wanted, types, megabytes = Number.POSITIVE_INFINITY } = FITTING[type];
  if (contentType !== undefined && !SAYS_NOTHING.has(contentType) && !types.test(contentType))
    return `${what} leads to ${contentType === 'text/html' ? 'a web page' : `“${contentType}”`}, not to ${wanted}.`;
  if (bytes > megabytes * MEGABYTE)
    return `${what} leads to ${(bytes / MEGABYTE).toFixed(1)} MB; the service takes at most ${megabytes} MB.`;
  return undefined;
}

/** Whether an answer leaves open what the link leads to, so that whoever approves should look. */
export function isOpen({ type }: MediaLink, answer: MediaAnswer): boolean {
  if (answer.state !== 'found') return answer.state === 'silent';
  return type !== 'document' && SAYS_NOTHING.has(answer.contentType);
}
