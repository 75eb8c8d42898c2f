import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { settingNames } from '../../src/config/settings.ts';

describe('settings', () => {
  it('use the embedded default when nothing is set', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: null,
      trustedProxies: 0,
      dataDir: resolve('data'),
      databaseUrl: null,
      directDatabaseUrl: null,
      usesTransactionPooler: false,
      databasePoolSize: 10,
      statementTimeoutMs: 30_000,
      databaseReplicas: [],
      replicaMaxLagMs: 1_000,
      searchIndexMegabytes: 256,
      migrationDatabaseUrl: null,
      supabase: null,
      openAi: null,
      embedding: {
        queryPrefix: null,
        documentPrefix: null,
        dimensions: null,
        comparesSentences: false,
      },
      chat: {
        temperature: null,
        reasoningEffort: null,
        maxOutputTokens: null,
        timeoutMs: 180_000,
        maxContextChunks: 10,
        maxContextTokens: 4_000,
        maxSectionTokens: 800,
      },
      isReaderOn: true,
      rerank: null,
      jwtSecret: null,
      secretsKeys: [],
      auditRetentionDays: 400,
      answerTraceShare: 1,
      openTelemetry: null,
      role: 'all',
      webConcurrency: 1,
      workerPort: 0,
      stopDelayMs: 0,
      stopGraceMs: 30_000,
      maxConnections: 20_000,
      maxConnectionsPerAddress: 2_000,
      callerLimits: {
        operatorRequestsPerMinute: 1_200,
        serviceRequestsPerMinute: 12_000,
        subscriptionsPerCaller: 500,
      },
      answerStarts: { maxStarting: 100, maxWaitMs: 10_000 },
      logLevel: 'info',
      allowPrivateWebhooks: false,
      allowPrivateSources: false,
      notionUrl: 'https://api.notion.com',
      mail: null,
      oidc: null,
      isGraphiqlOn: true,
      corsOrigins: [],
    });
  });

  it('count as unset when they are empty or blank', () => {
    const blank = Object.fromEntries(settingNames.map((name) => [name, '  ']));
    expect(readConfig(blank)).toEqual(readConfig({}));
  });

  it('cannot be changed after reading', () => {
    const config = readConfig({
      SUPABASE_URL: 'https://abcd.supabase.co',
      SUPABASE_SECRET_KEY: 'sb_secret_1',
      OPENAI_API_KEY: 'key',
    });
    for (const part of [config, config.supabase, config.openAi]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('keep a prefix with its space and line breaks, and none as an empty one', () => {
    const { embedding } = readConfig({
      EMBEDDING_QUERY_PREFIX: 'Instruct: find\\nQuery:',
      EMBEDDING_DOCUMENT_PREFIX: 'none',
      EMBEDDING_DIMENSIONS: '512',
      EMBEDDING_COMPARE_SENTENCES: 'true',
    });
    expect(embedding).toEqual({
      queryPrefix: 'Instruct: find\nQuery: ',
      documentPrefix: '',
      dimensions: 512,
      comparesSentences: true,
    });
  });

  it('make the data directory absolute', () => {
    const { dataDir } = readConfig({ DATA_DIR: 'some/where' });
    expect(isAbsolute(dataDir)).toBe(true);
    expect(dataDir).toBe(resolve('some/where'));
  });

  it('return the given values', () => {
    expect(
      readConfig({
        PORT: '0',
        HOST: '::1',
        DATABASE_URL: 'postgres://me:secret@db/app?sslmode=require',
        DIRECT_DATABASE_URL: 'postgres://me:secret@db:5433/app',
        DATABASE_POOL_SIZE: '25',
        DATABASE_STATEMENT_TIMEOUT_SECONDS: '0',
        SEARCH_INDEX_MEMORY_MB: '0',
        JWT_SECRET: 'x'.repeat(32),
        WORKER_PORT: '3001',
        PUBLIC_URL: 'https://chat.example.com/',
        STOP_DELAY_SECONDS: '5',
        STOP_GRACE_SECONDS: '60',
        ROLE: 'worker',
        LOG_LEVEL: 'silent',
        ALLOW_PRIVATE_WEBHOOKS: 'yes',
        CORS_ORIGINS: 'https://app.example.com/, http://localhost:5173',
        ALLOW_PRIVATE_SOURCES: 'true',
        GRAPHIQL: 'false',
      }),
    ).toMatchObject({
      port: 0,
      host: '::1',
      databaseUrl: 'postgres://me:secret@db/app?sslmode=require',
      directDatabaseUrl: 'postgres://me:secret@db:5433/app',
      databasePoolSize: 25,
      statementTimeoutMs: null,
      searchIndexMegabytes: 0,
      jwtSecret: 'x'.repeat(32),
      publicUrl: 'https://chat.example.com',
      workerPort: 3001,
      stopDelayMs: 5_000,
      stopGraceMs: 60_000,
      role: 'worker',
      logLevel: 'silent',
      allowPrivateWebhooks: true,
      allowPrivateSources: true,
      isGraphiqlOn: false,
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    });
  });

  it('report every problem at once', () => {
    const problems = problemsOf({
      PORT: '70000',
      HOST: 'not a host',
      PUBLIC_URL: 'https://chat.example.com/mcp',
      DATABASE_URL: 'mysql://db',
      SUPABASE_URL: 'abcd.supabase.co',
      SUPABASE_JWT_SECRET: 'short',
      OPENAI_BASE_URL: 'localhost:11434',
      ROLE: 'everything',
      LOG_LEVEL: 'verbose',
      ALLOW_PRIVATE_WEBHOOKS: 'perhaps',
      GRAPHIQL: 'on',
      CORS_ORIGINS: '*',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'HOST',
      'PUBLIC_URL',
      'DATABASE_URL',
      'SUPABASE_URL',
      'SUPABASE_JWT_SECRET',
      'OPENAI_BASE_URL',
      'ROLE',
      'LOG_LEVEL',
      'ALLOW_PRIVATE_WEBHOOKS',
      'GRAPHIQL',
      'CORS_ORIGINS',
      'SUPABASE_SECRET_KEY',
      'CHAT_MODEL',
    ]);
  });

  it.each([
    'https://a.example/path',
    'a.example',
    'ftp://a.example',
    'https://a.example,,',
    'null',
  ])('refuse the origin %s', (value) => {
    expect(problemsOf({ CORS_ORIGINS: value })).toEqual([
      `CORS_ORIGINS is ${JSON.stringify(value)}: it must be origins, separated by commas, such as https://app.example.com,http://localhost:5173`,
    ]);
  });

  it.each([
    'https://proxy.example/notion',
    'https://proxy.example?a=b',
    'https://me:hunter2@proxy.example',
    'ftp://proxy.example',
  ])("refuse the address %s of Notion's API", (value) => {
    expect(problemsOf({ NOTION_API_URL: value })).toEqual([
      expect.stringMatching(/^NOTION_API_URL .*it must be an address without a path/),
    ]);
  });

  it('send tokens of sources without TLS only in development', () => {
    const NOTION_API_URL = 'http://127.0.0.1:8080/';
    expect(problemsOf({ NOTION_API_URL })).toEqual([
      expect.stringMatching(/^NOTION_API_URL begins with http: it must begin with https/),
    ]);
    expect(readConfig({ NOTION_API_URL, ALLOW_PRIVATE_SOURCES: 'yes' }).notionUrl).toBe(
      'http://127.0.0.1:8080',
    );
  });

  it('name the variable, its value and the expected value', () => {
    expect(() => readConfig({ PORT: 'http' })).toThrow(
      'PORT is "http": it must be a whole number from 0 to 65535, such as 3000',
    );
  });

  it.each(['-1', '65536', '3000.5', '0x10', '1e3', 'http'])('reject the port %s', (PORT) => {
    expect(problemsOf({ PORT })).toHaveLength(1);
  });

  it('never repeat a secret in a message', () => {
    const error = errorOf({
      DATABASE_URL: 'mysql://me:hunter2@db',
      SUPABASE_JWT_SECRET: 'hunter2',
      OPENAI_BASE_URL: 'ftp://me:hunter2@models',
    });
    expect(error.message).not.toContain('hunter2');
    expect(error.message).toContain('DATABASE_URL');
  });
});

describe('the mail server', () => {
  const mail = { SMTP_URL: 'smtps://me:hunter2@mail.example.com', MAIL_FROM: 'chat@example.com' };
  const PUBLIC_URL = 'https://chat.example.com';

  it('is used with a sender and the public address', () => {
    expect(readConfig({ ...mail, PUBLIC_URL }).mail).toEqual({
      smtpUrl: mail.SMTP_URL,
      from: 'chat@example.com',
    });
  });

  it.each([
    [{ SMTP_URL: mail.SMTP_URL }, /^SMTP_URL and MAIL_FROM belong together/],
    [{ MAIL_FROM: mail.MAIL_FROM }, /^SMTP_URL and MAIL_FROM belong together/],
    [mail, /^PUBLIC_URL is not set: with SMTP_URL/],
    [{ ...mail, PUBLIC_URL, SMTP_URL: 'http://me:hunter2@mail' }, /^SMTP_URL is not usable/],
    [{ ...mail, PUBLIC_URL, MAIL_FROM: 'a@example.com, b@example.com' }, /^MAIL_FROM is /],
    [{ ...mail, PUBLIC_URL, MAIL_FROM: 'A <a@example.com>\r\nBcc: b' }, /^MAIL_FROM is /],
  ])('is refused with %o', (settings, problem) => {
    expect(problemsOf(settings)).toEqual([expect.stringMatching(problem)]);
    expect(problemsOf(settings).join()).not.toContain('hunter2');
  });
});

describe('several processes', () => {
  const DATABASE_URL = 'postgresql://db/app';
  const countOf = (WEB_CONCURRENCY: string) =>
    readConfig({ DATABASE_URL, WEB_CONCURRENCY }).webConcurrency;

  it('are a number, or one for each processor', () => {
    expect(countOf('3')).toBe(3);
    expect(countOf('64')).toBe(64);
    expect(countOf('auto')).toBe(availableParallelism());
    expect(readConfig({ WEB_CONCURRENCY: '1' }).webConcurrency).toBe(1);
  });

  it.each(['0', '-1', '1.5', '65', 'all'])('are not %s', (WEB_CONCURRENCY) => {
    expect(problemsOf({ DATABASE_URL, WEB_CONCURRENCY })).toEqual([
      `WEB_CONCURRENCY is "${WEB_CONCURRENCY}": it must be a whole number from 1 to 64, or auto`,
    ]);
  });

  it('need Postgres, and no worker', () => {
    const refused =
      'DATABASE_URL is not set: with WEB_CONCURRENCY it must be a Postgres URL, because the embedded database serves one process';
    for (const WEB_CONCURRENCY of ['2', 'auto']) {
      expect(problemsOf({ WEB_CONCURRENCY })).toEqual([refused]);
    }
    expect(problemsOf({ DATABASE_URL, ROLE: 'worker', WEB_CONCURRENCY: '2' })).toEqual([
      expect.stringMatching(/^WEB_CONCURRENCY is set with ROLE=worker/),
    ]);
  });
});

describe('the database', () => {
  it('accepts a direct URL only together with DATABASE_URL', () => {
    expect(problemsOf({ DIRECT_DATABASE_URL: 'postgresql://db/app' })).toEqual([
      expect.stringMatching(/^DATABASE_URL is not set/),
    ]);
  });

  it('may have replicas, behind a pooler or not', () => {
    const DATABASE_REPLICA_URLS =
      'postgresql://one:5433/app, postgresql://postgres.abcd:p@aws-0-eu.pooler.supabase.com:6543/postgres';
    const DATABASE_URL = 'postgresql://db/app';
    expect(
      readConfig({ DATABASE_URL, DATABASE_REPLICA_URLS, DATABASE_REPLICA_MAX_LAG_MS: '500' }),
    ).toMatchObject({
      databaseReplicas: [
        { databaseUrl: 'postgresql://one:5433/app', usesTransactionPooler: false },
        { databaseUrl: DATABASE_REPLICA_URLS.split(', ')[1], usesTransactionPooler: true },
      ],
      replicaMaxLagMs: 500,
    });
    const throughPooler = {
      DATABASE_URL,
      DIRECT_DATABASE_URL: 'postgresql://db:5433/app',
      DATABASE_REPLICA_URLS: 'postgresql://one/app',
    };
    expect(readConfig(throughPooler).databaseReplicas[0]?.usesTransactionPooler).toBe(true);
  });

  it('has no replicas without a primary, and none at another kind of address', () => {
    expect(problemsOf({ DATABASE_REPLICA_URLS: 'postgresql://one/app' })).toEqual([
      expect.stringMatching(/^DATABASE_URL is not set/),
    ]);
    const DATABASE_URL = 'postgresql://db/app';
    for (const urls of ['postgresql://one/app,', 'http://me:hunter2@one']) {
      expect(problemsOf({ DATABASE_URL, DATABASE_REPLICA_URLS: urls })).toEqual([
        'DATABASE_REPLICA_URLS is not usable: it must be a Postgres URL, such as postgresql://user:password@host:5432/database',
      ]);
    }
  });

  it('may have several hosts, of which the one that accepts writes is used', () => {
    const DATABASE_URL =
      'postgresql://me:a,b@10.0.0.1:5433,10.0.0.2/app?target_session_attrs=read-write';
    const MIGRATION_DATABASE_URL = 'postgresql://owner@10.0.0.1:5433,10.0.0.2/app';
    expect(readConfig({ DATABASE_URL, MIGRATION_DATABASE_URL })).toMatchObject({
      databaseUrl: DATABASE_URL,
      migrationDatabaseUrl: MIGRATION_DATABASE_URL,
      directDatabaseUrl: null,
      usesTransactionPooler: false,
    });
  });

  it.each([
    ['postgresql://me:hunter2@one,/app', 'must be a Postgres URL'],
    ['postgresql://me:hunter2@one:x,two/app', 'must be a Postgres URL'],
    [
      'postgresql://me:hunter2@one,two/app?target_session_attrs=any',
      'must have target_session_attrs=read-write',
    ],
    [
      'postgresql://me:hunter2@one/app?target_session_attrs=standby',
      'must have target_session_attrs=read-write',
    ],
    [
      'postgresql://me:hunter2@one,two/app?host=three',
      'must not have the parameters host and port',
    ],
    [
      'postgresql://one:5433,10.0.0.2/app?sslrootcert=no-such-ca.pem',
      'names a file that does not exist',
    ],
  ])('rejects %s', (DATABASE_URL, problem) => {
    const problems = problemsOf({ DATABASE_URL });
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_URL is not usable: /)]);
    expect(problems[0]).toContain(problem);
    expect(problems[0]).not.toContain('hunter2');
  });

  it.each([
    ['postgresql://me:hunter2@one:5432,two:5432/app', 'must have one host in each address'],
    [
      'postgresql://me:hunter2@one/app?target_session_attrs=standby',
      'must not have target_session_attrs',
    ],
  ])('rejects %s as a replica', (DATABASE_REPLICA_URLS, problem) => {
    const problems = problemsOf({ DATABASE_URL: 'postgresql://db/app', DATABASE_REPLICA_URLS });
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_REPLICA_URLS is not usable: /)]);
    expect(problems[0]).toContain(problem);
  });

  it.each(['1', '1001', 'ten', '2.5'])('rejects %s as the size of its pool', (size) => {
    expect(problemsOf({ DATABASE_POOL_SIZE: size })).toEqual([
      `DATABASE_POOL_SIZE is "${size}": it must be a whole number from 2 to 1000`,
    ]);
  });
});

describe('the secret for our own tokens', () => {
  it('is rejected where Supabase issues tokens, and is not repeated in the message', () => {
    const JWT_SECRET = 'hunter2'.repeat(5);
    const supabase = { SUPABASE_URL: 'https://abcd.supabase.co', SUPABASE_SECRET_KEY: 'key' };
    expect(problemsOf({ ...supabase, JWT_SECRET })).toEqual([
      expect.stringMatching(/^JWT_SECRET is set with SUPABASE_URL/),
    ]);
    expect(errorOf({ JWT_SECRET: 'hunter2' }).message).not.toContain('hunter2');
  });
});

describe('the keys of stored secrets', () => {
  it('are a list of 32 bytes in base64', () => {
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    expect(readConfig({ SECRETS_KEY: keys.join(',') }).secretsKeys).toEqual(keys);
  });

  it.each(['hunter2', Buffer.alloc(31).toString('base64')])('are not %s', (SECRETS_KEY) => {
    expect(problemsOf({ SECRETS_KEY })).toEqual([
      'SECRETS_KEY is not usable: it must be keys of 32 bytes in base64 (openssl rand -base64 32), separated by commas',
    ]);
  });
});

describe('Supabase', () => {
  it('requires the secret key together with the URL', () => {
    expect(problemsOf({ SUPABASE_URL: 'https://abcd.supabase.co' })).toEqual([
      expect.stringMatching(/^SUPABASE_SECRET_KEY is not set/),
    ]);
  });

  it.each(['SUPABASE_SECRET_KEY', 'SUPABASE_JWT_SECRET'])('rejects %s without the URL', (name) => {
    expect(problemsOf({ [name]: 'x'.repeat(40) })).toEqual([
      expect.stringMatching(/^SUPABASE_URL is not set/),
    ]);
  });

  it('rejects EVENTS=realtime, which was removed', () => {
    expect(problemsOf({ EVENTS: 'realtime' })).toEqual([
      expect.stringMatching(/^EVENTS=realtime was removed: /),
    ]);
    expect(readConfig({ EVENTS: 'postgres' })).toEqual(readConfig({}));
  });

  it('works without a shared signing secret', () => {
    const env = { SUPABASE_URL: 'https://abcd.supabase.co/', SUPABASE_SECRET_KEY: 'sb_secret_1' };
    expect(readConfig(env).supabase).toEqual({
      url: 'https://abcd.supabase.co',
      secretKey: 'sb_secret_1',
      jwtSecret: null,
      publishableKey: null,
    });
  });
});

describe('the model server', () => {
  it('is OpenAI with current default models when only a key is given', () => {
    expect(readConfig({ OPENAI_API_KEY: 'key' }).openAi).toEqual({
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'key',
      chatModel: 'gpt-5.4-mini',
      embeddingModel: 'text-embedding-3-small',
    });
  });

  it('serves only the capabilities whose model is named', () => {
    expect(readConfig({ OPENAI_API_KEY: 'key', CHAT_MODEL: 'writer' }).openAi).toMatchObject({
      chatModel: 'writer',
      embeddingModel: null,
    });
    const local = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/', EMBEDDING_MODEL: 'embedder' };
    expect(readConfig(local).openAi).toEqual({
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: null,
      chatModel: null,
      embeddingModel: 'embedder',
    });
  });

  it('gets the parameters and limits of the language model', () => {
    expect(readConfig({}).chat).toEqual({
      temperature: null,
      reasoningEffort: null,
      maxOutputTokens: null,
      timeoutMs: 180_000,
      maxContextChunks: 10,
      maxContextTokens: 4_000,
      maxSectionTokens: 800,
    });
    expect(
      readConfig({ CHAT_TEMPERATURE: '0.2', CHAT_MAX_OUTPUT_TOKENS: '900' }).chat,
    ).toMatchObject({ temperature: 0.2, maxOutputTokens: 900 });
    expect(problemsOf({ CHAT_TEMPERATURE: '2.1', CHAT_CONTEXT_CHUNKS: '0' })).toEqual([
      'CHAT_TEMPERATURE is "2.1": it must be a number from 0 to 2, such as 0.2',
      'CHAT_CONTEXT_CHUNKS is "0": it must be a whole number from 1 to 50',
    ]);
  });

  it.each(['0', '4001', '3072.5'])('refuses vectors of %s dimensions', (size) => {
    expect(problemsOf({ EMBEDDING_DIMENSIONS: size })).toEqual([
      `EMBEDDING_DIMENSIONS is "${size}": it must be a whole number from 1 to 4000`,
    ]);
  });

  it('requires a model name when a base URL is given', () => {
    expect(problemsOf({ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' })).toEqual([
      expect.stringMatching(/^CHAT_MODEL and EMBEDDING_MODEL are not set/),
    ]);
  });

  it.each(['CHAT_MODEL', 'EMBEDDING_MODEL'])('is required when %s is set', (name) => {
    expect(problemsOf({ [name]: 'some-model' })).toEqual([
      expect.stringMatching(`^${name} is set without a server`),
    ]);
  });
});

it('the answer reader is on unless it is turned off', () => {
  expect(readConfig({}).isReaderOn).toBe(true);
  expect(readConfig({ ANSWER_READER: 'false' }).isReaderOn).toBe(false);
});

describe('the reranker', () => {
  const RERANK_BASE_URL = 'http://127.0.0.1:8000/v1/';

  it('consists of a model and a server, with an optional key', () => {
    const rerank = { baseUrl: 'http://127.0.0.1:8000/v1', apiKey: null, model: 'reader' };
    expect(readConfig({ RERANK_MODEL: 'reader', RERANK_BASE_URL }).rerank).toEqual(rerank);
    expect(
      readConfig({ RERANK_MODEL: 'reader', RERANK_BASE_URL, RERANK_API_KEY: 'key' }).rerank,
    ).toEqual({ ...rerank, apiKey: 'key' });
  });

  it.each([
    [{ RERANK_MODEL: 'reader' }, /^RERANK_MODEL and RERANK_BASE_URL belong together/],
    [{ RERANK_BASE_URL }, /^RERANK_MODEL and RERANK_BASE_URL belong together/],
    [{ RERANK_API_KEY: 'key' }, /^RERANK_MODEL is not set/],
    [{ RERANK_MODEL: 'reader', RERANK_BASE_URL: 'localhost' }, /^RERANK_BASE_URL is not usable/],
  ])('requires both: %o', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the role', () => {
  it.each(['api', 'worker'])('%s requires a real Postgres', (ROLE) => {
    expect(problemsOf({ ROLE })).toEqual([expect.stringMatching(/^DATABASE_URL is not set/)]);
    expect(readConfig({ ROLE, DATABASE_URL: 'postgresql://db/app' }).role).toBe(ROLE);
  });
});

describe('GraphiQL', () => {
  it('is disabled in production by default', () => {
    expect(readConfig({ NODE_ENV: 'production' }).isGraphiqlOn).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', GRAPHIQL: 'true' }).isGraphiqlOn).toBe(true);
    expect(readConfig({ NODE_ENV: 'development' }).isGraphiqlOn).toBe(true);
  });
});

describe('the secret key of a Supabase project', () => {
  const anonymous = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"role":"anon"}').toString('base64url')}.c2ln`;

  it.each(['sb_publishable_abc', anonymous])(
    'must not be the publishable one, such as %s',
    (key) => {
      const settings = { SUPABASE_URL: 'https://abcd.supabase.co', SUPABASE_SECRET_KEY: key };
      expect(() => readConfig(settings)).toThrow('it is a publishable key');
    },
  );
});

describe('the pooler of DATABASE_URL', () => {
  const pooler = 'postgresql://postgres.abcd:p%40ss@aws-0-eu-central-1.pooler.supabase.com';
  const read = (settings: Record<string, string>) => {
    const { directDatabaseUrl, databasePoolSize, usesTransactionPooler } = readConfig(settings);
    return { directDatabaseUrl, databasePoolSize, usesTransactionPooler };
  };

  const direct = 'postgresql://postgres@db.abcd.supabase.co/postgres';

  it.each([pooler, 'postgresql://postgres@DB.abcd.supabase.co'])(
    'is one for transactions at port 6543 of %s: what needs a session uses port 5432',
    (host) => {
      expect(read({ DATABASE_URL: `${host}:6543/postgres?sslmode=verify-full` })).toEqual({
        directDatabaseUrl: `${host}:5432/postgres?sslmode=verify-full`,
        databasePoolSize: 10,
        usesTransactionPooler: true,
      });
    },
  );

  it.each([
    'postgresql://127.0.0.1:6543/app',
    'postgresql://db.example.com:6543/app',
    'postgresql://pooler.supabase.com.example.com:6543/app',
    'postgresql://db.supabase.co.example.com:6543/app',
  ])('is none at %s: the port alone does not tell', (url) => {
    expect(read({ DATABASE_URL: url })).toEqual({
      directDatabaseUrl: null,
      databasePoolSize: 10,
      usesTransactionPooler: false,
    });
  });

  it('uses the given address for what needs a session', () => {
    const given = { DATABASE_URL: `${pooler}:6543/postgres`, DIRECT_DATABASE_URL: direct };
    expect(read(given).directDatabaseUrl).toBe(direct);
  });

  it('is what the setting says', () => {
    const url = 'postgresql://pooler.example.com:6432/app';
    expect(read({ DATABASE_URL: url }).directDatabaseUrl).toBeNull();
    expect(read({ DATABASE_URL: url, DATABASE_POOLER: 'transaction' }).directDatabaseUrl).toBe(
      'postgresql://pooler.example.com:5432/app',
    );
    expect(read({ DATABASE_URL: url, DATABASE_POOLER: 'session' }).databasePoolSize).toBe(3);
    const ownServer = { DATABASE_URL: 'postgresql://db:6543/app', DATABASE_POOLER: 'none' };
    expect(read(ownServer)).toEqual({
      directDatabaseUrl: null,
      databasePoolSize: 10,
      usesTransactionPooler: false,
    });
    const other = { DATABASE_URL: url, DIRECT_DATABASE_URL: 'postgresql://db.example.com/app' };
    expect(read(other).usesTransactionPooler).toBe(true);
    expect(read({ ...other, DATABASE_POOLER: 'none' }).usesTransactionPooler).toBe(false);
    expect(read({ ...other, DIRECT_DATABASE_URL: url }).usesTransactionPooler).toBe(false);
  });

  it('may be on several hosts', () => {
    const url = 'postgresql://me@one:6432,two:6432/app';
    expect(read({ DATABASE_URL: url, DATABASE_POOLER: 'transaction' }).directDatabaseUrl).toBe(
      'postgresql://me@one:5432,two:5432/app',
    );
    const direct = 'postgresql://me@one,two/app';
    const given = { DATABASE_URL: url, DIRECT_DATABASE_URL: direct };
    expect(read(given)).toMatchObject({ directDatabaseUrl: direct, usesTransactionPooler: true });
    const same = { DATABASE_URL: direct, DIRECT_DATABASE_URL: 'postgresql://me@one:5432,TWO/app' };
    expect(read(same).usesTransactionPooler).toBe(false);
  });

  it('is a session pooler at other ports of Supabase, with few connections by default', () => {
    expect(read({ DATABASE_URL: `${pooler}:5432/postgres` })).toEqual({
      directDatabaseUrl: null,
      databasePoolSize: 3,
      usesTransactionPooler: false,
    });
    const beside = { DATABASE_URL: `${pooler}:5432/postgres`, DIRECT_DATABASE_URL: direct };
    expect(read(beside)).toEqual({
      directDatabaseUrl: direct,
      databasePoolSize: 3,
      usesTransactionPooler: false,
    });
    expect(read({ ...beside, DATABASE_URL: direct }).usesTransactionPooler).toBe(false);
    const sized = { DATABASE_URL: `${pooler}:5432/postgres`, DATABASE_POOL_SIZE: '8' };
    expect(read(sized).databasePoolSize).toBe(8);
  });

  it('needs a second address if the port cannot tell', () => {
    const settings = { DATABASE_URL: 'postgresql://db/app', DATABASE_POOLER: 'transaction' };
    expect(() => readConfig(settings)).toThrow('DIRECT_DATABASE_URL is not set');
    expect(() => readConfig({ DATABASE_POOLER: 'session' })).toThrow('DATABASE_URL is not set');
  });

  it.each([
    ['postgresql://db:6432/app', 'postgresql://db:6432/app', 'transaction'],
    ['postgresql://me:a@db/app', 'postgresql://me:a@db:5432/app?sslmode=require', 'transaction'],
    [`${pooler}:6543/postgres`, `${pooler}:6543/postgres`, ''],
  ])('needs another address than %s behind a transaction pooler', (url, second, named) => {
    const settings = { DATABASE_URL: url, DIRECT_DATABASE_URL: second, DATABASE_POOLER: named };
    expect(() => readConfig(settings)).toThrow(
      'DIRECT_DATABASE_URL leads through the same pooler as DATABASE_URL',
    );
  });
});

describe('an OIDC provider', () => {
  const provider = {
    PUBLIC_URL: 'https://chat.example.com',
    OIDC_ISSUER: 'https://id.example.com/realms/staff/',
    OIDC_CLIENT_ID: 'grounded-chat',
    OIDC_CLIENT_SECRET: 'a secret of the client',
  };
  const organizationId = '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11';

  it('has defaults, and keeps the issuer as it is written', () => {
    expect(readConfig(provider).oidc).toEqual({
      issuer: 'https://id.example.com/realms/staff/',
      clientId: 'grounded-chat',
      clientSecret: 'a secret of the client',
      scopes: 'openid email profile',
      name: 'single sign-on',
      policy: { allowedDomains: [], trustsEmail: false, mapping: null },
    });
  });

  it('has allowed domains, and roles by groups', () => {
    const { oidc } = readConfig({
      ...provider,
      OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
      OIDC_TRUST_EMAIL: 'yes',
      OIDC_ORGANIZATION: organizationId,
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLES: 'urn:admins:ADMIN, support desk:AGENT',
    });
    expect(oidc?.policy).toEqual({
      allowedDomains: ['example.com', 'example.org'],
      trustsEmail: true,
      mapping: {
        organizationId,
        claim: 'groups',
        roles: [
          { group: 'urn:admins', role: 'ADMIN' },
          { group: 'support desk', role: 'AGENT' },
        ],
      },
    });
  });

  it.each([
    [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET is not set'],
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL is not set'],
    [{ OIDC_ISSUER: 'http://id.example.com' }, 'must begin with https, except at localhost'],
    [{ OIDC_ISSUER: 'https://id.example.com/.well-known/openid-configuration' }, 'without'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'must name your tenant'],
    [{ OIDC_SCOPES: 'email' }, 'must contain openid'],
    [{ OIDC_ALLOWED_DOMAINS: '@example.com' }, 'must be domains'],
    [{ OIDC_ROLE_CLAIM: 'groups' }, 'belong together'],
    [{ OIDC_ROLES: 'admins:BOSS' }, 'one of OWNER, ADMIN, AGENT, VIEWER'],
    [{ OIDC_ORGANIZATION: 'ours' }, 'must be the id of an organization'],
    [
      { SUPABASE_URL: 'https://abcd.supabase.co', SUPABASE_SECRET_KEY: 'sb_secret_x' },
      'OIDC_ISSUER is set with SUPABASE_URL',
    ],
  ])('is refused with %o', (changed, problem) => {
    const problems = problemsOf({ ...provider, ...changed }).join('\n');
    expect(problems).toContain(problem);
    expect(problems).not.toContain(provider.OIDC_CLIENT_SECRET);
  });
});

describe('.env.example', () => {
  const examples = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=(.*)$/gm)];

  it('lists every setting exactly once', () => {
    expect(examples.map(([, name]) => name)).toEqual(settingNames);
  });

  it('shows the default values', () => {
    const shown = examples.map(([, name, value]) => [name, value] as const);
    const defaults = [
      ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_POOL_SIZE', 'DATABASE_STATEMENT_TIMEOUT_SECONDS'],
      'SEARCH_INDEX_MEMORY_MB',
      ...['ROLE', 'WORKER_PORT', 'STOP_DELAY_SECONDS', 'STOP_GRACE_SECONDS'],
      ...['LOG_LEVEL', 'ALLOW_PRIVATE_WEBHOOKS', 'ALLOW_PRIVATE_SOURCES'],
    ];
    const env = Object.fromEntries(shown.filter(([name]) => defaults.includes(name ?? '')));
    expect(Object.keys(env)).toEqual(defaults);
    expect(readConfig(env)).toEqual(readConfig({}));
  });
});

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  return errorOf(env).problems;
}

function errorOf(env: NodeJS.ProcessEnv): ConfigError {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('expected the settings to be refused');
}
