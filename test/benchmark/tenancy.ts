/**
 * What it costs that each statement acts for one tenant under row level security: the same statements by the tables'
 * owner, as if there were no policies, against those of the service, in turns, by the same process.
 *
 *   npm run tenancy -- [--chunks 5000] [--projects 20] [--rounds 300]
 *
 * On the server of TEST_DATABASE_URL, else on the embedded database. Prints first deciles in milliseconds, which other work on the machine disturbs least, their
 * ratio, and the same for the time that the server's process has worked, a small statement to ask for it included.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { authenticateKey } from '../../src/domain/api-keys/authenticate-key.ts';
import { closeTurn } from '../../src/domain/chat/close-turn.ts';
import { openTurn } from '../../src/domain/chat/open-turn.ts';
import type { Context } from '../../src/domain/context.ts';
import { PrismaClient } from '../../src/domain/generated/prisma/client.ts';
import { newId } from '../../src/domain/ids.ts';
import { hybridSearch } from '../../src/domain/knowledge/hybrid-search.ts';
import { findEmbeddingModel, replaceChunks } from '../../src/domain/knowledge/write-chunks.ts';
import { poolSql } from '../../src/domain/run-sql.ts';
import type { Sql } from '../../src/domain/sql.ts';
import { systemTenant, tenantOf } from '../../src/domain/tenancy/tenant.ts';
import { connectDatabase } from '../../src/domain/tenancy/tenant-database.ts';
import { createLog } from '../../src/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { accessTo } from '../support/database-access.ts';

const { values: flags } = parseArgs({
  options: {
    chunks: { type: 'string', default: '5000' },
    projects: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '300' },
  },
});
const dimensions = 384;
const questions: { query: string; queryVector: Float32Array }[] = [];
let asked = -1;
const words = Array.from({ length: 4_000 }, (_, n) => `w${n.toString(36)}x`);

const testDatabase = await createTestDatabase();
const plain = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
const plainPrisma = new PrismaClient({ adapter: new PrismaPg(plain, { schema: 'grounded' }) });
const database = await connectDatabase(accessTo(testDatabase), {
  size: 10,
  log: createLog('silent'),
});
const system = database.forTenant(systemTenant);

const organizationId = newId();
const projectId = newId();
const caller = { type: 'service' } as const;
const context = { ...system, db: system.prisma, caller } as unknown as Context;
await system.prisma.organization.create({
  data: { id: organizationId, name: 'Measured', planName: 'scale', requestsPerMinute: 10_000_000 },
});
await system.prisma.project.createMany({
  data: Array.from({ length: Number(flags.projects) }, (_, n) => ({
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
const modelId = await loadChunks(poolSql(plain));
await plain.query('analyze');

const own = database.forTenant(
  tenantOf({ type: 'key', keyId: apiKey.id, organizationId, projectId, scopes: [] }),
);

interface Side {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly system: pg.Pool;
  readonly sql: Sql;
}
const sides: readonly Side[] = [
  { pool: plain, prisma: plainPrisma, system: plain, sql: withoutView(poolSql(plain)) },
  { ...own, system: system.pool, sql: poolSql(own.pool) },
];

const project = { id: projectId, organizationId };
const work: Readonly<Record<string, (side: Side) => Promise<unknown>>> = {
  'select 1': ({ pool }) => pool.query('select 1'),
  'key look-up': (side) => authenticateKey({ pool: side.system }, `Bearer ${secret}`),
  'project by Prisma': ({ prisma }) =>
    prisma.project.findFirst({ where: { id: projectId, organizationId } }),
  'question and answer stored': async ({ pool }) => {
    const turn = await openTurn({ pool }, project, {
      message: 'What is the password?',
      conversationId: null,
      endUserId: null,
      holdingText: '',
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
    await closeTurn({ pool }, { projectId, messageId: turn.messageId }, answer as never, {
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
  for (let round = 0; round < Number(flags.rounds) + 20; round += 1) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = sides[index];
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
    ...pair(...times.map(firstDecile)),
    ...pair(...cpu.map((sum) => sum / times[0].length)),
  ];
  console.log(name.padEnd(28), ...figures);
}

await database.stop();
await plainPrisma.$disconnect();
await plain.end();
await testDatabase.drop();

/** The statement as it was before there were tenants: the owner's, on the table itself. */
function withoutView(sql: Sql): Sql {
  return {
    query: (text, values) => sql.query(text.replaceAll('searchable_chunks', 'chunks'), values),
  };
}

async function loadChunks(sql: Sql): Promise<number> {
  const id = await findEmbeddingModel(sql, { name: 'measured', dimensions });
  const documentId = newId();
  const count = Number(flags.chunks);
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
      content: Array.from({ length: 100 }, someWord).join(' '),
      context: '',
      page: null,
      start: 0,
      end: 1,
      startOffset: 0,
      endOffset: 1,
      tokenCount: 130,
    })),
    vectors: Array.from({ length: count }, unitVector),
  });
  return id;
}

/** Common and rare ones, as in a text. */
function someWord(): string {
  return words[Math.floor(words.length ** Math.random())] ?? 'word';
}

/** Both sides are asked the same. */
function question(): { query: string; queryVector: Float32Array } {
  asked += 1;
  const known = questions[asked >> 1];
  const question = known ?? {
    query: Array.from({ length: 6 }, someWord).join(' '),
    queryVector: unitVector(),
  };
  questions[asked >> 1] = question;
  return question;
}

function unitVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function pair(before = 0, after = 0): string[] {
  return [before.toFixed(3), after.toFixed(3), (after / before).toFixed(2), '  '];
}

/** Milliseconds that the side's server process has worked, whatever else the machine does; 0 where none is to be seen. */
async function serverCpu({ pool }: Side): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const path = `/proc/${rows[0]?.pid}/schedstat`;
  const isOwn = process.env.TEST_DATABASE_URL !== undefined && existsSync(path);
  return isOwn ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : 0;
}

function firstDecile(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
}
