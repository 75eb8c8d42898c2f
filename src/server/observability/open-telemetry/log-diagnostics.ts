import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import type { Logger } from 'pino';

const intervalMs = 60_000;
const maxDetailLength = 300;

/**
 * Logs the problems of the SDK, such as a receiver that does not respond, at most once a minute. Returns a function that
 * stops this.
 */
export function logDiagnostics(log: Logger): () => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  const report = (message: string) => {
    const now = performance.now();
    if (now < silentUntil) return;
    silentUntil = now + intervalMs;
    log.warn({ detail: detailOf(message) }, 'failed to send traces or metrics');
  };
  const ignore = () => {};
  const logger: DiagLogger = {
    ...{ error: report, warn: report },
    ...{ info: ignore, debug: ignore, verbose: ignore },
  };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return () => diag.disable();
}

/** The SDK reports an error as JSON with its stack. Only the message is logged. */
function detailOf(text: string): string {
  const [, message = text] = /"message":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return message.slice(0, maxDetailLength).toWellFormed();
}
