/** Words of the service on one cause in one send that are counted by themselves; whatever else it says counts without. */
const MOST_SAID = 10;
/** Causes whose words are remembered; forgotten ones may be counted with other words again. */
const REMEMBERED = 1_000;

/** What a failure is counted by: its cause with what the service says of it, as JSON; null for none. */
export type CauseOf = (
  sendId: string,
  columns: { readonly failure: string | null; readonly explanation: string | null },
) => string | null;

/** Words that are others for each recipient must not make a count for each. */
export function createCauseOf(): CauseOf {
  const said = new Map<string, Set<string>>();
  return (sendId, { failure, explanation }) => {
    if (failure === null || explanation === null) return failure;
    const key = sendId + failure;
    const known = said.get(key) ?? new Set();
    if (known.size < MOST_SAID) known.add(explanation);
    said.set(key, known);
    for (const [oldest] of said) {
      if (said.size <= REMEMBERED) break;
      said.delete(oldest);
    }
    return known.has(explanation) ? JSON.stringify({ ...JSON.parse(failure), explanation }) : failure;
  };
}
