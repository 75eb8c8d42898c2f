import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKeyCaller } from '../../src/domain/caller.ts';
import { tenantOf } from '../../src/domain/caller-tenant.ts';
import { createContext } from '../../src/domain/context.ts';
import { hybridSearch } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { newId } from '../../src/platform/ids.ts';
import { openPool } from '../../src/platform/postgres/database-pool.ts';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { noTenant, systemTenant, type Tenant } from '../../src/platform/tenancy/tenant.ts';
import { TenantClient } from '../../src/platform/tenancy/tenant-client.ts';
import { connectDatabase } from '../../src/platform/tenancy/tenant-database.ts';
import { bindPoolToTenant } from '../../src/platform/tenancy/tenant-pool.ts';
import { createLog } from '../../src/server/log.ts';
import { makeCanaryProject } from '../support/canary-project.ts';
import { databaseAccessFor } from '../support/database/database-access.ts';
import { seedTables } from '../support/database/seed-tables.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Tables that all tenants share and can only read. */
const shared = ['plans', 'embedding_models'];
/** Tables that the service reads before it knows the caller. */
const systemOnly = [
  'caller_windows',
  'operator_emails',
  'operator_identities',
  'operator_sessions',
  'replica_beats',
  'request_windows',
  'sign_in_links',
];

let service: TestService;
let owner: pg.Pool;
let ours: Tenant;
let theirs: Tenant;
let tables: readonly string[];

beforeAll(async () => {
  service = await sharedService();
  owner = service.ownerPool;
  ours = (await seedTables(service)).organizationId as Tenant;
  theirs = (await service.createTenant()).organizationId as Tenant;
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname`,
  );
  tables = rows.map(({ name }) => name);
});

test('every table has row-level security, and every table except partitions a policy', async () => {
  const { rows } = await owner.query(
    `select relname from pg_class c
     where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p') and not (relrowsecurity and (
       relispartition or exists (select from pg_policy where polrelid = c.oid)))`,
  );
  expect(rows).toEqual([]);
});

test('the organization has a row in every table, so that each policy is tested', async () => {
  for (const table of tables.filter((name) => !systemOnly.includes(name)))
    expect(await count(ours, table), table).toBeGreaterThan(0);
});

test('a key of a project sees no row of another project of its organization', async () => {
  const sibling = await makeCanaryProject(service, ours);
  const mine = tenantOf(keyOf(ours, sibling.projectId));
  const rows = (tenant: Tenant, table: string) =>
    rowsOf(tenant, `select to_jsonb(t) as row from grounded.${table} t`);
  let foreign = 0;
  for (const { name, column } of await projectColumns()) {
    const all = await rows(ours, name);
    const projects = (await rows(mine, name)).map(({ row }) => Reflect.get(row as object, column));
    foreign += all.filter(({ row }) => {
      const id = Reflect.get(row as object, column);
      return id !== null && id !== sibling.projectId;
    }).length;
    if (name !== 'api_keys')
      expect(new Set([...projects, sibling.projectId]), name).toEqual(new Set([sibling.projectId]));
  }
  expect(foreign).toBeGreaterThan(20);
  expect(await count(mine, 'projects')).toBe(1);
  expect(await count(mine, 'searchable_chunks')).toBe(1);
  const rename = 'update grounded.projects set name = name where id <> $1';
  expect(await countAffectedRows(mine, rename, [sibling.projectId])).toBe(0);
  await owner.query('delete from grounded.projects where id = $1', [sibling.projectId]);
});

test('a key of a project and a visitor act for that project, an org-wide key for all', () => {
  const [organizationId, projectId] = [newId(), newId()];
  const tenant = `project:${projectId}:${organizationId}`;
  expect(tenantOf(keyOf(organizationId, projectId))).toBe(tenant);
  expect(tenantOf({ type: 'visitor', organizationId, projectId } as never)).toBe(tenant);
  expect(tenantOf(keyOf(organizationId, null))).toBe(organizationId);
});

describe.each([
  ['nobody', () => noTenant],
  ['a project of another organization', () => `project:${newId()}:${theirs}` as Tenant],
  ['another organization', () => theirs],
  ['an operator without a membership', () => operator(newId(), 'stranger@example.com')],
  ['an organization that does not exist', () => newId() as Tenant],
])('as %s', (_, tenant) => {
  test('no row is visible', async () => {
    for (const table of tables.filter((name) => !shared.includes(name))) {
      const visible = await rowsOf(tenant(), `select t::text as row from grounded.${table} t`);
      const foreign = await rowsOf(ours, `select t::text as row from grounded.${table} t`);
      const known = new Set(foreign.map(({ row }) => row));
      expect(
        visible.filter(({ row }) => known.has(row)),
        table,
      ).toEqual([]);
    }
    expect(await rowsOf(tenant(), 'select id from grounded.searchable_chunks')).toEqual([]);
  });

  test('no row can be changed, deleted or inserted', async () => {
    for (const table of tables) {
      const column = await firstColumn(table);
      const isOurs = `t::text in (select unnest($1::text[]))`;
      const { rows } = await owner.query<{ row: object; text: string }>(
        `select to_jsonb(t) as row, t::text as text from grounded.${table} t`,
      );
      const texts = (await rowsOf(ours, `select t::text as row from grounded.${table} t`)).map(
        ({ row }) => row,
      );
      for (const statement of [
        `update grounded.${table} t set ${column} = ${column} where ${isOurs}`,
        `delete from grounded.${table} t where ${isOurs}`,
      ]) {
        expect(await countAffectedRows(tenant(), statement, [texts]), statement).toBe(0);
      }
      const row = rows.find(({ text }) => texts.includes(text));
      const columns = (await insertableColumns(table)).join(', ');
      const insert = `insert into grounded.${table} (${columns}) overriding system value
        select ${columns} from jsonb_populate_record(null::grounded.${table}, $1::jsonb)`;
      await expect(
        countAffectedRows(tenant(), insert, [JSON.stringify(row?.row)]),
        insert,
      ).rejects.toMatchObject({ code: '42501' });
    }
  });
});

test('a row cannot be moved to another organization', async () => {
  const giving = `update grounded.projects set organization_id = $1`;
  await expect(countAffectedRows(ours, giving, [theirs])).rejects.toMatchObject({ code: '42501' });
});

test('a statement without a tenant sees nothing, and the tenant of an earlier statement is not reused', async () => {
  const pool = openPool(databaseAccessFor(service.database), {
    name: 'test',
    size: 1,
    Client: TenantClient,
  });
  const bound = bindPoolToTenant(pool, () => ours);
  const projects = 'select id from grounded.projects';
  const settings = `select current_setting('grounded.tenant', true) as tenant, current_user as role`;
  try {
    expect((await bound.query(projects)).rows).toHaveLength(1);
    expect((await pool.query(projects)).rows).toEqual([]);
    expect((await pool.query({ name: 'projects', text: projects })).rows).toEqual([]);
    await expect(bound.query('select 1 / $1::int', [0])).rejects.toThrow('division by zero');
    expect((await pool.query(projects)).rows).toEqual([]);

    const client = await bound.connect();
    await client.query('begin');
    expect((await client.query(projects)).rows).toHaveLength(1);
    expect((await client.query(settings)).rows).toEqual([
      { tenant: ours, role: 'grounded_service' },
    ]);
    await client.query('rollback');
    client.release();
    expect((await pool.query(projects)).rows).toEqual([]);
    expect((await pool.query(settings)).rows).toEqual([{ tenant: '', role: 'grounded_service' }]);
  } finally {
    await pool.end();
  }
});

test('statements with and without names and values return the same results as without tenancy', async () => {
  const { pool } = service.adapters.database.forTenant(ours);
  for (let n = 0; n < 3; n += 1) {
    const named = { name: 'twice', text: 'select $1::int * 2 as n', values: [n] };
    expect((await pool.query(named)).rows).toEqual([{ n: n * 2 }]);
    expect((await pool.query({ text: 'select 1 as n', rowMode: 'array' })).rows).toEqual([[1]]);
    expect((await pool.query('select')).rowCount).toBe(1);
    await expect(pool.query({ name: 'wrong', text: 'select nonsense' })).rejects.toThrow(
      'column "nonsense" does not exist',
    );
    const update = await pool.query('update grounded.projects set name = name');
    expect(update).toMatchObject({ command: 'UPDATE', rowCount: 1, rows: [] });
  }
});

test('a statement with its tenant is one round trip', async () => {
  const pool = openPool(databaseAccessFor(service.database), {
    name: 'test',
    size: 1,
    Client: TenantClient,
  });
  try {
    const client = await pool.connect();
    let answers = 0;
    const { connection } = client as unknown as pg.Client;
    connection.on('readyForQuery', () => {
      answers += 1;
    });
    client.release();
    await bindPoolToTenant(pool, () => ours).query('select id from grounded.projects');
    expect(answers).toBe(1);
  } finally {
    await pool.end();
  }
});

test('a statement that keeps its plan is planned once, and changes nothing for later statements', async () => {
  const pool = openPool(databaseAccessFor(service.database), {
    name: 'test',
    size: 1,
    Client: TenantClient,
  });
  const bound = bindPoolToTenant(pool, () => ours);
  const { rows: own } = await bound.query('select id from grounded.projects');
  const ids = own.map(({ id }) => id);
  const mode = `select current_setting('plan_cache_mode') as mode`;
  const textOf = (name: string) =>
    `/* ${name} */ select id, current_setting('grounded.tenant') as tenant, current_user as role
     from grounded.projects where id = any ($1::uuid[]) and 1 / $2::int = 1`;
  try {
    for (const [name, keepsPlan] of Object.entries({ kept: true, planned: false })) {
      const run = (client: pg.Pool) =>
        runSql(client, { name, keepsPlan, text: textOf(name) }, [ids, 1]);
      expect(await run(bound)).toEqual([{ id: ids[0], tenant: ours, role: 'grounded_service' }]);
      expect(await run(bindPoolToTenant(pool, () => theirs))).toEqual([]);
      expect(await run(pool)).toEqual([]);
      expect((await pool.query(mode)).rows).toEqual([{ mode: 'auto' }]);
    }
    const { rows: plans } = await pool.query(
      `select substring(statement from '^/. ([a-z]+)') as name, generic_plans > 0 as "isKept"
       from pg_prepared_statements where statement like '/_ %' order by 1`,
    );
    const { url, directUrl = url } = service.database;
    const kept = [
      { name: 'kept', isKept: true },
      { name: 'planned', isKept: false },
    ];
    expect(plans).toEqual(url === directUrl ? kept : []);

    const client = await bound.connect();
    const failing = { name: 'kept', keepsPlan: true, text: textOf('kept') };
    await expect(runSql(client, failing, [ids, 0])).rejects.toThrow('division by zero');
    client.release();
    expect((await pool.query(mode)).rows).toEqual([{ mode: 'auto' }]);
    expect(await runSql(pool, failing, [ids, 1])).toEqual([]);
  } finally {
    await pool.end();
  }
});

test('many concurrent tenants see only their own rows, however Prisma batches their queries', async () => {
  const tenants = await Promise.all(Array.from({ length: 6 }, () => service.createTenant()));
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const own = tenants[n % 6];
      const other = tenants[(n + 1) % 6];
      if (own === undefined || other === undefined) throw new Error('no tenant');
      const { prisma } = service.adapters.database.forTenant(own.organizationId as Tenant);
      // Both queries start in one tick, because Prisma may batch similar queries of one tick.
      const find = (id: string) => prisma.project.findUnique({ where: { id } });
      const found = await Promise.all([find(own.projectId), find(other.projectId)]);
      expect(found.map((project) => project?.id)).toEqual([own.projectId, undefined]);
      expect(await prisma.organization.findMany({ include: { projects: true } })).toMatchObject([
        { id: own.organizationId, projects: [{ id: own.projectId }] },
      ]);
      await prisma.$transaction(async (db) => {
        expect(await db.project.findUnique({ where: { id: other.projectId } })).toBeNull();
        expect(await db.project.count()).toBe(1);
        expect(await db.$queryRaw`select id from grounded.projects`).toHaveLength(1);
      });
    }),
  );
});

test('an operator sees the organizations of the members table, and those of invitations', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => service.createTenant()));
  const [owned, viewed, invited, foreign] = tenants.map(({ organizationId }) => organizationId);
  const userId = newId();
  const member = (organizationId = '', role: 'OWNER' | 'VIEWER', by: object) =>
    service.system.db.member.create({
      data: { id: newId(), organizationId, role, email: `${newId()}@example.com`, ...by },
    });
  await member(owned, 'OWNER', { userId });
  await member(viewed, 'VIEWER', { userId });
  await member(invited, 'VIEWER', { email: 'new@example.com' });
  await member(foreign, 'OWNER', { userId: newId() });

  const seen = async (tenant: Tenant) =>
    (await rowsOf(tenant, 'select id from grounded.organizations')).map(({ id }) => id).sort();
  expect(await seen(operator(userId, null))).toEqual([owned, viewed].sort());
  expect(await seen(operator(userId, 'New@Example.com'))).toEqual([owned, viewed, invited].sort());
  expect(await seen(operator(newId(), `it's "odd"\\`))).toEqual([]);
});

test('an operator does not see the organization of an expired invitation', async () => {
  const { organizationId } = await service.createTenant();
  const email = `${newId()}@example.com`;
  const invite = (expiresAt: Date) =>
    service.system.db.member.upsert({
      where: { organizationId_email: { organizationId, email } },
      create: {
        id: newId(),
        organizationId,
        email,
        role: 'VIEWER',
        invitationExpiresAt: expiresAt,
      },
      update: { invitationExpiresAt: expiresAt },
    });
  const seen = () => rowsOf(operator(newId(), email), 'select id from grounded.organizations');
  await invite(new Date(Date.now() + 60_000));
  expect(await seen()).toEqual([{ id: organizationId }]);
  await invite(new Date(Date.now() - 60_000));
  expect(await seen()).toEqual([]);
});

test('a limited session sees its organizations only, whatever memberships the operator has', async () => {
  const tenants = await Promise.all([1, 2, 3].map(() => service.createTenant()));
  const ids = tenants.map(({ organizationId }) => organizationId);
  const userId = newId();
  for (const organizationId of ids) {
    await service.system.db.member.create({
      data: { id: newId(), organizationId, role: 'OWNER', email: `${newId()}@example.com`, userId },
    });
  }
  const organizationIds = ids.slice(0, 2);
  const limited = tenantOf({ type: 'operator', userId, email: null, organizationIds });
  const seen = await rowsOf(limited, 'select organization_id as id from grounded.projects');
  expect(seen.map(({ id }) => id).sort()).toEqual(organizationIds.sort());
});

test('full-text search uses its index, which a policy on the table would prevent', async () => {
  const { pool } = service.adapters.database.forTenant(ours);
  const planOf = async (relation: string) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('set local enable_seqscan = off');
      const { rows } = await client.query(
        `explain (format json) select id from grounded.${relation} where terms @@ 'lighthouse'`,
      );
      await client.query('rollback');
      return JSON.stringify(rows);
    } finally {
      client.release();
    }
  };
  expect(await planOf('searchable_chunks')).toMatch(/"Index Cond":"\(terms @@/);
  expect(await planOf('chunks')).not.toMatch(/"Index Cond":"\(terms @@/);
});

test('a statement for which parallel workers would pay runs for each tenant', async () => {
  const { pool: systemPool } = service.adapters.database.forTenant(systemTenant);
  for (const pool of [service.adapters.database.forTenant(ours).pool, systemPool]) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config(name, '0', true) from unnest(array['parallel_setup_cost',
        'parallel_tuple_cost', 'min_parallel_table_scan_size', 'min_parallel_index_scan_size']) as name`);
      const { rows } = await client.query('select count(*)::integer from grounded.messages');
      expect(rows[0]?.count).toBeGreaterThan(0);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
});

test('a search finds only the chunks of its tenant', async () => {
  const [project] = await rowsOf(ours, 'select id from grounded.projects');
  const input = {
    projectId: String(project?.id),
    modelId: null,
    queryVector: null,
    query: 'password of the lighthouse',
    limit: 3,
  };
  const search = async (tenant: Tenant) => {
    const { pool } = service.adapters.database.forTenant(tenant);
    return (await hybridSearch(pool, input)).hits;
  };
  expect(await search(ours)).toHaveLength(1);
  expect(await search(systemTenant)).toHaveLength(1);
  expect(await search(theirs)).toEqual([]);
  expect(await search(noTenant)).toEqual([]);
});

describe('a database login', () => {
  const log = createLog('silent');
  const cleanUps: (() => Promise<unknown>)[] = [];
  const logIn = async (role: string, grants: string): Promise<string> => {
    await owner.query(`create role ${role} login ${grants}`);
    cleanUps.push(() => owner.query(`drop role ${role}`));
    // The test connects directly, because a connection pooler does not know new database roles.
    const url = new URL(service.database.directUrl ?? service.database.url);
    url.username = role;
    return url.href;
  };
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const loggedIn = (databaseUrl: string) =>
    databaseAccessFor({ url: databaseUrl }, { migrationDatabaseUrl: service.database.url });

  test('that is a member of the service role works', async () => {
    const url = await logIn(`serves_${newId().slice(-12)}`, 'in role grounded_service');
    const database = await connectDatabase(loggedIn(url), { size: 2, log });
    const { prisma, pool } = database.forTenant(ours);
    expect(await prisma.project.count()).toBe(1);
    expect((await pool.query('select from grounded.documents')).rowCount).toBeGreaterThan(0);
    await expect(pool.query('create table grounded.mine (n int)')).rejects.toThrow('permission');
    await database.stop();
  });

  test('that may not use the service role fails, and the message says what to do', async () => {
    const url = await logIn(`stranger_${newId().slice(-12)}`, '');
    await expect(connectDatabase(loggedIn(url), { size: 2, log })).rejects.toThrow(
      'grant grounded_service to',
    );
  });
});

test('a request acts as its caller', () => {
  const origin = { signal: new AbortController().signal, requestId: null };
  const { pool, prisma } = createContext(service.adapters, keyOf(ours, null), origin);
  expect(pool).not.toBe(service.adapters.pool);
  expect(prisma).not.toBe(service.adapters.prisma);
  expect(tenantOf({ type: 'anonymous' })).toBe(noTenant);
});

function keyOf(organizationId: string, projectId: string | null): ApiKeyCaller {
  return { type: 'key', keyId: newId(), organizationId, projectId, scopes: [], filter: null };
}

/** Tables whose rows name a project, with the column that names it. */
async function projectColumns(): Promise<{ name: string; column: string }[]> {
  const { rows } = await owner.query<{ name: string; column: string }>(
    `select c.relname as name, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'grounded'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = case when c.relname = 'projects' then 'id' else 'project_id' end`,
  );
  return rows;
}

function operator(userId: string, email: string | null): Tenant {
  return tenantOf({ type: 'operator', userId, email });
}

async function rowsOf(tenant: Tenant, text: string): Promise<Record<string, unknown>[]> {
  return runSql(service.adapters.database.forTenant(tenant).pool, text);
}

/** Runs a statement and rolls it back. Returns how many rows it changed before the rollback. */
async function countAffectedRows(
  tenant: Tenant,
  text: string,
  values: unknown[],
): Promise<number | null> {
  const { pool } = service.adapters.database.forTenant(tenant);
  const client = await pool.connect();
  try {
    await client.query('begin');
    return (await client.query(text, values)).rowCount;
  } catch (error) {
    // No tenant may write to shared tables.
    if (/^(update|delete)/.test(text) && /permission denied/.test(String(error))) return 0;
    throw error;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function count(tenant: Tenant, table: string): Promise<number> {
  return (await rowsOf(tenant, `select from grounded.${table}`)).length;
}

/** Returns the columns of a table, except those that Postgres computes. */
async function insertableColumns(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = ('grounded.' || $1)::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function firstColumn(table: string): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = ('grounded.' || $1)::regclass and attnum > 0 and attidentity = '' order by attnum limit 1`,
    [table],
  );
  return rows[0]?.name ?? '';
}
