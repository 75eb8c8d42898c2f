/**
 * Runs one benchmark: `npm run benchmark [NAME] [-- FLAGS]`. `npm run benchmark help` lists the names.
 *
 * A wrong command line ends with exit code 2 before anything is started.
 */
import { constants } from 'node:os';
import { UsageError } from './flags.ts';
import { killChildProcesses } from './performance/processes.ts';
import { helpText, isSubcommand, type Subcommand, splitArguments } from './subcommands.ts';

/** Loading a file runs it. */
const files: Readonly<Record<Subcommand, () => Promise<unknown>>> = {
  performance: () => import('./performance.ts'),
  growth: () => import('./growth.ts'),
  'search-by-size': () => import('./search-by-size.ts'),
  'filtered-search': () => import('./filtered-search.ts'),
  tenancy: () => import('./tenancy.ts'),
  'search-during-ingestion': () => import('./search-during-ingestion.ts'),
  'protocol-overhead': () => import('./protocol-overhead.ts'),
  'refused-operations': () => import('./refused-operations.ts'),
  'stalled-readers': () => import('./stalled-readers.ts'),
  'large-evaluations': () => import('./large-evaluations.ts'),
  'sentence-cache': () => import('./sentence-cache.ts'),
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killChildProcesses();
    process.exit(128 + constants.signals[signal]);
  });
}

const { name } = splitArguments(process.argv.slice(2));
if (['help', '--help', '-h'].includes(process.argv[2] ?? '')) process.stdout.write(helpText());
else if (isSubcommand(name)) await run(name);
else refuse(`unknown benchmark ${name}\n\n${helpText()}`);

async function run(name: Subcommand): Promise<void> {
  try {
    await files[name]();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refuse(`${error.message}\n`);
  }
}

function refuse(message: string): void {
  process.stderr.write(message);
  process.exitCode = 2;
}
