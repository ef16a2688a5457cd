import { createHmac, timingSafeEqual } from 'node:crypto';
import { fail, ok, type Result } from '../../core/result.ts';

/** How far a request's time stamp may be from now, in either direction. Slack's own advice for the past. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies Slack's `v0` signature of a request.
 *
 * @param signingSecrets one of them will do
 * @param rawBody the bytes as they came: decoding first would change what was signed
 * @returns the signature, which names this delivery, or why the request is refused (for the log)
 */
export function verifySignature(
  signingSecrets: readonly string[],
  headers: { readonly signature: string | undefined; readonly timestamp: string | undefined },
  rawBody: Uint8Array,
  nowMs: number,
): Result<string, string> {
  const { signature, timestamp } = headers;
  if (signature === undefined || timestamp === undefined) return fail('signature headers missing');
  if (!/^\d{1,12}$/.test(timestamp)) return fail('time stamp is not a number');
  const age = Math.floor(nowMs / 1000) - Number(timestamp);
  if (age > TOLERANCE_SECONDS) return fail('time stamp too old');
  if (age < -TOLERANCE_SECONDS) return fail('time stamp in the future');
  const given = Buffer.from(signature);
  const isSigned = signingSecrets.some((secret) => {
    const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(rawBody).digest('hex');
    const wanted = Buffer.from(`v0=${digest}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return isSigned ? ok(signature) : fail('signature does not match');
}
