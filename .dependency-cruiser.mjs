// Who may import whom. Biome refuses cycles; these rules refuse imports that run upwards.

/** The rooms of `src`, from the ground up. A room may import itself and every room of a lower floor. */
const floors = [
  ['platform'],
  ['text'],
  ['extract'],
  ['models'],
  ['domain'],
  ['http'],
  ['schema'],
  ['rest'],
  ['site'],
  ['config'],
  ['server'],
  ['cli'],
];

/** The folders of `src/domain`, from the ground up. A folder may import itself and every folder of a lower floor. */
const domainFloors = [
  ['audit', 'idempotency', 'output-filter'],
  ['organizations'],
  ['labels', 'usage', 'webhooks'],
  ['analytics', 'setup', 'sign-in'],
  ['subscriptions'],
  ['conversations', 'knowledge'],
  ['api-keys', 'insights', 'sources'],
  ['handoff'],
  ['chat', 'nested'],
  ['evaluation'],
  ['end-users', 'feedback', 'nodes'],
  ['calibration', 'widget'],
];

/** Rooms that run in browsers. They know the service by its interfaces, and the dashboard by a list of facts and the reader of CSV. */
const islands = ['dashboard', 'widget'];
const factsForBrowsers = '^src/extract/(file-formats|tables/csv-records)\\.ts$';

/** Packages that only some rooms may import. */
const packages = {
  '@pothos/.*|@graphql-yoga/.*|@escape\\.tech/.*|graphql-yoga|graphql-sse': ['schema', 'server'],
  graphql: ['http', 'schema', 'rest', 'server'],
  'express|multer': ['http', 'rest', 'site', 'server'],
  '@tsoa/runtime|tsoa': ['rest'],
  '@modelcontextprotocol': ['rest'],
  'prom-client': ['server'],
  openai: ['models'],
  '@supabase/supabase-js': ['platform'],
  'pdfjs-dist|saxes|csv-parse|fflate|htmlparser2|numfmt|postal-mime': ['extract'],
  'onnxruntime-node|@huggingface/tokenizers': ['models'],
  'ignore|chokidar': ['cli'],
  aws4fetch: ['platform'],
  micromark: ['site'],
  'openid-client': ['platform'],
  'pg-boss|@electric-sql/.*': ['platform'],
  'nodemailer|request-filtering-agent': ['platform'],
};

/** Adapters are chosen in one place; everything else uses the port that travels in the context. */
const adapters = [
  'src/models/[^/]+/(openai-|built-in-|http-)[^/]*',
  'src/platform/(embedded/|storage/(local|supabase)-storage|events/(postgres|supabase)-events)[^/]*',
  'src/platform/(web|webhooks)/(http-[^/]*|ssrf-safe-agents|dns-lookup)',
].map((path) => `^${path}`);

const rooms = floors.flat();

export default {
  forbidden: [
    ...floors.map((floor, index) => ({
      name: `nothing-above-${floor.join('-')}`,
      severity: 'error',
      comment: 'A room imports only rooms of lower floors. See src/README.md.',
      from: { path: `^src/(${floor.join('|')})/` },
      to: {
        path: `^src/(${[...floors.slice(index + 1).flat(), ...islands].join('|')})/|^src/(main|serve)\\.ts$`,
      },
    })),
    ...domainFloors.map((floor, index) => ({
      name: `nothing-above-domain-${floor.join('-')}`,
      severity: 'error',
      comment: 'A folder of the domain imports only folders of lower floors. See src/README.md.',
      from: { path: `^src/domain/(${floor.join('|')})/` },
      to: {
        path: `^src/domain/(${domainFloors.slice(index).flat().join('|')})/`,
        pathNot: '^src/domain/$1/',
      },
    })),
    {
      name: 'domain-files-below-domain-folders',
      severity: 'error',
      comment: 'Every folder imports these files. Only context.ts names types of folders, which import nothing of it.',
      from: { path: '^src/domain/[^/]+\\.ts$' },
      to: { path: '^src/domain/[^/]+/', dependencyTypesNot: ['type-only'] },
    },
    ...islands.map((island) => ({
      name: `${island}-is-an-island`,
      severity: 'error',
      comment: 'It runs in browsers and knows the service by its interfaces, and by facts that import nothing.',
      from: { path: `^src/${island}/` },
      to: { path: '^(src|supabase)/', pathNot: `^src/${island}/|^src/schema/schema\\.graphql$|${factsForBrowsers}` },
    })),
    {
      name: 'facts-import-nothing',
      severity: 'error',
      comment: 'The dashboard contains it.',
      from: { path: factsForBrowsers },
      to: {},
    },
    {
      name: 'packages-are-for-others',
      severity: 'error',
      comment: 'They are published, and know the service by its REST API only.',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^(src|supabase|test|scripts)/|^node_modules/', pathNot: '^node_modules/(@types/)?react/' },
    },
    {
      name: 'service-without-packages',
      severity: 'error',
      comment: 'The image of the service does not contain the packages.',
      from: { path: '^src/' },
      to: { path: '^packages/' },
    },
    ...Object.entries(packages).map(([name, allowed]) => ({
      name: `package-${name.replace(/[^a-z|]/g, '').split('|')[0]}`,
      severity: 'error',
      comment: `Only ${allowed.join(', ')} may import it.`,
      from: { path: `^src/(${rooms.filter((room) => !allowed.includes(room)).join('|')})/` },
      to: { path: `^node_modules/(${name})/` },
    })),
    {
      name: 'open-telemetry-in-one-folder',
      severity: 'error',
      comment: 'It is loaded only if it is turned on. Everything else uses src/platform/tracing.',
      from: { path: '^src/', pathNot: '^src/server/observability/open-telemetry/' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'open-telemetry-on-demand',
      severity: 'error',
      comment: 'Only an import() at the start of the service loads it.',
      from: { path: '^src/', pathNot: '^src/server/observability/open-telemetry/' },
      to: {
        path: '^src/server/observability/open-telemetry/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'adapters-behind-ports',
      severity: 'error',
      comment: 'Only src/server chooses adapters; use the port that travels in the context.',
      from: { path: '^src/', pathNot: [...adapters, '^src/server/', '^src/cli/'] },
      to: { path: adapters },
    },
    {
      name: 'no-database-in-resolvers',
      severity: 'error',
      comment: 'A resolver or controller calls a verb. If it needs data, a verb is missing.',
      from: { path: '^src/(schema|rest|http)/', pathNot: '^src/schema/(generated/.*|builder|serving/graphql-server)\\.ts$' },
      to: {
        path: '^src/platform/(postgres|jobs|tenancy)/|^node_modules/(pg|@prisma)/',
        pathNot: '^src/platform/postgres/generated/prisma/enums\\.ts$',
      },
    },
    {
      name: 'rest-uses-graphql',
      severity: 'error',
      comment: 'REST runs GraphQL documents, except for visitors. Of the domain it knows how callers are recognized and limited, the filter of parts of an answer, and the payloads of webhooks.',
      from: { path: '^src/rest/', pathNot: '^src/rest/widget/' },
      to: {
        path: '^src/domain/|^src/schema/(?!schema\\.ts$)',
        pathNot:
          '^src/domain/(context|caller|permissions|upload-limit|api-keys/authenticate-key|output-filter/filter-part|usage/rate-limit|idempotency/claim-idempotency-key|webhooks/webhook-(events|event-types))\\.ts$',
      },
    },
    {
      name: 'widget-uses-its-verbs',
      severity: 'error',
      comment: 'The operations of visitors are verbs of domain/widget. No one else calls them, so GraphQL has none of them.',
      from: { path: '^src/rest/widget/' },
      to: { path: '^src/domain/|^src/schema/', pathNot: '^src/domain/((context|caller)\\.ts$|widget/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
  },
};
