import { expect, it } from 'vitest';
import { onPage } from './on-page.ts';
import { startPageApp } from './page-app.ts';

/* The phones, and what the carrier can be made to do, on the on.page. */
const on = onPage(startPageApp, (app) => app.close());

const KAVYA = '919876500001';
const phone = (number: string) => on.phone(`+${number}`);

async function send(path: string, body: object): Promise<number> {
  const answer = await fetch(on.stack.carrierUrl + path, {
    method: 'POST',
    headers: { apikey: 'test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ sender: 'ACMEIN', type: 'TRANS', ...body }),
  });
  return answer.status;
}

const sms = (text: string, ...to: string[]) => send('/v1/sms', { to, text, unicode: 0 });

it('shows the end of what is on a phone, also of one that was filled out of sight', async () => {
  await on.open({ viewport: { width: 820, height: 1100 } });
  const columns = on.page.getByRole('navigation', { name: 'Columns' });
  for (let n = 1; n <= 12; n += 1) expect(await sms(`Message ${n} of a dozen`, KAVYA)).toBe(200);
  await columns.getByRole('button', { name: 'Phones' }).click();
  const list = phone(KAVYA).getByRole('log');
  const gap = (words: string) =>
    list.evaluate((element, text) => {
      const bubble = [...element.querySelectorAll('.bubble')].find((one) => one.textContent?.includes(text));
      if (!bubble) return undefined;
      return element.getBoundingClientRect().bottom - bubble.getBoundingClientRect().bottom;
    }, words);
  await expect.poll(() => gap('Message 12 of')).toBeGreaterThanOrEqual(0);
  await sms('One more', KAVYA);
  await expect.poll(() => gap('One more')).toBeGreaterThanOrEqual(0);
});

it.each([
  [1440, 900],
  [1440, 768],
  [390, 844],
])('cuts no phone in two at the lower edge, %i by %i', async (width, height) => {
  await on.open({ viewport: { width, height } });
  await on.page.locator('.phone').first().waitFor({ state: 'attached' });
  // Each time one more: a phone that comes with the page open, as the others may have done before.
  await sms(
    'Hello',
    KAVYA,
    '919876500002',
    '919876500003',
    '919876500004',
    '919876500005',
    `91987650${height}9`,
  );
  if (width < 900) await on.page.getByRole('button', { name: 'Phones' }).click();
  await on.page.getByRole('searchbox', { name: 'Find a phone' }).waitFor();
  const cut = () =>
    on.page.locator('#panel-content').evaluate((area) => {
      const { bottom } = area.getBoundingClientRect();
      return [...area.querySelectorAll('.phone-body')]
        .map((one) => one.getBoundingClientRect())
        .filter((one) => one.top < bottom && one.bottom > bottom).length;
    });
  await phone('919876500005').waitFor();
  await expect.poll(cut).toBe(0);
});
