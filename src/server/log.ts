import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { DomainError } from '../platform/errors.ts';
import { currentSpanIds } from '../platform/tracing/tracer.ts';

/**
 * Creates a structured log: one JSON object per line, by default on standard error. If tracing is on, a line has the ids of
 * the current span.
 */
export function createLog(
  level: string,
  base: Readonly<Record<string, string>> = {},
  destination: DestinationStream = pino.destination(2),
): Logger {
  return pino(
    {
      level,
      base,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withSpanIds },
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    destination,
  );
}

function withSpanIds(line: Record<string, unknown>): Record<string, unknown> {
  const ids = currentSpanIds();
  return ids === null ? line : { ...line, ...ids };
}

const maxCauses = 3;

/**
 * Returns the properties of an error that may be logged. Other properties may quote rows and requests. If a
 * `DomainError` has a cause, only the name of the cause is logged, because the cause may quote secrets from a model
 * server or an identity provider.
 */
function serializeError(error: unknown, depth = 0): unknown {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  // GraphQL wraps an error that a resolver throws.
  if ('originalError' in error && error.originalError instanceof Error) {
    return serializeError(error.originalError, depth);
  }
  const { name, code, message, stack, cause }: Partial<ErrorFields> = error;
  return {
    type: name,
    code,
    message: redactMessage(String(message)),
    stack: stackFrames(String(stack)),
    cause: serializeCause(),
  };

  function serializeCause(): unknown {
    if (error instanceof DomainError) return cause instanceof Error ? cause.name : undefined;
    return cause === undefined || depth >= maxCauses ? undefined : serializeError(cause, depth + 1);
  }
}

/**
 * Removes quoted values. Prisma quotes arguments between the first and last line; Postgres and JSON.parse quote at the
 * end.
 */
function redactMessage(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const ends = lines.length > 1 ? [lines[0], lines.at(-1)] : lines;
  return ends.join(' ').replace(/[:,] ".*$/s, ' …');
}

/** Returns the stack frames without the message at the start of the stack. */
function stackFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

interface ErrorFields {
  readonly name: unknown;
  readonly code: unknown;
  readonly message: unknown;
  readonly stack: unknown;
  readonly cause: unknown;
}
