import { BlockList, isIP } from 'node:net';
import { ok } from '../../core/result.ts';
import type { MediaType } from '../kinds/kind.ts';
import {
  IMAGE_EXTENSION_PATTERN,
  IMAGE_MAX_MEGABYTES,
  LINK_PATTERN,
  TEXT_MAX_CHARACTERS,
} from '../limits.ts';
import type { Read } from '../transforms.ts';
import { type Rule, readLine, requiredLine } from './form.ts';

export const MEDIA_LABELS = { image: 'Image', video: 'Video', document: 'Document' } as const;

/** A link to media, as approvers are shown it, with the form's path of its field. */
export function mediaAttachment(type: keyof typeof MEDIA_LABELS, value: string, path: string) {
  return { label: MEDIA_LABELS[type], value, media: { type, path } };
}

const IMAGE_HINT = `A public link to a JPG, JPEG or PNG of at most ${IMAGE_MAX_MEGABYTES} MB, starting with http:// or https://.`;
const LINK_HINT = 'A public link starting with http:// or https://.';

/** What a leaf is made of that takes a link to such media. */
export function linkTo(type: MediaType, label: string) {
  const [hint, read] = type === 'image' ? [IMAGE_HINT, readImageLink] : [LINK_HINT, readLink];
  return { meta: { label, hint, affectsPreview: true }, read: read(label) };
}

/** A leaf for the name of a document. */
export function fileNameField() {
  return requiredLine(
    {
      label: 'File name',
      hint: 'The name under which the recipient sees the document.',
      placeholder: 'invoice.pdf',
      maxLength: TEXT_MAX_CHARACTERS,
      affectsPreview: true,
    },
    'Enter the document’s file name, such as invoice.pdf.',
  );
}

/** What copying leaves in a link: not joiners, which some scripts need, nor overrides, which are refused. */
const INVISIBLE = /(?!\u200C|\u200D|\u202D|\u202E)\p{Cf}/gu;

/** An absolute http or https URL, as typed but for invisible characters and the letter case of its scheme. */
export function readLink(label: string, ...rules: readonly Rule[]): Read<string> {
  const readAny = readLine(label, linkProblem, ...rules);
  return (typed) => {
    const link = readAny(typed.replace(INVISIBLE, ''));
    return link.ok ? ok(link.value.replace(LINK_PATTERN, (scheme) => scheme.toLowerCase())) : link;
  };
}

const linkProblem: Rule = (link, label) => {
  if (!LINK_PATTERN.test(link)) return `${label} must start with http:// or https://.`;
  if (/\s/.test(link)) return `${label} contains a space: write %20 instead.`;
  const url = URL.parse(link);
  return url ? hostProblem(url, label) : `${label} is not a complete link, such as https://example.com/file.`;
};

/** The service fetches it from outside, and whoever approves the message sees all of it. */
function hostProblem({ username, password, hostname }: URL, label: string): string | undefined {
  if (username !== '' || password !== '')
    return `${label} has a user name or a password in it: use a link that everybody may open.`;
  return isPublicHost(hostname)
    ? undefined
    : `${label} leads into a private network, where the service cannot fetch it: use a public link.`;
}

/** Networks that no address on the internet belongs to (IANA's special-purpose registries). */
const PRIVATE = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
]) {
  const [network = '', bits] = range.split('/');
  PRIVATE.addSubnet(network, Number(bits), familyOf(network));
}

/** Names without a dot are of one network; the endings are kept free for such. */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

/** @param hostname as `URL` writes it: whatever way an IPv4 address was typed, it has four parts */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(name) === 0 ? !PRIVATE_NAME.test(name) : !PRIVATE.check(name, familyOf(name));
}

function familyOf(address: string) {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/**
 * A link to a JPG, JPEG or PNG, judged by the ending of its path; a query or fragment may follow. Without an ending it
 * passes: see `imageNote`.
 */
function readImageLink(label: string): Read<string> {
  return readLink(label, (link) =>
    IMAGE_EXTENSION_PATTERN.test(new URL(link).pathname) || hasNoEnding(link)
      ? undefined
      : `${label} must lead to an image whose name ends in .jpg, .jpeg or .png.`,
  );
}

function hasNoEnding(link: string): boolean {
  return !/\.[a-z0-9]{1,5}$/i.test(new URL(link).pathname);
}

/** A note for below a link that may or may not lead to an image that the service takes. */
export function imageNote(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link) || !hasNoEnding(link)) return undefined;
  return 'The link does not end in .jpg, .jpeg or .png: make sure that it leads to such an image.';
}

/** Media as previews show them, with the note where there is one. */
export function linkLines(type: keyof typeof MEDIA_LABELS, link: string | undefined): string[] {
  const note = type === 'image' ? imageNote(link) : undefined;
  return [`[${MEDIA_LABELS[type]}: ${link ?? '⟨link⟩'}]`, ...(note === undefined ? [] : [`⚠ ${note}`])];
}
