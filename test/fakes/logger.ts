import type { Logger } from '../../src/core/logger.ts';

export interface LoggedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** A logger that keeps its lines for a test to read. */
export interface RecordingLogger extends Logger {
  readonly lines: LoggedLine[];
}

export function createRecordingLogger(lines: LoggedLine[] = []): RecordingLogger {
  const write = (level: LoggedLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => createRecordingLogger(lines),
  };
}
