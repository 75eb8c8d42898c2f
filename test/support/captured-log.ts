import type { Logger } from 'pino';
import { createLog } from '../../src/log.ts';

export interface CapturedLog {
  readonly log: Logger;
  /** Everything written so far, as it would stand on standard error. */
  text(): string;
  lines(): readonly LogLine[];
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly requestId?: string;
  readonly [fact: string]: unknown;
}

/** The service's own log at its most talkative, kept in memory. */
export function captureLog(): CapturedLog {
  const written: string[] = [];
  return {
    log: createLog('trace', {}, { write: (line) => written.push(line) }),
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line)),
  };
}
