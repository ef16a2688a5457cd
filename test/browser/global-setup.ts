import chromium from '@sparticuz/chromium';

/**
 * Unpacks the browser once, before any test: it is written straight to where it is started from, and of two files that
 * begin at once one would start what the other has half written.
 */
export default async function setup(): Promise<void> {
  await chromium.executablePath();
}
