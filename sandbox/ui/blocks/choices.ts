import { useEffect, useRef, useState } from 'preact/hooks';
import type { Suggestions } from './scope.ts';
import type { Option } from './types.ts';

export interface ChoiceGroup {
  label?: string;
  options: Option[];
}

/** Where a select takes its options from. */
export type ChoiceSource =
  | { type: 'listed'; groups: ChoiceGroup[] }
  | { type: 'asked'; minQueryLength: number; ask: (query: string) => Promise<Suggestions> };

/** How long typing has to pause before the app is asked. */
const TYPE_AHEAD_PAUSE_MS = 200;

/** The options to show for a query, and a note where there are none (yet). */
export function useChoices(
  source: ChoiceSource,
  open: boolean,
  query: string,
): { groups: ChoiceGroup[]; note?: string } {
  const asked = useAsked(source, open, query);
  if (source.type === 'asked') return asked;
  const groups = filterGroups(source.groups, query);
  return groups.length > 0 ? { groups } : { groups, note: 'No match.' };
}

/** Options whose text or description contains every word of the query. */
export function filterGroups(groups: readonly ChoiceGroup[], query: string): ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (option: Option) => {
    const haystack = `${option.text.text} ${option.description?.text ?? ''}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  };
  return groups
    .map((group) => ({ ...group, options: group.options.filter(matches) }))
    .filter((group) => group.options.length > 0);
}

function useAsked(
  source: ChoiceSource,
  open: boolean,
  query: string,
): { groups: ChoiceGroup[]; note?: string } {
  const [answer, setAnswer] = useState<{ groups: ChoiceGroup[]; note?: string }>({ groups: [] });
  const ask = useRef<(query: string) => Promise<Suggestions>>(undefined);
  ask.current = source.type === 'asked' ? source.ask : undefined;
  const minimum = source.type === 'asked' ? source.minQueryLength : Number.POSITIVE_INFINITY;

  useEffect(() => {
    if (!open || source.type !== 'asked') return;
    if (query.length < minimum) {
      const letters = minimum === 1 ? '1 character' : `${minimum} characters`;
      setAnswer({ groups: [], note: `Type at least ${letters} to search.` });
      return;
    }
    let current = true;
    setAnswer((before) => ({ groups: before.groups, note: 'Searching…' }));
    const pause = query === '' ? 0 : TYPE_AHEAD_PAUSE_MS;
    const timer = setTimeout(async () => {
      const result = await ask.current?.(query);
      if (!current || !result) return;
      if (!result.ok) setAnswer({ groups: [], note: result.message });
      else if (result.groups.every((group) => group.options.length === 0))
        setAnswer({ groups: [], note: 'No results.' });
      else setAnswer({ groups: result.groups });
    }, pause);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [open, query, minimum, source.type]);

  return answer;
}
