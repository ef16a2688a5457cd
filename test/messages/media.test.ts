import { expect, test } from 'vitest';
import { given } from '../../src/core/given.ts';
import type { MediaType } from '../../src/messages/kinds/kind.ts';
import { isOpen, type MediaAnswer, mediaProblem } from '../../src/messages/media.ts';

const found = (contentType?: string, bytes?: number): MediaAnswer =>
  given({ state: 'found', contentType, bytes });
const PHOTO = 'a JPG, JPEG or PNG';
const leadsTo = (what: string, wanted: string) => `Image: the link leads to ${what}, not to ${wanted}.`;
const TOO_LARGE = 'Image: the link leads to 5.1 MB; the service takes at most 5 MB.';
const GONE = { state: 'unfit', why: 'leads to nothing (404).' } as const;

test.each<[MediaType, MediaAnswer, string | undefined, boolean]>([
  ['image', found('image/jpeg', 5 * 1024 * 1024), undefined, false],
  ['image', found('image/png'), undefined, false],
  ['image', found('image/webp'), leadsTo('“image/webp”', PHOTO), false],
  ['image', found('text/html', 10), leadsTo('a web page', PHOTO), false],
  ['image', found('image/jpeg', 5_347_738), TOO_LARGE, false],
  ['image', found('application/octet-stream'), undefined, true],
  ['image', found(), undefined, true],
  ['card', found('image/webp', 9_000_000), undefined, false],
  ['card', found('video/mp4'), leadsTo('“video/mp4”', 'an image'), false],
  ['video', found('video/mp4', 60_000_000), undefined, false],
  ['document', found('application/pdf'), undefined, false],
  ['document', found('application/octet-stream'), undefined, false],
  ['document', found('text/html'), leadsTo('a web page', 'a document'), false],
  ['image', { state: 'silent' }, undefined, true],
  ['image', GONE, 'Image: the link leads to nothing (404).', false],
])('%s and %j', (type, answer, problem, open) => {
  const link = { type, path: 'header.link', label: 'Image', link: 'https://a.example/1' };
  expect([mediaProblem(link, answer), isOpen(link, answer)]).toEqual([problem, open]);
});
