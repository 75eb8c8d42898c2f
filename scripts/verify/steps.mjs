/**
 * Steps of a verification. Each step has `tests` (arguments of `vitest run`) or `program` (a command). `tools` are
 * names from tools.mjs. vitest.config.ts assigns the test files to projects.
 */

/**
 * Prefixes of the names of process tests that use the embedded database or no database. A database server would not
 * change what they prove.
 */
const embeddedTests = [
  'launcher',
  'extract-',
  'embedded-',
  'documentation',
  'code-samples',
  'conformance',
  'markdown-time-limit',
  'disk-full',
  'outgoing-',
  'packages',
];

const checks = {
  name: 'checks',
  what: 'format, lint, types, imports, unused code and generated files',
  command: 'npm run check',
};

const service = {
  name: 'service',
  what: 'unit and service tests on the embedded database',
  tests: ['--project', 'service'],
};

/** Returns the paths of test files of one folder of `test`. */
const testFiles = (folder, ...names) => names.map((name) => `test/${folder}/${name}.test.ts`);

/** All steps that a release must pass, in their order: `verify.mjs --all`. */
export const allSteps = [
  checks,
  service,
  {
    name: 'processes',
    what: 'tests that start, kill or load processes of the service, on the embedded database',
    tests: ['--project', 'processes'],
  },
  {
    name: 'browser',
    what: 'tests of dashboard and widget in Chromium',
    tests: ['--project', 'browser'],
    tools: ['chromium'],
  },
  {
    name: 'conformance',
    what: 'linters and generators of clients, the tools of MCP, and programs for OpenAI',
    tests: [...testFiles('processes', 'conformance', 'mcp-conformance', 'openai-conformance')],
    tools: ['conformance'],
  },
  {
    name: 'python-client',
    what: 'the Python client',
    tests: [...testFiles('processes', 'python-client', 'openai-conformance', 'readme-programs')],
    tools: ['python'],
  },
  {
    name: 'runtimes',
    what: 'the client in Node 20, Deno and Bun',
    tests: ['test/processes/readme-programs.test.ts'],
    tools: ['runtimes'],
  },
  {
    name: 'proxies',
    what: 'two processes behind nginx and Caddy, Prometheus with the alert rules',
    tests: testFiles('processes', 'example-proxies', 'prometheus'),
    tools: ['deployment'],
  },
  {
    name: 'next',
    what: 'the Next.js example in Chromium',
    tests: ['test/dashboard/next-example.test.ts'],
    tools: ['chromium', 'next'],
  },
  {
    name: 'postgres',
    what: 'the steps service and processes on a Postgres server',
    tests: [
      ...['--project', 'service', '--project', 'processes'],
      `--exclude=test/processes/{${embeddedTests.join(',')}}*.test.ts`,
    ],
    tools: ['postgres', 'supabaseCli'],
  },
  {
    name: 'benchmark',
    what: 'processor time of a search, a chat and a token',
    program: ['node', 'scripts/run.mjs', 'benchmark', '--check'],
    tools: ['postgres'],
  },
  {
    name: 'postgres-17',
    what: 'migrations on Postgres 17',
    tests: [
      ...testFiles('processes', 'migrate', 'pgvector-places'),
      'test/platform/function-rights.test.ts',
    ],
    tools: ['postgres17'],
  },
  {
    name: 'supabase',
    what: "what stores files or sends changes, with stand-ins for Supabase's Storage and Realtime",
    tests: [
      ...testFiles('contract', 'knowledge', 'handoff'),
      ...testFiles('processes', 'storage-outage'),
      ...testFiles('processes/nodes', 'inbox-failover', 'inbox-two-nodes'),
      ...testFiles('schema', 'inbox', 'handoffs'),
      ...testFiles('domain', 'ingestion', 'handoff', 'handoff-lifecycle'),
    ],
    tools: ['postgres'],
    env: { TEST_SUPABASE: '1' },
  },
  {
    name: 'pooler',
    what: 'what keeps state, orders jobs, listens or runs in several processes, through a pooler for transactions',
    tests: [
      ...testFiles(
        'contract',
        'chat',
        'concurrent-requests',
        'handoff',
        'idempotency',
        'knowledge',
        'rate-limits',
        'resume-answer',
        'usage',
      ),
      'test/processes/nodes/two-nodes.test.ts',
      ...testFiles('schema', 'inbox', 'handoffs', 'members'),
      ...testFiles('platform', 'database-pool', 'tenancy'),
    ],
    tools: ['postgres', 'pooler'],
  },
  {
    name: 'topology',
    what: 'four processes that die under load; needs root on Debian',
    tests: ['--config', 'vitest.topology.config.ts'],
  },
  {
    name: 'image',
    what: 'the Dockerfile and what the image would contain',
    program: ['bash', 'test/image/dry-run.sh'],
    tools: ['postgres'],
  },
];

/**
 * The steps that every submission must pass, in their order: `verify.mjs --gate`. For each kind of failure, the gate
 * runs one test. The step of `allSteps` runs all tests of this kind.
 */
export const gateSteps = [
  checks,
  service,
  {
    name: 'gate-postgres',
    what: 'the contract, access, migrations and upgrades of releases on Postgres; two nodes, failover of the inbox',
    tests: [
      'test/contract',
      ...testFiles('schema', 'access', 'nested-access'),
      ...testFiles('platform', 'tenancy', 'function-rights', 'schema-drift'),
      ...testFiles('processes', 'migrate', 'upgrade'),
      ...testFiles('processes/nodes', 'two-nodes', 'inbox-failover'),
    ],
    tools: ['postgres'],
  },
  {
    name: 'gate-supabase',
    what: "files and changes with stand-ins for Supabase's Storage and Realtime",
    tests: ['test/contract/knowledge.test.ts', 'test/schema/inbox.test.ts'],
    tools: ['postgres'],
    env: { TEST_SUPABASE: '1' },
  },
  {
    name: 'gate-pooler',
    what: 'chats and tenants through a pooler for transactions',
    tests: [
      ...testFiles('contract', 'chat', 'idempotency'),
      ...testFiles('platform', 'database-pool', 'tenancy'),
    ],
    tools: ['postgres', 'pooler'],
  },
  {
    name: 'gate-browser',
    what: 'the widget and the inbox in Chromium',
    tests: [...testFiles('dashboard', 'widget', 'inbox')],
    tools: ['chromium'],
  },
  {
    name: 'gate-processes',
    what: "kill -9 during an answer, MCP's conformance tools and programs for OpenAI",
    tests: [...testFiles('processes', 'answer-crash', 'mcp-conformance', 'openai-conformance')],
    tools: ['conformance'],
  },
  {
    name: 'gate-clients',
    what: 'what users install and copy: packages, Python client, programs of READMEs, examples, MCP bridge',
    tests: [
      ...testFiles('processes', 'packages', 'readme-programs', 'python-client', 'release'),
      ...testFiles('processes', 'examples', 'mcp-bridge'),
    ],
    tools: ['pythonHttpx'],
  },
  {
    name: 'gate-deployment',
    what: 'compose.yaml with the secrets of the README, Caddyfile, the units of systemd, backup and restore of the containers',
    program: [
      'bash',
      '-c',
      'bash test/image/check-deployment.sh && bash test/image/compose-backup.sh',
    ],
    tools: ['deployment', 'postgres'],
  },
  {
    name: 'gate-proxies',
    what: 'two processes behind nginx and Caddy, Prometheus with the alert rules',
    tests: testFiles('processes', 'example-proxies', 'prometheus'),
    tools: ['deployment'],
  },
];

/** Returns steps for the slow tests that a change affects. Process tests use a database server if they can. */
export function affectedSteps(tests) {
  const what = 'slow tests of what has changed';
  const isBrowser = (test) => test.startsWith('test/dashboard/');
  const isEmbedded = (test) =>
    [...embeddedTests, 'answer-crash', 'idempotency-crash'].some((name) =>
      test.startsWith(`test/processes/${name}`),
    );
  const isOther = (test) => !isBrowser(test) && !isEmbedded(test);
  const steps = [
    { name: 'affected-processes', what, tests: tests.filter(isEmbedded), tools: ['conformance'] },
    { name: 'affected-postgres', what, tests: tests.filter(isOther), tools: ['postgres'] },
    { name: 'affected-browser', what, tests: tests.filter(isBrowser), tools: ['chromium'] },
  ];
  return steps.filter(({ tests }) => tests.length > 0);
}
