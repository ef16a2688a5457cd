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
  'account_inactive',
  'invalid_auth',
  'missing_scope',
  'not_authed',
  'token_expired',
  'token_revoked',
])('a form that Slack refuses with %s: only whoever runs Herald can mend that', async (code) => {
  expect(await opened(code)).toEqual({
    ok: false,
    error: `Slack did not open the form (${code}). Whoever runs Herald must mend that first.`,
  });
});

test('any other refusal is told by its code', async () => {
  expect(await opened('view_too_large')).toEqual({
    ok: false,
    error: 'Slack did not open the form (view_too_large).',
  });
});
