/** A service of which a test gives only what is asked of it there; whatever else is asked for fails the test. */
export function only<Whole extends object>(given: NoInfer<Partial<Whole>>): Whole {
  return given as Whole;
}
