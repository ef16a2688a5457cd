import { useEffect, useRef, useState } from 'preact/hooks';

/** Texts that were begun and not sent, by person and place. They live as long as the page. */
const drafts = new Map<string, string>();

export interface Draft {
  text: string;
  setText: (text: string) => void;
  /** Brings back a text that could not be sent, unless something else has been begun in its place. */
  restore: (text: string) => void;
}

/** The text of one composer, kept while the person is elsewhere. */
export function useDraft(key: string): Draft {
  const [, redraw] = useState(0);
  const current = useRef(key);
  current.current = key;
  useEffect(() => redraw((count) => count + 1), [key]);
  const put = (text: string) => {
    drafts.set(key, text);
    if (current.current === key) redraw((count) => count + 1);
  };
  return {
    text: drafts.get(key) ?? '',
    setText: put,
    restore: (text) => {
      if (!drafts.get(key)) put(text);
    },
  };
}
