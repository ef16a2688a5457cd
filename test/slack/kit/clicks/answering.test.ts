import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import { openModal } from '../../../../src/slack/kit/clicks/answering.ts';
import { refusalOf } from '../refusal-of.ts';

const VIEW: ModalView = { type: 'modal', title: { type: 'plain_text', text: 'A' }, blocks: [] };

const opened = (code: string) => {
  const open = () => Promise.reject(refusalOf(code));
  return openModal({ views: { open, push: open, update: open } }, '1.2', VIEW);
};

test.each([
  ['missing_scope', '(missing_scope). Whoever runs Herald must mend that first.'],
  ['view_too_large', '(view_too_large).'],
])('a form that Slack refuses with %s is said so, with who can mend it', async (code, why) => {
  expect(await opened(code)).toEqual({ ok: false, error: `Slack did not open the form ${why}` });
});
