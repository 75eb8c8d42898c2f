import { emailAddress } from '../schema/input-rules.ts';
import { type CommandInvocation, UsageError } from './command.ts';

/**
 * Returns the e-mail address in an option, or undefined without the option.
 * @throws UsageError when the address is not valid
 */
export function readEmail(call: CommandInvocation, name: string): string | undefined {
  const text = call.option(name);
  if (text === undefined || emailAddress.safeParse(text).success) return text;
  throw new UsageError(`--${name} must be an e-mail address`);
}
