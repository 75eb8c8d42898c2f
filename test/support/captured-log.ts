import type { Logger } from 'pino';
import { createLog } from '../../src/server/log.ts';

export interface CapturedLog {
  readonly log: Logger;
  /** All log lines so far, in the format of standard error. */
  text(): string;
  lines(): readonly LogLine[];
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly requestId?: string;
  readonly [field: string]: unknown;
}

/** Creates the service's logger at level `trace` and keeps its output in memory. */
export function captureLog(): CapturedLog {
  const written: string[] = [];
  return {
    log: createLog('trace', {}, { write: (line) => written.push(line) }),
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line)),
  };
}
