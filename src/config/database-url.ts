import { z } from 'zod';

const EXPECTED =
  'file: and a path, e.g. file:./data/herald.db, or an address such as postgres://user:password@host:5432/herald';
const ENCODED =
  'signs of the password percent-encoded: %2F for /, %23 for #, %3F for ?, %40 for @, %25 for %';

/** `file:` and a path, or the address of a PostgreSQL database. */
export const databaseUrl = z
  .string()
  .refine((url) => whyNot(url) === undefined, { error: ({ input }) => whyNot(String(input)) ?? EXPECTED })
  .transform(withPlainTls);

function whyNot(address: string): string | undefined {
  if (/^file:.+/.test(address)) return undefined;
  if (!/^postgres(ql)?:\/\//.test(address)) return EXPECTED;
  const url = URL.parse(address);
  if (url === null) return address.includes('@') ? ENCODED : EXPECTED;
  const { hostname, pathname, search, hash, username, password } = url;
  // A password that holds / or ? or # ends the address early, and a part of it would be the host.
  if (`${pathname}${search}${hash}`.includes('@') || decoded(username + password) === undefined)
    return ENCODED;
  return hostname !== '' && pathname.length > 1 ? undefined : EXPECTED;
}

/**
 * The driver takes `prefer`, `require` and `verify-ca` for `verify-full`, and warns of that at each start; what it does stays
 * the same.
 */
function withPlainTls(address: string): string {
  if (/[?&]uselibpqcompat=/.test(address)) return address;
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** The passwords in an address, as they are written and as they are meant; also of one that Herald refuses. */
export function passwordsIn(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const written = [url.password, url.searchParams.get('password') ?? ''];
  return [...new Set([...written, decoded(url.password) ?? ''])].filter((one) => one !== '');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
