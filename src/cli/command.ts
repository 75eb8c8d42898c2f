import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../config/config.ts';

/** A command of `npm run cli`, such as `reindex`. */
export interface Command {
  /** Arguments and options as shown in the help. */
  readonly usage: string;
  readonly summary: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Description of the positional argument, if the command has one. */
  readonly argument?: string;
  /** Returns null if the command has printed its result. */
  run(config: Config, call: CommandInvocation): Promise<CommandResult | null>;
}

export interface CommandInvocation {
  option(name: string): string | undefined;
  /** The values of an option that may be repeated. */
  options(name: string): readonly string[];
  /** Whether an option without a value is given. */
  flag(name: string): boolean;
  /** The positional argument; empty if the command has none. */
  readonly argument: string;
  /** Prints a part of a long result. Resolves when the part is written. */
  print(text: string): Promise<void>;
  /** Prints one of several results. */
  printResult(result: CommandResult): Promise<void>;
  logProgress(message: string): void;
}

export interface CommandResult {
  readonly text: string;
  readonly json: unknown;
  /** If true, the exit code is 1 although the command has a result. */
  readonly isFailure?: boolean;
}

/** Thrown when a command is called with wrong arguments. The message says how to call the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const stringOption = { type: 'string' } as const;

/**
 * Returns the value of a required option.
 * @throws UsageError when the option is missing or blank
 */
export function requireOption(call: CommandInvocation, name: string): string {
  const value = call.option(name);
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is required`);
  return value;
}
