import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { restClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

interface Event {
  readonly type: string;
  readonly actor: string;
  readonly previousAgent: string | null;
  readonly agent: string | null;
  readonly createdAt: string;
}

const query = `query ($id: ID!) {
  conversationEvents(conversationId: $id) { id type actor previousAgent agent createdAt }
}`;
const ana = 'ana@example.com';
const ben = 'ben@example.com';

let service: TestService;
let tenant: Tenant;
let conversationId: string;
let handoffId: string;
const operators = new Map<string, GraphqlClient>();

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  await addOperator(ana, 'AGENT');
  await addOperator(ben, 'AGENT');
  await addOperator('viewer@example.com', 'VIEWER');
});

beforeEach(async () => {
  conversationId = newId();
  await service.system.db.conversation.create({
    data: {
      id: conversationId,
      projectId: tenant.projectId,
      title: 'Refunds',
      endUserId: `guest ${conversationId}`,
    },
  });
  await request();
});

async function addOperator(email: string, role: Role): Promise<void> {
  operators.set(email, await tenant.member(role, email));
}

function as(email: string): GraphqlClient {
  const client = operators.get(email);
  if (client === undefined) throw new Error(`${email} is no operator`);
  return client;
}

async function request(): Promise<void> {
  const { projectId } = tenant;
  ({ id: handoffId } = await requestHandoff(service.system, { projectId, conversationId }));
}

const change = (email: string, mutation: string, input: Record<string, string> = {}) =>
  as(email).data(
    `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) {
      ${mutation}(input: $input) { id }
    }`,
    { input: mutation === 'takeOverConversation' ? { conversationId } : { handoffId, ...input } },
  );

async function events(): Promise<readonly Event[]> {
  const read = await as(ana).data<{ conversationEvents: Event[] }>(query, { id: conversationId });
  return read.conversationEvents;
}

const summaryOf = ({ type, actor, previousAgent, agent }: Event) => [
  ...[type, actor, previousAgent, agent],
];

describe('the events of a conversation', () => {
  test('are its changes of the owner, oldest first, over all its handoffs', async () => {
    await change(ana, 'transferHandoff', { to: ben, note: 'Please take this' });
    await change(ben, 'transferHandoff', { to: ana });
    await change(ben, 'takeOverConversation');
    await change(ben, 'releaseHandoff');
    await change(ana, 'claimHandoff');
    await change(ben, 'transferHandoff', { to: ben });
    await change(ana, 'resolveHandoff');
    await change(ben, 'takeOverConversation');
    await service.system.db.handoff
      .findFirstOrThrow({
        where: { conversationId, status: 'CLAIMED' },
      })
      .then(({ id }) => {
        handoffId = id;
      });
    await change(ben, 'returnToAssistant');
    expect((await events()).map(summaryOf)).toEqual([
      ['ASSIGNED', ana, null, ben],
      ['TRANSFERRED', ben, ben, ana],
      ['TAKEN_OVER', ben, ana, ben],
      ['RELEASED', ben, ben, null],
      ['CLAIMED', ana, null, ana],
      ['TAKEN_OVER', ben, ana, ben],
      ['RESOLVED', ana, ben, null],
      ['TAKEN_OVER', ben, null, ben],
      ['RETURNED', ben, ben, null],
    ]);
  });

  test('contain no change that was repeated or failed', async () => {
    await change(ana, 'claimHandoff');
    await change(ana, 'claimHandoff');
    await change(ana, 'takeOverConversation');
    await change(ben, 'transferHandoff', { to: ana });
    await expect(change(ben, 'releaseHandoff')).rejects.toThrow();
    await service.system.db.conversationNote.createMany({
      data: Array.from({ length: 200 }, () => ({
        ...{ id: newId(), projectId: tenant.projectId, conversationId },
        ...{ author: ana, content: 'Note' },
      })),
    });
    await expect(change(ana, 'transferHandoff', { to: ben, note: 'Full' })).rejects.toThrow();
    expect((await events()).map(({ type }) => type)).toEqual(['CLAIMED']);
    await change(ana, 'resolveHandoff');
    await change(ana, 'resolveHandoff');
    expect((await events()).map(({ type }) => type)).toEqual(['CLAIMED', 'RESOLVED']);
  });

  test('come before the note of the same change', async () => {
    await change(ana, 'transferHandoff', { to: ben, note: 'Please take this' });
    const [event] = await events();
    const note = await service.system.db.conversationNote.findFirstOrThrow({
      where: { conversationId },
    });
    expect(Date.parse(event?.createdAt ?? '')).toBeLessThanOrEqual(note.createdAt.getTime());
  });

  test('of the last hour are listed to the agent who received the conversation and still owns it', async () => {
    const { organizationId } = tenant;
    const sibling = await createProject(service.system, { organizationId, name: 'Sibling' });
    const elsewhere = { projectId: sibling.id, conversationId: newId() };
    await service.system.db.conversation.create({
      data: { id: elsewhere.conversationId, projectId: sibling.id, title: 'Parcels' },
    });
    const { id } = await requestHandoff(service.system, elsewhere);
    await change(ana, 'transferHandoff', { handoffId: id, to: ben });
    await change(ana, 'claimHandoff');
    await change(ana, 'transferHandoff', { to: ben });
    const received = async (email: string) => {
      const { recentAssignments } = await as(email).data<{
        recentAssignments: { readonly conversationId: string }[];
      }>('query ($id: ID!) { recentAssignments(organizationId: $id) { conversationId actor } }', {
        id: organizationId,
      });
      const ids = [conversationId, elsewhere.conversationId];
      return recentAssignments.filter((event) => ids.includes(event.conversationId));
    };
    const [first, second] = [conversationId, elsewhere.conversationId];
    expect(await received(ben)).toEqual([
      { conversationId: first, actor: ana },
      { conversationId: second, actor: ana },
    ]);
    expect(await received(ana)).toEqual([]);
    await change(ana, 'takeOverConversation');
    expect(await received(ben)).toEqual([{ conversationId: second, actor: ana }]);
    await service.system.db.conversationEvent.updateMany({
      where: elsewhere,
      data: { createdAt: new Date(Date.now() - 61 * 60_000) },
    });
    expect(await received(ben)).toEqual([]);
  });

  test('are at most the latest 200', async () => {
    const rows = Array.from({ length: 201 }, (_, index) => ({
      ...{ id: newId(), projectId: tenant.projectId, conversationId, actor: `agent ${index}` },
      ...{ type: 'CLAIMED' as const, createdAt: new Date(1_000 * index) },
    }));
    await service.system.db.conversationEvent.createMany({ data: rows });
    const read = await events();
    expect(read).toHaveLength(200);
    expect([read.at(0)?.actor, read.at(-1)?.actor]).toEqual(['agent 1', 'agent 200']);
  });

  test('are in no transcript or export of the end user, and are deleted with the conversation', async () => {
    await change(ana, 'transferHandoff', { to: ben });
    await change(ben, 'transferHandoff', { to: 'ana@example.com' });
    const key = await tenant.key({ scopes: ['CHAT', 'CONVERSATIONS_READ'] });
    const rest = restClient(`${service.url}/api/v1`, key);
    const transcript = await rest.get(`/conversations/${conversationId}`);
    expect(transcript.status).toBe(200);
    expect(await transcript.text()).not.toMatch(/ben@example\.com|TRANSFERRED/);
    const endUser = { projectId: tenant.projectId, endUserId: `guest ${conversationId}` };
    // Checks only the conversations, because the webhook events in the export name the owner.
    const { conversations } = await exportEndUser(service.system, endUser);
    const exported = JSON.stringify(conversations);
    expect(exported).toContain(conversationId);
    expect(exported).not.toMatch(/ben@example\.com|TRANSFERRED/);
    await eraseEndUser(service.system, endUser);
    expect(await service.system.db.conversationEvent.count({ where: { conversationId } })).toBe(0);
  });
});
