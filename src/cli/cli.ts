import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config/config.ts';
import { findSettingWarnings } from '../config/setting-warnings.ts';
import { DomainError, toUnavailable } from '../platform/errors.ts';
import { version } from '../platform/version.ts';
import { type CommandResult, UsageError } from './command.ts';
import { commands } from './commands.ts';

/**
 * `npm run cli -- <command> [options]`. Prints the result to standard output and everything else to standard error.
 * With `--json`, each line of the output is one JSON value. Exit code: 0 for success, 2 for wrong usage, 1 for any
 * other error.
 */
async function main(argv: readonly string[]): Promise<void> {
  if (argv[0] === '--version') return print(version);
  const isHelp = argv.length === 0 || argv[0] === 'help' || argv.some(isHelpOption);
  const name = parseCommandName(argv[0] === 'help' ? argv.slice(1) : argv);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (isHelp) {
    await printHelp(name);
    return;
  }
  if (command === undefined) throw unknownCommand(name);
  const { values, positionals } = parseArgs({
    args: argv.slice(name.split(' ').length),
    options: { ...command.options, json: { type: 'boolean' } },
    allowPositionals: command.argument !== undefined,
  });
  const [argument = '', ...surplus] = positionals;
  if (command.argument !== undefined && (argument === '' || surplus.length > 0)) {
    throw new UsageError(
      `Expected one argument, ${command.argument}: npm run cli -- ${name} ${command.usage}`,
    );
  }
  for (const warning of findSettingWarnings(process.env)) {
    writeToStderr(isJson ? { note: warning } : warning);
  }
  const result = await command.run(readConfig(process.env), {
    option: (option) => textOf((values as Record<string, unknown>)[option]),
    options: (option) => [(values as Record<string, unknown>)[option] ?? []].flat().map(String),
    flag: (option) => (values as Record<string, unknown>)[option] === true,
    argument,
    print,
    printResult,
    logProgress: (message) => writeToStderr(isJson ? { note: message } : message),
  });
  if (result === null) return;
  await printResult(result);
  if (result.isFailure === true) process.exitCode = 1;
}

function printResult({ json, text }: CommandResult): Promise<void> {
  return print(isJson ? JSON.stringify(json) : text);
}

const isJson = process.argv.includes('--json');

function isHelpOption(word: string): boolean {
  return word === '--help' || word === '-h';
}

/**
 * Returns the name of the command, which has one or two words. If there is no such command, returns all words before
 * the first option, such as the name of a group.
 */
function parseCommandName(argv: readonly string[]): string {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end === -1 ? argv : argv.slice(0, end);
  const names = [words.slice(0, 2).join(' '), words[0] ?? ''];
  return names.find((words) => Object.hasOwn(commands, words)) ?? words.join(' ');
}

function unknownCommand(name: string): UsageError {
  const group = Object.keys(commands).filter((other) => other.startsWith(`${name} `));
  const which = group.length === 0 ? 'Run with --help for the list' : group.join(', ');
  return new UsageError(`Unknown command "${name}". ${which}.`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Prints the help for the command or group called `name`, or for all commands if `name` is empty. */
async function printHelp(name: string): Promise<void> {
  const isMatch = (other: string) => name === '' || other === name || other.startsWith(`${name} `);
  const help = Object.entries(commands)
    .filter(([command]) => isMatch(command))
    .map(([command, { usage, summary }]) => ({ command, usage, summary }));
  if (help.length === 0) throw unknownCommand(name);
  if (isJson) return print(JSON.stringify(help));
  const lines = help.map(
    ({ command, usage, summary }) => `  ${`${command} ${usage}`.trim()}\n      ${summary}`,
  );
  await print(
    `npm run cli -- <command>\n\n${lines.join('\n')}\n\nEvery command takes --help and --json. --version prints the version.`,
  );
}

/**
 * Resolves when the text has been written. Callers must wait: text that is still in the pipe when the process exits
 * would be lost.
 */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve())),
  );
}

function writeToStderr(message: string | object): void {
  const line = typeof message === 'string' ? message : JSON.stringify(message);
  process.stderr.write(`${line}\n`);
}

interface Failure {
  readonly code: string;
  readonly message: string;
  /** Text to print without `--json`. Default: the message. */
  readonly details?: string;
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'INTERNAL', message: String(error) };
  const { message } = error;
  const isUsageError = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (isUsageError || error instanceof UsageError) return { code: 'USAGE', message };
  if (error instanceof ConfigError) return { code: 'CONFIG_INVALID', message };
  if (error instanceof DomainError) {
    return { code: error.code, message, details: error.messages.join('\n') };
  }
  if (toUnavailable(error) !== null) {
    return { code: 'UNAVAILABLE', message: `The database cannot be used: ${message}` };
  }
  return { code: 'INTERNAL', message, details: error.stack ?? message };
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => {
    const { code, message, details = message } = toFailure(error);
    writeToStderr(isJson ? { error: { code, message } } : details);
    process.exit(code === 'USAGE' ? 2 : 1);
  },
);
