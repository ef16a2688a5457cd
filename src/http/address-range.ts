import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import { reading } from '../messages/transforms.ts';

/** A range of addresses, `203.0.113.0/24`, or a single one, `203.0.113.7`. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

const EXPECTED = 'an IP address or a range of them, e.g. 203.0.113.7 or 203.0.113.0/24';

/** An entry of `webhooks.allowFrom` and `webhooks.proxies`. */
export const addressRangeSchema: z.ZodType<AddressRange, string> = z
  .string(EXPECTED)
  .transform(reading((text) => rangeOf(text.trim())));

function rangeOf(text: string): Result<AddressRange, string> {
  if (ipaddr.isValidCIDR(text)) return ok(ipaddr.parseCIDR(text));
  // Old spellings of IPv4 addresses such as 0x7f.1 are refused.
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return fail(EXPECTED);
  const address = ipaddr.parse(text);
  return ok([address, address.kind() === 'ipv4' ? 32 : 128]);
}

/** Whether an address is in one of the ranges; an IPv4 address written as IPv6 counts as itself. */
export function isInRanges(text: string, ranges: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(([start, bits]) => address.kind() === start.kind() && address.match(start, bits));
}

/**
 * The sender's address of a request: the last address of `X-Forwarded-For` that is no known proxy. Those before it may be
 * forged.
 *
 * @param remote the other end of the connection; empty if it has reset it already, and then nobody is believed
 */
export function senderOf(
  remote: string,
  forwardedFor: string | undefined,
  proxies: readonly AddressRange[],
): string {
  const forwarded = (forwardedFor ?? '').split(',').map((part) => part.trim());
  const chain = [...forwarded.filter(Boolean), remote];
  return chain.findLast((address) => !isInRanges(address, proxies)) ?? remote;
}
