const outages = new WeakSet<object>();

/** Marks an error as a temporary outage, e.g. of the database, which the work in progress did not cause. Returns the error. */
export function asOutage<Thrown>(error: Thrown): Thrown {
  if (typeof error === 'object' && error !== null) outages.add(error);
  return error;
}

export function isOutage(error: unknown): boolean {
  return typeof error === 'object' && error !== null && outages.has(error);
}
