import { installTools } from '../../scripts/tools.ts';

/**
 * Unpacks the browser once, before any test: it is written straight to where it is started from, and of two files that
 * begin at once one would start what the other has half written.
 */
export default async function setup(): Promise<void> {
  installTools('test/browser');
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
}
