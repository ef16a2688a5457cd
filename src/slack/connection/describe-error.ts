import { asOutage, isOutage } from '../../core/outage.ts';

/** What of an error may be logged: never its properties, which can hold whole requests and answers. */
export function describeError(error: unknown) {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'something that is no error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined;
  const description = {
    name: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && { cause }),
  };
  return isOutage(error) ? asOutage(description) : description;
}
