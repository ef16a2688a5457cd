/** A service of which a test gives only what is asked of it there; whatever else is asked for fails the test. */
export function only<Whole extends object>(given: NoInfer<Partial<Whole>>): Whole {
  return given as Whole;
}

/** A service that stands for whichever one a test has at each call. */
export function following<Whole extends object>(current: () => Whole): Whole {
  return new Proxy({} as Whole, { get: (_target, key) => Reflect.get(current(), key) });
}
