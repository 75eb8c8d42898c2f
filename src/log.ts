import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { DomainError } from './domain/errors.ts';

/** Structured log, one JSON object a line, on standard error unless another destination is given. */
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
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination,
  );
}

const maxCauses = 3;

/**
 * What is logged of an error: these properties and no other, for others quote rows and requests. Of the cause of
 * a condition only the name: it may quote what a model server or an identity provider answered, secrets included.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  // GraphQL wraps what a resolver threw.
  if ('originalError' in error && error.originalError instanceof Error) {
    return describeError(error.originalError, depth);
  }
  const { name, code, message, stack, cause }: Partial<ErrorFacts> = error;
  return {
    type: name,
    code,
    message: withoutData(String(message)),
    stack: framesOf(String(stack)),
    cause: describeCause(),
  };

  function describeCause(): unknown {
    if (error instanceof DomainError) return cause instanceof Error ? cause.name : undefined;
    return cause === undefined || depth >= maxCauses ? undefined : describeError(cause, depth + 1);
  }
}

/** Prisma quotes the arguments between the first line and the last, Postgres and JSON.parse the value at the end. */
function withoutData(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const ends = lines.length > 1 ? [lines[0], lines.at(-1)] : lines;
  return ends.join(' ').replace(/[:,] ".*$/s, ' …');
}

/** Without the message that a stack begins with. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

interface ErrorFacts {
  readonly name: unknown;
  readonly code: unknown;
  readonly message: unknown;
  readonly stack: unknown;
  readonly cause: unknown;
}
