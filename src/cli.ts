import { parseArgs } from 'node:util';
import { commands } from './cli-commands.ts';
import { ConfigError, readConfig } from './config.ts';
import { DomainError } from './domain/errors.ts';

/** `npm run cli -- <command> [options]`. Exits with 0, or with 1 and the reason on standard error. */
async function main(argv: readonly string[]): Promise<void> {
  const name = [argv.slice(0, 2).join(' '), argv[0] ?? ''].find((words) => words in commands);
  const command = name === undefined ? undefined : commands[name];
  if (name === undefined || command === undefined) {
    const isAsked = argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '');
    print(usage());
    if (!isAsked) process.exitCode = 1;
    return;
  }
  const { values, positionals } = parseArgs({
    args: argv.slice(name.split(' ').length),
    options: {
      ...command.options,
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    print(
      `npm run cli -- ${name} ${command.usage}\n\n${command.summary}\n\n--json prints JSON only.`,
    );
    return;
  }
  const asText = (option: string): string | undefined => {
    const value = (values as Record<string, unknown>)[option];
    return typeof value === 'string' ? value : undefined;
  };
  const result = await command.run(readConfig(process.env), {
    option: asText,
    positionals,
    note: (message) => process.stderr.write(`${message}\n`),
  });
  print(values.json ? JSON.stringify(result.json) : result.text);
}

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, summary }]) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`,
  );
  return `npm run cli -- <command>\n\n${lines.join('\n')}\n\nEvery command takes --help and --json.`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const isExpected =
    isUsage ||
    error instanceof ConfigError ||
    error instanceof DomainError ||
    error.name === 'CommandError';
  return isExpected ? error.message : (error.stack ?? error.message);
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
