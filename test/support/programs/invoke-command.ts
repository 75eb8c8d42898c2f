import type { Command, CommandResult } from '../../../src/cli/command.ts';
import type { Config } from '../../../src/config/config.ts';

/** Runs a command in this process. Returns its result, and everything that it printed and reported as progress. */
export async function invokeCommand(
  command: Command | undefined,
  {
    argument = '',
    flags = [],
    ...options
  }: {
    readonly argument?: string;
    readonly flags?: readonly string[];
    readonly [option: string]: string | readonly string[] | undefined;
  },
): Promise<{ result: CommandResult | null; printed: string[]; progress: string[] }> {
  if (command === undefined) throw new Error('There is no such command.');
  const printed: string[] = [];
  const progress: string[] = [];
  const result = await command.run({ host: '::', port: 3000 } as Config, {
    argument,
    option: (name) => [options[name]].flat()[0],
    options: (name) => [options[name] ?? []].flat(),
    flag: (name) => flags.includes(name),
    print: async (text) => void printed.push(text),
    printResult: async ({ text }) => void printed.push(text),
    logProgress: (message) => void progress.push(message),
  });
  return { result, printed, progress };
}
