const outages = new WeakSet<object>();

/**
 * Marks an error as that of something that Herald rests on, such as a database that cannot be reached: it passes, and
 * is no fault of what was being worked on. Returns the same error.
 */
export function asOutage<Thrown>(error: Thrown): Thrown {
  if (typeof error === 'object' && error !== null) outages.add(error);
  return error;
}

export function isOutage(error: unknown): boolean {
  return typeof error === 'object' && error !== null && outages.has(error);
}
