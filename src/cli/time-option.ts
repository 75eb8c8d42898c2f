import { type CommandInvocation, UsageError } from './command.ts';

/**
 * Returns the time in an option, or null without the option.
 * @throws UsageError when the value is not a time
 */
export function readTimeOption(call: CommandInvocation, name: string): Date | null {
  const text = call.option(name);
  if (text === undefined) return null;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`--${name} must be a time, such as 2026-11-22T10:00:00Z`);
}
