import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinkedMessage } from './message-link.ts';
import type { Place } from './sidebar.ts';

/** What the page shows, as the part of its address behind `#`: a reload stays there, and Back goes back. */
interface Address {
  place?: Place | undefined;
  threadTs?: string | undefined;
  /** The message that is brought into sight. */
  ts?: string | undefined;
}

const TS = /^\d+\.\d+$/;

/** `#/C0TEAM`, `#/C0TEAM/1700000000.000100` for a message, `#/C0TEAM/thread/1700000000.000100/…` for a reply; `#/home`. */
function readAddress(hash: string): Address {
  const [first = '', ...rest] = hash.replace(/^#\/?/, '').split('/');
  if (first === '') return {};
  const type = first === 'home' || first === 'workflows' ? first : undefined;
  if (type !== undefined) return { place: { type } };
  const inThread = rest[0] === 'thread';
  const [one, other] = (inThread ? rest.slice(1) : rest).filter((part) => TS.test(part));
  return {
    place: { type: 'channel', channelId: first },
    ...(inThread ? { threadTs: one, ts: other } : { ts: one }),
  };
}

function writeAddress({ place, threadTs, ts }: Address): string {
  if (place === undefined) return '';
  if (place.type !== 'channel') return `#/${place.type}`;
  const thread = threadTs === undefined ? [] : ['thread', threadTs];
  return ['#', place.channelId, ...thread, ...(ts === undefined ? [] : [ts])].join('/');
}

/** Where the page is, and the way to somewhere else. */
export function useAddress(): {
  address: Address;
  linked: LinkedMessage | undefined;
  visit: (next: Address) => void;
} {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const visit = useCallback((next: Address) => {
    const written = writeAddress(next);
    if (written !== location.hash)
      history.pushState(null, '', written || location.pathname + location.search);
    setHash(written);
  }, []);
  const address = readAddress(hash);
  return { address, linked: useLinkedOf(hash), visit };
}

/** The same object for as long as the address is: only another one brings a message into sight. */
function useLinkedOf(hash: string): LinkedMessage | undefined {
  const [linked, setLinked] = useState<LinkedMessage>();
  useEffect(() => {
    const { place, ts, threadTs } = readAddress(hash);
    const isOne = place?.type === 'channel' && ts !== undefined;
    setLinked(isOne ? { channelId: place.channelId, ts, ...(threadTs && { threadTs }) } : undefined);
  }, [hash]);
  return linked;
}
