import { parseArgs } from 'node:util';
import { splitArguments } from './subcommands.ts';

/** The command line is wrong. The entry point prints the message, and exits with code 2. */
export class UsageError extends Error {}

/**
 * Returns the values of flags. The type of a default is the type of its flag. A number is a whole number of at least 1,
 * or of at least 0 if `mayBeZero` has its name.
 * @throws UsageError for an unknown flag or a wrong value
 */
export function readFlags<Flags extends Readonly<Record<string, number | string | boolean>>>(
  defaults: Flags,
  {
    mayBeZero = [],
    args = splitArguments(process.argv.slice(2)).flags,
  }: { readonly mayBeZero?: readonly string[]; readonly args?: readonly string[] } = {},
): Flags {
  const values = parse(defaults, args);
  const read = Object.entries(defaults).map(([name, fallback]) => {
    const value = values[name] ?? fallback;
    if (typeof fallback !== 'number') return [name, value];
    return [name, wholeNumber(name, String(value), mayBeZero.includes(name) ? 0 : 1)];
  });
  return Object.fromEntries(read);
}

function parse(defaults: Readonly<Record<string, unknown>>, args: readonly string[]) {
  const options = Object.entries(defaults).map(([name, value]) => {
    return [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' }] as const;
  });
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(options) }).values;
  } catch (error) {
    const names = Object.keys(defaults).map((name) => `--${name}`);
    const reason = error instanceof Error ? error.message.split('. ')[0] : error;
    throw new UsageError(`${reason}. Flags: ${names.join(', ')}.`);
  }
}

function wholeNumber(name: string, text: string, minimum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not "${text}".`);
}
