/** The fields that have a value: what is undefined is left out, since absent and undefined are two things. */
export function given<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const has = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(has) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}
