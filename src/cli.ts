import { parseArgs } from 'node:util';
import { CommandError } from './cli-command.ts';
import { commands } from './cli-commands.ts';
import { ConfigError, readConfig } from './config.ts';
import { asUnavailable, DomainError } from './domain/errors.ts';

/**
 * `npm run cli -- <command> [options]`. Prints the result on standard output and everything else on standard error,
 * with `--json` one JSON value a line. Exits with 0, with 2 where the call is wrong, or with 1 for any other reason.
 */
async function main(argv: readonly string[]): Promise<void> {
  const isHelp = argv.length === 0 || argv[0] === 'help' || argv.some(isHelpOption);
  const name = nameOf(argv[0] === 'help' ? argv.slice(1) : argv);
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
    throw new CommandError(`Name ${command.argument}: npm run cli -- ${name} ${command.usage}`);
  }
  const result = await command.run(readConfig(process.env), {
    option: (option) => textOf((values as Record<string, unknown>)[option]),
    argument,
    note: (message) => tell(isJson ? { note: message } : message),
  });
  await print(isJson ? JSON.stringify(result.json) : result.text);
}

const isJson = process.argv.includes('--json');

function isHelpOption(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** The words that begin a call, as far as they name a command or a group of them. */
function nameOf(argv: readonly string[]): string {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end === -1 ? argv : argv.slice(0, end);
  const names = [words.slice(0, 2).join(' '), words[0] ?? ''];
  return names.find((words) => Object.hasOwn(commands, words)) ?? words.join(' ');
}

function unknownCommand(name: string): CommandError {
  const group = Object.keys(commands).filter((other) => other.startsWith(`${name} `));
  const which = group.length === 0 ? 'Run it with --help for the list' : group.join(', ');
  return new CommandError(`There is no command "${name}". ${which}.`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Of one command, of a group of them, or of all. */
async function printHelp(name: string): Promise<void> {
  const isMeant = (other: string) => name === '' || other === name || other.startsWith(`${name} `);
  const help = Object.entries(commands)
    .filter(([command]) => isMeant(command))
    .map(([command, { usage, summary }]) => ({ command, usage, summary }));
  if (help.length === 0) throw unknownCommand(name);
  if (isJson) return print(JSON.stringify(help));
  const lines = help.map(
    ({ command, usage, summary }) => `  ${`${command} ${usage}`.trim()}\n      ${summary}`,
  );
  await print(
    `npm run cli -- <command>\n\n${lines.join('\n')}\n\nEvery command takes --help and --json.`,
  );
}

/** Waits until it is written: what is left in the pipe at the exit would be lost. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve())),
  );
}

function tell(message: string | object): void {
  const line = typeof message === 'string' ? message : JSON.stringify(message);
  process.stderr.write(`${line}\n`);
}

interface Failure {
  readonly code: string;
  readonly message: string;
  /** For the terminal; the message when left out. */
  readonly details?: string;
}

function describe(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'INTERNAL', message: String(error) };
  const { message } = error;
  const isWrongCall = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (isWrongCall || error instanceof CommandError) return { code: 'USAGE', message };
  if (error instanceof ConfigError) return { code: 'CONFIG_INVALID', message };
  if (error instanceof DomainError) return { code: error.code, message };
  if (asUnavailable(error) !== null) {
    return { code: 'UNAVAILABLE', message: `The database cannot be used: ${message}` };
  }
  return { code: 'INTERNAL', message, details: error.stack ?? message };
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => {
    const { code, message, details = message } = describe(error);
    tell(isJson ? { error: { code, message } } : details);
    process.exit(code === 'USAGE' ? 2 : 1);
  },
);
