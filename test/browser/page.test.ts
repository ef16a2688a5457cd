import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { onPage } from './on-page.ts';
import { startPageApp } from './page-app.ts';

const on = onPage(startPageApp, (app) => app.close(), {
  ...{ viewport: { width: 1280, height: 800 }, each: true },
});
const { composer, log } = on;
beforeEach(() => {
  on.stack.heard.length = 0;
});

const dialog = () => on.page.getByRole('dialog', { name: 'Send a message' });

async function openForm(): Promise<void> {
  await on.type('/form');
  await dialog().waitFor();
}

describe('the composer', () => {
  it('completes a command by Tab, shows its usage, and sends the words after it', async () => {
    await composer().pressSequentially('/fo');
    await on.page.getByRole('option', { name: /^\/form/ }).waitFor();
    await on.page.keyboard.press('Tab');
    await on.page.getByText('[words]').waitFor();
    await on.page.keyboard.type('some words');
    await on.page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(on.stack.heard).toEqual(['some words']);
    expect(await composer().inputValue()).toBe('');
    await on.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('says that a command is unknown, sends nothing, and keeps the text', async () => {
    await on.type('/fomr +65');
    await log().getByText('is not a valid command').waitFor();
    expect(await composer().inputValue()).toBe('/fomr +65');
    expect(on.stack.heard).toEqual([]);
  });

  it('says that a command timed out, and does not offer to send it again', async () => {
    await on.type('/silent +65');
    await log().getByText('failed with the error "operation_timeout"').waitFor();
    expect(await composer().inputValue()).toBe('');
  });

  it('shows markup as letters, and a private answer to one person alone', async () => {
    await on.type('/whisper');
    const answer = log().getByRole('article').filter({ hasText: 'Only visible to you' }).last();
    await answer.getByText('Between us: <script>alert(1)</script> <b>').waitFor();
    await on.page.getByRole('button', { name: /You are Asha/ }).click();
    await on.page.getByRole('menuitemradio', { name: /Ravi/ }).click();
    await on.page.getByRole('button', { name: /You are Ravi/ }).waitFor();
    expect(await log().getByText('Between us').count()).toBe(0);
  });
});

describe('a form', () => {
  it('changes its fields with the template, keeps what was typed, and shows errors under their inputs', async () => {
    await openForm();
    await dialog().getByLabel('To', { exact: true }).fill('98765');
    await dialog().getByLabel('Template').click();
    await on.page.keyboard.type('inv');
    await on.page.getByRole('option', { name: 'Invoice' }).click();
    await dialog().getByLabel('First value of invoice').fill('May');
    expect(await dialog().getByLabel('To', { exact: true }).inputValue()).toBe('98765');

    await dialog().getByRole('button', { name: 'Send' }).click();
    await dialog().getByText('Write the number with its country code.').waitFor();
    expect(
      await dialog()
        .getByLabel('To', { exact: true })
        .evaluate((input) => input === document.activeElement),
    ).toBe(true);
    await dialog().getByLabel('To', { exact: true }).fill('+919876500001');
    await on.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await log().getByText('Sent, asked by @Asha Nair').waitFor();
    expect(on.stack.heard.at(-1)).toEqual({
      template: {
        v: {
          type: 'external_select',
          selected_option: { text: { type: 'plain_text', text: 'Invoice' }, value: 'invoice' },
        },
      },
      'params.0:invoice': { v: { type: 'plain_text_input', value: 'May' } },
      to: { v: { type: 'plain_text_input', value: '+919876500001' } },
    });
  });

  it('keeps the focus inside, closes by Escape, and gives the focus back', async () => {
    await openForm();
    for (let step = 0; step < 12; step += 1) {
      await on.page.keyboard.press('Tab');
      expect(await dialog().evaluate((form) => form.contains(document.activeElement))).toBe(true);
    }
    await on.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => composer().evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(() => on.stack.heard.at(-1)).toBe('closed');
  });
});

describe('a message that is updated', () => {
  const plain = (text: string) => ({ type: 'plain_text' as const, text });
  const confirm = {
    title: plain('Stop it?'),
    text: plain('For good.'),
    confirm: plain('Yes'),
    deny: plain('No'),
  };
  const blocks = (lines: string[]) => [
    ...lines.map((text) => ({ type: 'section' as const, text: plain(text) })),
    {
      type: 'actions' as const,
      elements: [
        { type: 'button' as const, action_id: 'stop', text: plain('Stop'), confirm },
        {
          type: 'overflow' as const,
          action_id: 'more',
          options: [{ text: plain('Look'), value: 'look' }],
        },
      ],
    },
  ];

  it('keeps the focus, an open menu, an open question, and a text begun below it', async () => {
    const { ts = '' } = await on.stack.client.chat.postMessage({
      channel: 'C0TEAM',
      text: '0',
      blocks: blocks(['0']),
    });
    const card = on.page.locator(`[data-ts="${ts}"]`);
    const update = async (...lines: string[]) => {
      await on.stack.client.chat.update({ channel: 'C0TEAM', ts, text: 'updated', blocks: blocks(lines) });
      await card.getByText(lines.at(-1) ?? '', { exact: true }).waitFor();
    };
    const stop = card.getByRole('button', { name: 'Stop' });
    const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
    await composer().fill('I think we');
    await stop.focus();
    await update('first', 'second');
    expect(await isFocused(stop)).toBe(true);
    await card.getByRole('button', { name: 'More options' }).click();
    await update('third');
    expect(await isFocused(card.getByRole('menuitem', { name: 'Look' }))).toBe(true);
    await on.page.keyboard.press('Escape');
    await stop.click();
    const yes = on.page.getByRole('alertdialog', { name: 'Stop it?' }).getByRole('button', { name: 'Yes' });
    await update('fourth', 'fifth');
    expect(await isFocused(yes)).toBe(true);
    await yes.click();
    await expect.poll(() => on.stack.heard.at(-1)).toBe('stop');
    expect(await composer().inputValue()).toBe('I think we');
  });
});

it('lets people edit what they wrote, as they typed it, and react', async () => {
  await on.type('Tom & Jerry <b>, @ravi says');
  const row = log().getByRole('article', { name: /Tom & / });
  await row.hover();
  await row.getByRole('button', { name: 'Edit message' }).click();
  const field = on.page.getByRole('textbox', { name: 'Edit message' });
  expect(await field.inputValue()).toBe('Tom & Jerry <b>, @ravi says');
  await on.page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Edit message' }).click();
  await field.fill('Tom & Spike, @ravi says');
  await on.page.keyboard.press('Enter');
  await row.getByText('(edited)').waitFor();
  const stored = () => on.stack.workspace.snapshot().messages.find(({ text }) => text.startsWith('Tom'));
  expect(stored()?.text).toBe('Tom &amp; Spike, <@U0RAVI> says');

  await row.getByRole('button', { name: 'Add a reaction' }).click();
  await on.page.getByRole('menuitem', { name: 'tada' }).click();
  const reaction = row.getByRole('button', { name: 'tada, 1: Asha Nair' });
  await reaction.click();
  await reaction.waitFor({ state: 'detached' });
  expect(stored()?.reactions).toEqual([]);
});

it('says that what was clicked is gone for a while, and leaves nothing on the message', async () => {
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
  await fetch(`${on.stack.workspace.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: 'Bearer xoxb-test', 'content-type': 'application/json' },
    body: JSON.stringify({
      channel: 'C0TEAM',
      text: 'Go',
      blocks: [{ type: 'actions', elements: [button] }],
    }),
  });
  const gone = { ok: false, error: 'not_found', message: 'That is no longer on the screen.' };
  await on.page.route('**/page/act', (route) =>
    route.request().postDataJSON().type === 'block_action' ? route.fulfill({ json: gone }) : route.fallback(),
  );
  await on.page.clock.install();
  await log().getByRole('button', { name: 'Go', exact: true }).click();
  await on.page.locator('.notices').getByText(gone.message).waitFor();
  await on.page.clock.fastForward(6_100);
  await on.page.getByText(gone.message).waitFor({ state: 'detached' });
});
