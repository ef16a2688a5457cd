import { describe, expect, it } from 'vitest';
import { PATIENT } from '../patience.ts';
import { onPage } from './on-page.ts';
import { startPageApp } from './page-app.ts';

/* Where the page is stands in its address; what is open in one of its windows is open in no other. */

const on = onPage(startPageApp, (app) => app.close(), { each: true });
const dialog = (page = on.page) => page.getByRole('dialog', { name: 'Send a message' });

describe('the address', () => {
  it('stays through a reload, and Back goes back', async () => {
    await on.goTo('alerts');
    expect(new URL(on.page.url()).hash).toMatch(/^#\/C\w+$/);
    await on.page.reload();
    await on.log('alerts').waitFor();
    await on.goTo('team');
    await on.page.goBack();
    await on.log('alerts').waitFor();
    await on.page.goForward();
    await on.log().waitFor();
  });

  it('names a thread, which is open after a reload and closed by Back', async () => {
    await on.composer().fill('Who takes this?');
    await on.page.keyboard.press('Enter');
    const message = on.log().getByRole('article').filter({ hasText: 'Who takes this?' }).last();
    await message.hover();
    await message.getByRole('button', { name: 'Reply in thread' }).click();
    const replies = on.page.getByRole('log', { name: 'Replies' });
    await replies.waitFor();
    await on.page.reload();
    await replies.waitFor();
    await on.page.goBack();
    await replies.waitFor({ state: 'detached' });
  });

  it('goes back also in the moment in which the page stands there', async () => {
    await on.goTo('alerts');
    await on.page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector('[aria-label="Messages in #alerts"]')) return;
        seen.disconnect();
        history.back();
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    await on.page.reload();
    await on.log().waitFor();
  });
});

describe('a form', () => {
  it('closes by Escape, wherever the focus is', async () => {
    await on.type('/form');
    await dialog().waitFor();
    await on.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await on.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('ends with its window, and is open in no other', async () => {
    await on.type('/form');
    await dialog().waitFor();
    const other = await on.browser.newPage();
    await other.goto(on.stack.workspace.url);
    const composer = other.getByRole('textbox', { name: 'Message #team' });
    await composer.waitFor();
    expect(await dialog(other).count()).toBe(0);
    await composer.fill('/form');
    await other.keyboard.press('Enter');
    await dialog(other).waitFor();
    expect(await dialog().count()).toBe(1);

    await on.page.reload();
    await on.composer().waitFor();
    expect(await dialog().count()).toBe(0);
    const open = () => Object.values(on.stack.workspace.snapshot().viewStacks).flat().length;
    await expect.poll(open, PATIENT).toBe(1);
    expect(await dialog(other).count()).toBe(1);
    await other.goto('about:blank');
    await expect.poll(open, PATIENT).toBe(0);
    await other.close();
  });
});
