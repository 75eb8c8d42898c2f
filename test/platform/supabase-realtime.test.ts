import { readFile } from 'node:fs/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appendInboxEvent } from '../../src/domain/handoff/append-inbox-event.ts';
import { encodeInboxCursor } from '../../src/domain/handoff/inbox-cursor.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { roleHasPermission } from '../../src/domain/permissions.ts';
import { newId } from '../../src/platform/ids.ts';
import { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { migrate } from '../../supabase/migrate.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  type SupabaseProjectWithRealtime,
  startSupabaseProjectWithRealtime,
} from '../support/servers/supabase-project.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let database: TestDatabase;
let project: SupabaseProjectWithRealtime;
let service: TestService;
let admin: pg.Client;
let tenant: Tenant;
const clients: SupabaseClient[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  project = await startSupabaseProjectWithRealtime(database.url);
  service = await startTestService({ isWorker: false, database, supabase: project });
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  tenant = await service.createTenant();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));
});
afterAll(async () => {
  await admin?.end();
  await service?.stop();
  await project?.close();
  await database?.drop();
});

interface BroadcastMessage {
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

/**
 * Subscribes with supabase-js, with or without a user's token. Returns the received messages, or the reason why the
 * server rejected the subscription.
 */
async function subscribeToTopic(topic: string, claims: Record<string, unknown> | null) {
  const token = claims && (await tokenOf(claims));
  const client = createClient(project.url, 'sb_publishable_tests', {
    accessToken: async () => token,
  });
  clients.push(client);
  await client.realtime.setAuth();
  const channel = client.channel(topic, { config: { private: true } });
  const heard: BroadcastMessage[] = [];
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push({ event, payload }));
  const answer = await new Promise<string>((resolve) => {
    channel.subscribe((status, error) => resolve(error?.message ?? status));
  });
  return { answer, heard, channel };
}

function tokenOf(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT({ role: 'authenticated', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1h')
    .sign(project.jwtSecret);
}

async function addMember({ organizationId }: Tenant, role: Role = 'AGENT'): Promise<string> {
  const userId = newId();
  const email = `${userId}@example.com`;
  await service.system.db.member.create({
    data: { id: newId(), organizationId, email, userId, role },
  });
  return userId;
}

async function newHandoff(): Promise<string> {
  const { projectId } = tenant;
  const conversationId = await addConversation(service, projectId);
  const { id } = await requestHandoff(service.system, {
    projectId,
    conversationId,
    name: 'Grace',
    email: 'grace@example.com',
    reason: 'My key does not open the door',
  });
  return id;
}

const inbox = ({ projectId }: Tenant) => `grounded:${projectId}:inbox`;

describe('the inbox broadcast of a project', () => {
  test.each(Object.values(Role))('can be subscribed to by a member who is %s', async (role) => {
    expect(roleHasPermission(role, 'conversations:read')).toBe(true);
    const { answer, heard } = await subscribeToTopic(inbox(tenant), {
      sub: await addMember(tenant, role),
    });
    expect(answer).toBe('SUBSCRIBED');
    const handoffId = await newHandoff();
    await waitUntil(() => heard.length > 0);
    const [event] = await service.system.db.inboxEvent.findMany({ where: { handoffId } });
    expect(heard).toEqual([
      {
        event: 'handoff',
        // The payload contains only ids, and no personal data.
        payload: {
          id: expect.any(String),
          cursor: encodeInboxCursor(event?.position ?? 0n),
          type: 'REQUESTED',
          handoffId,
          messageId: null,
        },
      },
    ]);
  });

  test.each([9n, 63n, 1_000_000n, 999_999_999_999n])(
    'names position %s as GraphQL does',
    async (position) => {
      const { projectId } = await service.createTenant();
      const handoffId = newId();
      const conversationId = await addConversation(service, projectId);
      await admin.query(
        'insert into grounded.handoffs (id, project_id, conversation_id) values ($1, $2, $3)',
        [handoffId, projectId, conversationId],
      );
      await admin.query(
        `insert into grounded.inbox_events (project_id, position, type, handoff_id)
       values ($1, $2, 'CLAIMED', $3)`,
        [projectId, String(position), handoffId],
      );
      const { rows } = await admin.query(
        `select payload ->> 'cursor' as cursor from realtime.messages where topic = $1`,
        [`grounded:${projectId}:inbox`],
      );
      expect(rows).toEqual([{ cursor: encodeInboxCursor(position) }]);
    },
  );

  test('is not sent for a rolled-back transaction', async () => {
    const { heard } = await subscribeToTopic(inbox(tenant), { sub: await addMember(tenant) });
    const first = await newHandoff();
    const { projectId } = tenant;
    const undone = service.adapters.prisma.$transaction(async (db) => {
      await appendInboxEvent(db, { projectId, type: 'CLAIMED', handoffId: first });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const second = await newHandoff();
    await waitUntil(() => heard.some(({ payload }) => payload.handoffId === second));
    expect(heard.map(({ payload }) => payload.handoffId)).toEqual([first, second]);
  });

  test('works as the documentation shows, and the same token reads GraphQL', async () => {
    const sub = await addMember(tenant);
    const iss = `${project.url}/auth/v1`;
    const token = await tokenOf({ sub, iss, aud: 'authenticated' });
    const client = createClient(project.url, 'sb_publishable_tests', {
      accessToken: async () => token,
    });
    clients.push(client);
    const operator = graphqlClient(service.url, token);
    const query = `query ($id: ID!) {
      handoffs(projectId: $id, first: 1) { edges { node { id reason } } } }`;
    const seen: object[] = [];
    const refresh = () => void read();
    const read = async () => {
      const { handoffs } = await operator.data<Handoffs>(query, { id: tenant.projectId });
      seen.push(...handoffs.edges.map(({ node }) => node));
    };
    const followInbox = await documentedExample();
    await followInbox(client, tenant.projectId, refresh);
    await waitUntil(() => seen.length > 0);
    const id = await newHandoff();
    await waitUntil(() => seen.length > 1);
    expect(seen.at(-1)).toEqual({ id, reason: 'My key does not open the door' });
  });

  test('is closed to everybody else', async () => {
    const member = await addMember(tenant);
    const stranger = await addMember(await service.createTenant(), 'OWNER');
    const refused = expect.stringContaining('Unauthorized');
    const attempts: [string, Record<string, unknown> | null][] = [
      [inbox(tenant), null],
      [inbox(tenant), { sub: stranger }],
      [inbox(tenant), { sub: newId() }],
      [inbox(tenant), {}],
      [inbox(tenant), { sub: `${member}0` }],
      [inbox(tenant), { sub: member, role: 'anon' }],
      [`grounded:${newId()}:inbox`, { sub: member }],
      [`grounded:${tenant.projectId}`, { sub: member }],
      [`grounded:${tenant.projectId}:inbox:more`, { sub: member }],
      [`grounded:${tenant.projectId.toUpperCase()}:inbox`, { sub: member }],
      ["grounded:' or true--:inbox", { sub: member }],
      ['grounded:hints', { sub: member }],
    ];
    for (const [topic, claims] of attempts) {
      const { answer } = await subscribeToTopic(topic, claims);
      expect({ topic, claims, answer }).toEqual({ topic, claims, answer: refused });
    }
    expect((await subscribeToTopic(inbox(tenant), { sub: member })).answer).toBe('SUBSCRIBED');
  });

  test('is closed to a removed member, with the next token', async () => {
    const sub = await addMember(tenant);
    const { answer, channel } = await subscribeToTopic(inbox(tenant), { sub });
    expect(answer).toBe('SUBSCRIBED');
    await service.system.db.member.deleteMany({ where: { userId: sub } });
    const { answer: again } = await subscribeToTopic(inbox(tenant), { sub });
    expect(again).toContain('Unauthorized');
    const closed = new Promise((resolve) => channel.on('system', {}, resolve));
    await clients[0]?.realtime.setAuth(await tokenOf({ sub, iat: 1 }));
    expect(await closed).toMatchObject({ status: 'error' });
  });

  test('cannot be written to by members in any way', async () => {
    const sub = await addMember(tenant);
    const { channel } = await subscribeToTopic(inbox(tenant), { sub });
    const { heard } = await subscribeToTopic(inbox(tenant), { sub: await addMember(tenant) });
    await channel.send({ type: 'broadcast', event: 'handoff', payload: { type: 'REQUESTED' } });
    const handoffId = await newHandoff();
    await waitUntil(() => heard.length > 0);
    expect(heard.map(({ payload }) => payload.handoffId)).toEqual([handoffId]);
    await expect(insertAs('authenticated', sub, inbox(tenant))).rejects.toThrow(
      'row-level security',
    );
  });

  test('stays closed if another application opens all topics', async () => {
    await admin.query(`
      create policy read_all on realtime.messages for select to authenticated, anon using (true);
      create policy send_all on realtime.messages for insert to authenticated, anon with check (true)`);
    try {
      const sub = newId();
      expect((await subscribeToTopic('chat:lobby', { sub })).answer).toBe('SUBSCRIBED');
      expect(await insertAs('authenticated', sub, 'chat:lobby')).toBe(1);
      for (const topic of [inbox(tenant), 'grounded:hints']) {
        expect((await subscribeToTopic(topic, { sub })).answer).toContain('Unauthorized');
        expect((await subscribeToTopic(topic, null)).answer).toContain('Unauthorized');
        await expect(insertAs('authenticated', sub, topic)).rejects.toThrow('row-level security');
        await expect(insertAs('anon', sub, topic)).rejects.toThrow('row-level security');
      }
    } finally {
      await admin.query(`
        drop policy read_all on realtime.messages; drop policy send_all on realtime.messages`);
    }
  });
});

interface Handoffs {
  readonly handoffs: { readonly edges: readonly { readonly node: object }[] };
}

type FollowInbox = (
  client: SupabaseClient,
  projectId: string,
  refresh: () => void,
) => Promise<void>;

/** Returns the example function from the documentation without any change. */
async function documentedExample(): Promise<FollowInbox> {
  const text = await readFile('docs/guides/supabase.md', 'utf8');
  const code = /```js\n(.*?)```/s.exec(text)?.[1] ?? '';
  const { followInbox } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return followInbox;
}

/** Returns the number of rows that a database user with this role can insert. */
async function insertAs(role: string, sub: string, topic: string): Promise<number | null> {
  await admin.query('begin');
  try {
    await admin.query(
      `select set_config('role', $1, true), set_config('realtime.topic', $2, true),
         set_config('request.jwt.claims', $3, true)`,
      [role, topic, JSON.stringify({ role, sub })],
    );
    const { rowCount } = await admin.query(
      `insert into realtime.messages (topic, extension, event, private, payload)
       values ($1, 'broadcast', 'handoff', true, '{}')`,
      [topic],
    );
    return rowCount;
  } finally {
    await admin.query('rollback');
  }
}

test('Realtime installed into the database later is used from then on, and closed until the next migration', async () => {
  const later = await createTestDatabase();
  const client = new pg.Client({ connectionString: later.url });
  await client.connect();
  try {
    const isOpen = async () =>
      (await client.query('select grounded.open_inbox_topics() as is')).rows[0]?.is;
    expect(await isOpen()).toBe(false);
    const arrived = await startSupabaseProjectWithRealtime(later.url);
    await arrived.close();
    expect(await isOpen()).toBe(true);
    const policies = 'select count(*)::int from pg_policies where tablename = $1';
    const before = await client.query(policies, ['messages']);
    await client.query(`
      drop policy grounded_members_follow on realtime.messages;
      drop policy grounded_members_alone_follow on realtime.messages;
      drop policy grounded_nobody_sends on realtime.messages`);
    await Promise.all([migrate(later.url), migrate(later.url), migrate(later.url)]);
    expect((await client.query(policies, ['messages'])).rows).toEqual(before.rows);
  } finally {
    await client.end();
    await later.drop();
  }
});
