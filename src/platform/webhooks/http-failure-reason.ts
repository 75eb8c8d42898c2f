import { isNonPublicAddressError } from './ssrf-safe-agents.ts';

export const notPublicReason = 'The target is not a public address';

/**
 * Returns a reason that depends only on the error's code. Error messages are not used, because they may reveal internal
 * addresses.
 */
export function failureReason(error: unknown): string {
  if (isNonPublicAddressError(error)) return notPublicReason;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  return failureReasons[code] ?? `The connection failed: ${code}`;
}

const failureReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host cannot be resolved',
  ENODATA: 'The name of the host cannot be resolved',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed without an answer',
};
