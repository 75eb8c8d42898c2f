/** The benchmarks of `npm run benchmark`, each in the file of its name. `npm run benchmark` runs the first one. */
export const subcommands = {
  performance: 'processor time, memory and time of the service, compared with the least code',
  growth: 'search with a million generated chunks in 500 projects: recall, time, size',
  'search-by-size':
    'search in one project of 5,000 to 500,000 generated chunks by 1 to 64 clients: time, memory',
  'filtered-search': 'recall and time of searches with filters, in 100,000 generated chunks',
  tenancy: 'what row-level security adds to the time of each statement',
  'search-during-ingestion': 'time of a search while the slowest files of a plan are ingested',
  'protocol-overhead': 'what `/v1` and `/mcp` add to the time of the same question by REST',
  'refused-operations': 'time to refuse a GraphQL operation that is too expensive',
  'stalled-readers':
    'memory with many streamed answers, some of which nobody reads; needs `python3`',
  'large-evaluations':
    'what the largest evaluation runs cost other requests: blocks of the event loop, memory',
  'sentence-cache': 'processor time of comparing the sentences of hits with a query',
} as const;

export type Subcommand = keyof typeof subcommands;

/** Splits the arguments of `npm run benchmark`. Without a name, they are flags of `performance`. */
export function splitArguments(args: readonly string[]): {
  readonly name: string;
  readonly flags: readonly string[];
} {
  const [name = '', ...flags] = args;
  return name === '' || name.startsWith('-')
    ? { name: 'performance', flags: args }
    : { name, flags };
}

export function isSubcommand(name: string): name is Subcommand {
  return Object.hasOwn(subcommands, name);
}

/** Returns the usage with one line per benchmark. */
export function helpText(): string {
  const lines = Object.entries(subcommands).map(
    ([name, what]) => `  ${name.padEnd(24)} ${what}${name === 'performance' ? ' (default)' : ''}`,
  );
  return `usage: npm run benchmark [NAME] [-- --FLAG VALUE …]

${lines.join('\n')}

The file test/benchmark/NAME.ts begins with the flags.
`;
}
