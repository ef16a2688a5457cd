import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type E2eOptions, type E2eStack, startStack } from '../e2e/stack.ts';
import { launchBrowser } from './launch.ts';

const SHOWN_CHARACTERS = 4_000;

/** What a page is shown of: a workspace with an address. */
interface Server {
  readonly workspace: { readonly url: string };
}

/** One browser, one server and a page for the tests of a file; no script of the page may fail. */
export interface OnPage<Started> {
  /** What the page is of. */
  readonly stack: Started;
  readonly browser: Browser;
  readonly page: Page;
  /** Another page, in the place of the one that is open. */
  open(options: BrowserContextOptions): Promise<Page>;
  composer(): Locator;
  /** The messages of a channel, by default of the team's. */
  log(channel?: string): Locator;
  phone(number: string): Locator;
  /** The window on top. */
  dialog(): Locator;
  /** Says a line in the team's channel, or in another that is open. */
  type(line: string, channel?: string): Promise<void>;
  /** Goes to a channel. */
  goTo(channel: string): Promise<void>;
  actAs(from: string, to: string): Promise<void>;
}

interface Options {
  /** By default 1440 by 900. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Each test gets a page of its own; by default all of a file share one. */
  readonly each?: true;
}

/** Herald behind the sandbox's page. */
export function onHerald(options: Partial<E2eOptions> & Options = {}): OnPage<E2eStack> {
  const { viewport, each, ...stack } = options;
  return onPage(
    () => startStack({ mode: 'socket', ...stack }),
    (started) => started.stop(),
    { ...(viewport && { viewport }), ...(each && { each }) },
  );
}

/** The page of whatever is started before the tests of a file. */
export function onPage<Started extends Server>(
  start: () => Promise<Started>,
  stop: (started: Started) => Promise<unknown>,
  { viewport = { width: 1440, height: 900 }, each }: Options = {},
): OnPage<Started> {
  let stack: Started;
  let browser: Browser;
  let page: Page | undefined;
  const problems: string[] = [];

  async function open(options: BrowserContextOptions): Promise<Page> {
    await page?.close();
    page = await browser.newPage(options);
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(stack.workspace.url);
    await composer().waitFor();
    return page;
  }
  function current(): Page {
    if (page === undefined) throw new Error('No page is open.');
    return page;
  }
  /** For whoever reads that a test has failed, and cannot see it happen again. */
  const shown = async () => (await current().locator('body').innerText()).slice(0, SHOWN_CHARACTERS);
  const composer = (channel = 'team') => current().getByRole('textbox', { name: `Message #${channel}` });
  const log = (channel = 'team') => current().getByRole('log', { name: `Messages in #${channel}` });

  beforeAll(async () => {
    stack = await start();
    browser = await launchBrowser();
    if (!each) await open({ viewport });
  });
  afterAll(async () => {
    await browser?.close();
    if (stack) await stop(stack);
  });
  beforeEach(async () => {
    if (each) await open({ viewport });
  });
  afterEach(async ({ task }) => {
    expect(problems.splice(0)).toEqual([]);
    if (task.result?.state === 'fail') throw new Error(`The page then showed:\n${await shown()}`);
  });

  return {
    get stack() {
      return stack;
    },
    get browser() {
      return browser;
    },
    get page() {
      return current();
    },
    open,
    composer: () => composer(),
    log,
    phone: (number) => current().getByRole('region', { name: `Phone ${number}` }),
    dialog: () => current().getByRole('dialog').last(),
    type: async (line, channel) => {
      await composer(channel).fill(line);
      await current().keyboard.press('Enter');
    },
    goTo: async (channel) => {
      await current()
        .getByRole('navigation')
        .getByRole('button', { name: new RegExp(channel) })
        .click();
      await log(channel).waitFor();
    },
    actAs: async (from, to) => {
      await current()
        .getByRole('button', { name: new RegExp(`You are ${from}`) })
        .click();
      await current()
        .getByRole('menuitemradio', { name: new RegExp(to) })
        .click();
      await current()
        .getByRole('button', { name: new RegExp(`You are ${to}`) })
        .waitFor();
    },
  };
}
