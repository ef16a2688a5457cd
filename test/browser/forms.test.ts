import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { onHerald } from './on-page.ts';

/* How long each form is as it opens, on a phone, and where its cursor stands. */

const PHONE = { width: 390, height: 844 };
const MOST_SCREENS = 3;
const on = onHerald({ viewport: PHONE });

async function open(line: string): Promise<Locator> {
  await on.type(line);
  const form = on.page.getByRole('dialog');
  await form.waitFor();
  return form;
}

/** All of a form, as long as it would be on a screen without an end. */
function heightOf(form: Locator): Promise<number> {
  return form.evaluate((dialog) => {
    const body = dialog.querySelector('.modal-body');
    return dialog.clientHeight - (body?.clientHeight ?? 0) + (body?.scrollHeight ?? 0);
  });
}

it.each([
  ['/chatapp', 'template'],
  ['/chatapp order_update', 'params.0'],
  ['/chatapp invoice', 'header.link'],
  ['/chatapp login_code', 'otp'],
  ['/rcs', 'template'],
  ['/rcs appointment', 'params.0'],
  ['/rcs weekly_offers', 'content.0.fileUrl'],
  ['/sms', 'text'],
  ['/flash', 'text'],
  ['/chatapp interactive', 'interactive.body.text'],
  ['/chatapp address', 'body.text'],
])('%s fits on three screens of a phone, and begins in %s', async (line, field) => {
  const form = await open(line);
  const focused = on.page.locator('[data-block-id]:focus-within');
  await expect.poll(() => focused.getAttribute('data-block-id')).toMatch(new RegExp(`^${field}(:|$)`));
  expect(await heightOf(form)).toBeLessThanOrEqual(MOST_SCREENS * PHONE.height);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
});
