/*
 * An id that a person did not choose carries the send that it belongs to, so that the answer of a customer leads back
 * to it: `yes~S-7K2M9QX4TB`. The service returns the id of a button or row as it was given (interface document,
 * "Events").
 */

/** What separates the id from the reference; the ids that Herald proposes have none. */
const SEPARATOR = '~';
const REFERENCE = /^(?<id>.*)~(?<send>S-[0-9A-HJKMNP-TV-Z]{10})$/s;

/** How much longer an id is with its reference, in characters. */
export const REFERENCE_LENGTH = `${SEPARATOR}S-7K2M9QX4TB`.length;

/** @param sendReference a send's id, e.g. `S-7K2M9QX4TB` */
export function withReference(id: string, sendReference: string): string {
  return `${id}${SEPARATOR}${sendReference}`;
}

/** The id as it was proposed and the send's id; undefined when the id carries none. */
export function readReference(
  id: string,
): { readonly id: string; readonly sendReference: string } | undefined {
  const groups = REFERENCE.exec(id)?.groups;
  return groups?.send === undefined ? undefined : { id: groups.id ?? '', sendReference: groups.send };
}
