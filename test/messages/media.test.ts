import { expect, test } from 'vitest';
import type { MediaType } from '../../src/messages/kinds/kind.ts';
import { isOpen, type MediaAnswer, mediaProblem } from '../../src/messages/media.ts';

const found = (contentType?: string, bytes?: number): MediaAnswer => ({
  state: 'found',
  ...(contentType !== undefined && { contentType }),
  ...(bytes !== undefined && { bytes }),
});
const linkOf = (type: MediaType) => ({
  type,
  path: 'header.link',
  label: 'Image',
  link: 'https://a.example/1',
});

test.each<[MediaType, MediaAnswer, string | undefined, boolean]>([
  ['image', found('image/jpeg', 5 * 1024 * 1024), undefined, false],
  ['image', found('image/png'), undefined, false],
  ['image', found('image/webp'), 'Image: the link leads to “image/webp”, not to a JPG, JPEG or PNG.', false],
  ['image', found('text/html', 10), 'Image: the link leads to a web page, not to a JPG, JPEG or PNG.', false],
  [
    'image',
    found('image/jpeg', 5_347_738),
    'Image: the link leads to 5.1 MB; the service takes at most 5 MB.',
    false,
  ],
  ['image', found('application/octet-stream'), undefined, true],
  ['image', found(), undefined, true],
  ['card', found('image/webp', 9_000_000), undefined, false],
  ['card', found('video/mp4'), 'Image: the link leads to “video/mp4”, not to an image.', false],
  ['video', found('video/mp4', 60_000_000), undefined, false],
  ['document', found('application/pdf'), undefined, false],
  ['document', found('application/octet-stream'), undefined, false],
  ['document', found('text/html'), 'Image: the link leads to a web page, not to a document.', false],
  ['image', { state: 'silent' }, undefined, true],
  [
    'image',
    { state: 'unfit', why: 'leads to nothing (404).' },
    'Image: the link leads to nothing (404).',
    false,
  ],
])('%s and %j', (type, answer, problem, open) => {
  expect(mediaProblem(linkOf(type), answer)).toBe(problem);
  expect(isOpen(linkOf(type), answer)).toBe(open);
});
