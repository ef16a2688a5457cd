import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * Left out of the package's own arguments: in a single process the browser ends with its first page, and without
 * web security the page would never meet the carrier's CORS headers.
 */
const UNWANTED = new Set(['--single-process', '--no-zygote', '--disable-web-security']);

/** The Chromium that comes inside its npm package: nothing has to be installed. */
export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((argument) => !UNWANTED.has(argument)),
    headless: true,
  });
}
