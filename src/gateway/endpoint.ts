export interface ParsedEndpoint {
  /** Scheme, host and port. */
  readonly origin: string;
  /** What stands before every path; empty or `/prefix`, without a slash at the end. */
  readonly pathPrefix: string;
}

/**
 * Splits a configured address.
 *
 * @param name the setting's name, for the error
 * @throws Error when it is no http(s) address, or has a part that a prefix cannot have
 */
export function parseEndpoint(name: string, address: string): ParsedEndpoint {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`${name} must be an address that begins with https:// or http://.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error(`${name} must be scheme, host, port and path only, without user, query or fragment.`);
  }
  let pathPrefix = url.pathname;
  while (pathPrefix.endsWith('/')) pathPrefix = pathPrefix.slice(0, -1);
  return { origin: url.origin, pathPrefix };
}
