import { useCallback, useRef, useState } from 'preact/hooks';

export interface Notice {
  id: number;
  text: string;
}

const SHOWN_FOR_MS = 6000;

/** Short notices that go away by themselves. */
export function useNotices(): { notices: Notice[]; notify: (text: string) => void } {
  const [notices, setNotices] = useState<Notice[]>([]);
  const nextId = useRef(0);
  const notify = useCallback((text: string) => {
    nextId.current += 1;
    const id = nextId.current;
    setNotices((before) => [...before, { id, text }]);
    setTimeout(() => setNotices((before) => before.filter((notice) => notice.id !== id)), SHOWN_FOR_MS);
  }, []);
  return { notices, notify };
}
