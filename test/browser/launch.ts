import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * Left out of the package's own arguments: in a single process the browser ends with its first page, and without
 * web security the page would never meet the carrier's CORS headers.
 */
const UNWANTED = new Set(['--single-process', '--no-zygote', '--disable-web-security']);

/** A browser that crashes before it has shown anything is not what is tested: seen once in fifty starts. */
const TRIES = 3;

/** The Chromium that comes inside its npm package: nothing has to be installed. */
export async function launchBrowser(tries = TRIES): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  const args = chromium.args.filter((argument) => !UNWANTED.has(argument));
  try {
    return await playwright.launch({ executablePath, args, headless: true });
  } catch (error) {
    if (tries === 1) throw error;
    console.warn(`The browser did not start: ${String(error).split('\n', 1)[0]}`);
    return launchBrowser(tries - 1);
  }
}
