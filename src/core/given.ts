type Required<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] };
type Optional<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/** The fields that have a value: absent stays absent, and is not written down as undefined. */
export function given<const Fields extends object>(fields: Fields): Required<Fields> & Optional<Fields> {
  const present: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) present[key] = value;
  return present as Required<Fields> & Optional<Fields>;
}
