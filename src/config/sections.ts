import { z } from 'zod';

/** An object with these keys and no others. */
export function section<Shape extends z.ZodRawShape>(shape: Shape, expected: string) {
  return z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? expected : undefined) });
}

/** A section that may be left out: its keys then have their defaults. */
export function optionalSection<Shape extends z.ZodRawShape>(shape: Shape, expected: string) {
  return section(shape, expected).prefault({} as never);
}
