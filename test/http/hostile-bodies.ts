/** A generator that gives the same numbers for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface HostileBody {
  readonly bytes: Buffer;
  readonly contentType?: string;
}

const KEYS = [
  ...['from', 'id', 'text', 'type', 'status', 'reply', 'button_reply', 'list_reply', 'nfm_reply', 'button'],
  ...['response_json', 'messages', 'statuses', 'entry', 'changes', 'value', 'contacts', 'wa_id', 'context'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '\u0000', 'then', 'toJSON'],
  ...[
    'errors',
    'code',
    'recipient_id',
    'messageId',
    'msisdn',
    'title',
    'values',
    'body',
    'event',
    'get',
    '0',
  ],
];
const LEAVES: readonly unknown[] = [
  ...['+919812345678', '919812345678', 'STOP', 'delivered', 'failed', 'yes~S-7K2M9QX4TB', '', ' ', 'text'],
  ...['\ud800', '\u202e\u0000', '<!channel> *b* `c`', '{"values":{"name":1}}'],
  ...['🙏'.repeat(50), 'x'.repeat(5_000)],
  ...[0, -0, 1e308, 1e21, 919812345678, 131009, 132000, -1, 0.1, true, false, null, [], {}],
];
const CONTENT_TYPES = [
  ...['application/json', 'application/json; charset=\u00ff', 'application/x-www-form-urlencoded'],
  ...['application/x-www-form-urlencoded; charset=utf-16', 'multipart/form-data; boundary=x', 'text/xml', ''],
];

/** One body, by turns well-formed with a hostile content, malformed, deep, wide, huge in its numbers, or mere bytes. */
export function hostileBody(random: () => number): HostileBody {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value;
  const int = (below: number) => Math.floor(random() * below);

  function tree(depth: number): unknown {
    const shape = random();
    if (depth === 0 || shape < 0.3) return pick(LEAVES);
    const size = int(5);
    if (shape < 0.5) return Array.from({ length: size }, () => tree(depth - 1));
    // Defined, not assigned: `__proto__` shall be a key like any other.
    const object = {};
    for (let at = 0; at < size; at += 1) {
      const value = tree(depth - 1);
      Object.defineProperty(object, pick(KEYS), { value, enumerable: true, configurable: true });
    }
    return object;
  }

  const json = () => JSON.stringify(tree(6));
  const cut = (text: string) => text.slice(0, int(text.length + 1));
  const deep = (open: string, close: string) => {
    const levels = 1 + int(4_500);
    return open.repeat(levels) + pick(['1', '', '"x"']) + close.repeat(levels);
  };
  const noise = () => Buffer.from(Array.from({ length: int(300) }, () => int(256)));
  const kinds: readonly (() => string | Buffer)[] = [
    json,
    json,
    json,
    () => cut(json()),
    () => deep('[', ']'),
    () => deep('{"reply":', '}'),
    () => deep('{"messages":[{"from":"+919812345678","context":', '}]}'),
    () =>
      `{"from":"+919812345678","id":${'9'.repeat(1 + int(400))},"reply":{"id":${'1'.repeat(40)}e${int(999)}}}`,
    () =>
      Array.from({ length: int(20) }, () => `${pick(KEYS)}[${pick(KEYS)}]=${String(pick(LEAVES))}`).join('&'),
    () => `payload=${encodeURIComponent(json())}&%E0%A4%A`,
    () => `a=${'&a='.repeat(int(2_000))} {`,
    () => `${pick(KEYS)}=${' '.repeat(int(5_000))}{`,
    noise,
    () => Buffer.concat([Buffer.from(cut(json())), noise()]),
    () => String(pick(LEAVES)),
  ];
  const body = pick(kinds)();
  const contentType = pick(CONTENT_TYPES);
  return { bytes: Buffer.from(body as string), ...(contentType !== '' && { contentType }) };
}
