import { type Logger, pino, stdSerializers } from 'pino';
import { DomainError } from './domain/errors.ts';

/** Structured log on standard error, one JSON object a line. */
export function createLog(level: string, base: Readonly<Record<string, string>> = {}): Logger {
  return pino({ level, base, serializers: { err: describeError } }, pino.destination(2));
}

/**
 * What is logged of an error. The cause of a condition is left out but for its name: it may quote what a
 * model server or an identity provider answered, and that may quote a secret.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof DomainError)) {
    return error instanceof Error ? stdSerializers.err(error) : error;
  }
  const { name, code, message, stack, cause } = error;
  return {
    type: name,
    code,
    message,
    stack,
    cause: cause instanceof Error ? cause.name : undefined,
  };
}
