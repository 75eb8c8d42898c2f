import type { ParseArgsConfig } from 'node:util';
import type { Config } from './config.ts';

/** Something an operator can do from a terminal. */
export interface Command {
  /** What follows the command's name. */
  readonly usage: string;
  readonly summary: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** What the one argument without an option is, where the command takes one. */
  readonly argument?: string;
  run(config: Config, call: CommandCall): Promise<CommandResult>;
}

export interface CommandCall {
  option(name: string): string | undefined;
  /** The argument, for a command that has one. */
  readonly argument: string;
  note(message: string): void;
}

export interface CommandResult {
  readonly text: string;
  readonly json: unknown;
}

/** A mistake in how a command was called; the message says how to call it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export const textOption = { type: 'string' } as const;

/** An option that a command cannot do without. Throws `CommandError`. */
export function requireOption(call: CommandCall, name: string): string {
  const value = call.option(name);
  if (value === undefined || value.trim() === '') throw new CommandError(`--${name} is needed`);
  return value;
}
