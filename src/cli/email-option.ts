import { emailAddress } from '../schema/input-rules.ts';
import { type CommandInvocation, UsageError } from './command.ts';

/**
 * Returns the address in an option, or undefined if the option is missing.
 * @throws UsageError
 */
export function readEmail(call: CommandInvocation, name: string): string | undefined {
  const text = call.option(name);
  if (text === undefined || emailAddress.safeParse(text).success) return text;
  throw new UsageError(`--${name} must be an e-mail address`);
}
