/**
 * Measures the overhead of row level security per statement. Runs the statements of the service, and then the same
 * statements as the table owner, to whom the policies do not apply. Alternates both in the same process.
 *
 *   npm run benchmark tenancy -- [--chunks 5000] [--projects 20] [--rounds 300]
 *
 * Uses the server at TEST_DATABASE_URL, or else a private one. Prints the first decile in milliseconds, because
 * other load affects it least, and the ratio of both. Then prints the same for the CPU time of the server process. This
 * CPU time includes a small statement that reads the process id.
 */
import { existsSync, readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { authenticateKey } from '../../src/domain/api-keys/authenticate-key.ts';
import { tenantOf } from '../../src/domain/caller-tenant.ts';
import { finalizeTurn } from '../../src/domain/chat/finalize-turn.ts';
import { startConversation } from '../../src/domain/chat/start-conversation.ts';
import type { Context } from '../../src/domain/context.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { hybridSearch } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { newId } from '../../src/platform/ids.ts';
import { PrismaClient } from '../../src/platform/postgres/generated/prisma/client.ts';
import type { SqlClient } from '../../src/platform/postgres/run-sql.ts';
import { systemTenant } from '../../src/platform/tenancy/tenant.ts';
import { connectDatabase } from '../../src/platform/tenancy/tenant-database.ts';
import { createLog } from '../../src/server/log.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { databaseAccessFor } from '../support/database/database-access.ts';
import { replaceChunks } from '../support/database/replace-chunks.ts';
import { startServerIfUnset } from './database-server.ts';
import { readFlags } from './flags.ts';

const flags = readFlags({ chunks: 5_000, projects: 20, rounds: 300 });
const dimensions = 384;
const questions: { query: string; queryVector: Float32Array }[] = [];
let questionCount = -1;
const words = Array.from({ length: 4_000 }, (_, n) => `w${n.toString(36)}x`);

startServerIfUnset();
const testDatabase = await createTestDatabase();
const ownerPool = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
const ownerPrisma = new PrismaClient({ adapter: new PrismaPg(ownerPool, { schema: 'grounded' }) });
const database = await connectDatabase(databaseAccessFor(testDatabase), {
  size: 10,
  log: createLog('silent'),
});
const system = database.forTenant(systemTenant);

const organizationId = newId();
const projectId = newId();
const caller = { type: 'service' } as const;
const origin = { ipAddress: null, userAgent: null, isCommandLine: true };
const context = { ...system, db: system.prisma, caller, origin } as unknown as Context;
await system.prisma.organization.create({
  data: { id: organizationId, name: 'Measured', planName: 'scale', requestsPerMinute: 10_000_000 },
});
await system.prisma.project.createMany({
  data: Array.from({ length: flags.projects }, (_, n) => ({
    id: n === 0 ? projectId : newId(),
    organizationId,
    name: `Project ${n}`,
  })),
});
const { secret, apiKey } = await createApiKey(context, {
  organizationId,
  projectId,
  name: 'Key',
  scopes: ['CHAT'],
  expiresAt: null,
});
const modelId = await loadChunks(ownerPool);
await ownerPool.query('analyze');

const own = database.forTenant(
  tenantOf({ type: 'key', keyId: apiKey.id, organizationId, projectId, scopes: [], filter: null }),
);

interface Variant {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly system: pg.Pool;
  readonly sql: SqlClient;
}
const variants: readonly Variant[] = [
  { pool: ownerPool, prisma: ownerPrisma, system: ownerPool, sql: bypassView(ownerPool) },
  { ...own, system: system.pool, sql: own.pool },
];

const project = { id: projectId, organizationId };
const work: Readonly<Record<string, (side: Variant) => Promise<unknown>>> = {
  'select 1': ({ pool }) => pool.query('select 1'),
  'key look-up': (side) => authenticateKey({ pool: side.system }, `Bearer ${secret}`),
  'project by Prisma': ({ prisma }) =>
    prisma.project.findFirst({ where: { id: projectId, organizationId } }),
  'question and answer stored': async ({ pool }) => {
    const caller = { type: 'service' } as const;
    const context = { pool, database, caller, channel: null, claimedKey: null };
    const { turn } = await startConversation(context, project, {
      message: 'What is the password?',
      endUserId: null,
      isResumable: false,
    });
    const answer = {
      status: 'COMPLETED',
      content: 'It is not known.',
      citations: [],
      confidence: 0.1,
      latencyMs: 5,
      model: 'none',
      usage: { inputTokens: 1, outputTokens: 1 },
      embeddingTokens: 1,
    } as const;
    await finalizeTurn(context, { projectId, messageId: turn.messageId }, answer as never, {
      seq: 0,
      events: [],
    });
  },
  search: ({ sql }) =>
    hybridSearch(sql, {
      projectId,
      modelId,
      ...question(),
      limit: 5,
    }),
};

console.log('                             before   after  ratio   CPU of the server, ms');
for (const [name, run] of Object.entries(work)) {
  const times: [number[], number[]] = [[], []];
  const cpu: [number, number] = [0, 0];
  for (let round = 0; round < flags.rounds + 20; round += 1) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = variants[index];
      if (side === undefined) continue;
      const cpuBefore = await serverCpu(side);
      const began = performance.now();
      await run(side);
      if (round < 20) continue;
      times[index].push(performance.now() - began);
      cpu[index] += (await serverCpu(side)) - cpuBefore;
    }
  }
  const figures = [
    ...formatPair(...times.map(firstDecile)),
    ...formatPair(...cpu.map((sum) => sum / times[0].length)),
  ];
  console.log(name.padEnd(28), ...figures);
}

await database.stop();
await ownerPrisma.$disconnect();
await ownerPool.end();
await testDatabase.drop();

/**
 * Returns a pool whose statements use the table instead of the tenant view. The pool must connect as the table owner.
 */
function bypassView(pool: pg.Pool): pg.Pool {
  return Object.assign(Object.create(pool), {
    query: ({ text, ...query }: pg.QueryConfig) =>
      pool.query({ ...query, text: text.replaceAll('searchable_chunks', 'chunks') }),
  });
}

async function loadChunks(sql: SqlClient): Promise<number> {
  const id = await ensureEmbeddingModel(sql, { name: 'measured', dimensions });
  const documentId = newId();
  const count = flags.chunks;
  await system.prisma.document.create({
    data: {
      id: documentId,
      projectId,
      name: 'Handbook.txt',
      status: 'READY',
      sourceType: 'TEXT',
      mimeType: 'text/plain',
      sizeBytes: 1,
      contentHash: '',
      chunkCount: count,
    },
  });
  await replaceChunks(sql, {
    projectId,
    documentId,
    documentName: 'Handbook.txt',
    modelId: id,
    chunks: Array.from({ length: count }, (_, position) => ({
      position,
      content: Array.from({ length: 100 }, randomWord).join(' '),
      context: '',
      page: null,
      start: 0,
      end: 1,
      startOffset: 0,
      endOffset: 1,
      tokenCount: 130,
      blocks: 'p0,1',
    })),
    vectors: Array.from({ length: count }, unitVector),
  });
  return id;
}

/** Returns a random word. As in natural text, some words are common and most are rare. */
function randomWord(): string {
  return words[Math.floor(words.length ** Math.random())] ?? 'word';
}

/** Returns a question. Both variants receive the same question. */
function question(): { query: string; queryVector: Float32Array } {
  questionCount += 1;
  const known = questions[questionCount >> 1];
  const question = known ?? {
    query: Array.from({ length: 6 }, randomWord).join(' '),
    queryVector: unitVector(),
  };
  questions[questionCount >> 1] = question;
  return question;
}

function unitVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function formatPair(before = 0, after = 0): string[] {
  return [before.toFixed(3), after.toFixed(3), (after / before).toFixed(2), '  '];
}

/**
 * Returns the CPU time in milliseconds of the server process of this variant, or 0 if that process runs on another
 * machine.
 */
async function serverCpu({ pool }: Variant): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const path = `/proc/${rows[0]?.pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : 0;
}

function firstDecile(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
}
