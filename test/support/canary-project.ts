import { createHash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import type { Context } from '../../src/domain/context.ts';
import { storageKey } from '../../src/domain/knowledge/storage-key.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { requireValidWebsiteConfig } from '../../src/domain/sources/website/website-config.ts';
import { newId } from '../../src/platform/ids.ts';
import { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { createUploadDirectory } from '../../src/platform/storage/uploaded-file.ts';
import type { ResourceKind } from './api/openapi-request.ts';
import { insertQuestionSet } from './evaluation/evaluation.ts';
import { addDocuments } from './knowledge.ts';
import type { TestService } from './service.ts';
import { storedTrace } from './stored-trace.ts';

/** A project with one resource of each kind. Each resource contains a word that only this project has. */
export interface CanaryProject {
  readonly organizationId: string;
  readonly projectId: string;
  readonly word: string;
  /** One resource of each kind. Tests do not change these resources. */
  readonly resourceIds: Readonly<Record<ResourceKind, string>>;
  /** Texts and ids that responses to other tenants must not contain. */
  readonly secrets: readonly string[];
}

type CanaryProjectIds = Pick<CanaryProject, 'organizationId' | 'projectId' | 'word'>;

/** Creates an organization whose request limit is practically unlimited. */
export async function makeOrganization(context: Context): Promise<string> {
  const { id } = await createOrganization(context, { name: makeCanaryWord(), plan: 'scale' });
  const requestsPerMinute = 1_000_000;
  await context.db.organization.update({ where: { id }, data: { requestsPerMinute } });
  // The OpenAPI document uses this address in its examples.
  const agent = { email: 'grace@example.com', role: 'AGENT' } as const;
  await context.db.member.create({ data: { id: newId(), organizationId: id, ...agent } });
  return id;
}

/** Creates a key with all scopes, for one project or for the organization. Returns its secret. */
export async function makeKey(
  context: Context,
  organizationId: string,
  projectId: string | null,
): Promise<string> {
  const scopes = Object.values(ApiKeyScope);
  const input = { organizationId, projectId, name: 'Key', scopes, expiresAt: null };
  return (await createApiKey(context, input)).secret;
}

/** Creates a canary project and waits until its document is indexed. Needs a service that runs workers. */
export async function makeCanaryProject(
  service: TestService,
  organizationId: string,
): Promise<CanaryProject> {
  const { system } = service;
  const word = makeCanaryWord();
  const project = await createProject(system, { organizationId, name: word });
  const ids = { organizationId, projectId: project.id, word };
  const contents = { [`${word}.txt`]: `The password of the lighthouse is ${word}.` };
  const [document] = await addDocuments(service, project.id, contents);
  if (document?.status !== 'READY')
    throw new Error('The document of a canary project is not READY');
  const message = await makeResource(system, ids, 'message', 'anything');
  const { conversationId } = await system.db.message.findUniqueOrThrow({ where: { id: message } });
  const others = { document: document.id, conversation: conversationId, message };
  const resourceIds = { ...others, ...(await makeManagedResources(system, ids)) };
  const secrets = [organizationId, project.id, word, ...Object.values(resourceIds)];
  return { ...ids, resourceIds, secrets };
}

async function makeManagedResources(context: Context, project: CanaryProjectIds) {
  const make = (kind: ResourceKind) => makeResource(context, project, kind, 'anything');
  return {
    handoff: await make('handoff'),
    webhook: await make('webhook'),
    delivery: await make('delivery'),
    key: await make('key'),
    source: await make('source'),
    questionSet: await make('questionSet'),
    setQuestion: await make('setQuestion'),
    evaluationRun: await make('evaluationRun'),
  };
}

/** Id of a question in the examples of the API. Requests that name a run and a question in it use it. */
const exampleQuestionId = '01980a40-7d1a-7b52-9c1e-4b0f6a2d8e32';

/** Creates a resource in the state that the operation needs. Returns its id. */
export async function makeResource(
  context: Context,
  project: CanaryProjectIds,
  kind: ResourceKind,
  operationId: string,
): Promise<string> {
  switch (kind) {
    case 'document':
      return makeDocument(context, project, operationId === 'retryDocument');
    case 'conversation':
      return operationId === 'replyToConversation'
        ? (await makeHandoff(context, project, 'CLAIMED')).conversationId
        : (await makeConversation(context, project)).conversationId;
    case 'message':
      return (await makeConversation(context, project)).messageId;
    case 'handoff':
      return operationId === 'rateHandoff'
        ? makeRatableHandoff(context, project)
        : (
            await makeHandoff(
              context,
              project,
              operationId === 'transferHandoff' ? 'CLAIMED' : 'REQUESTED',
            )
          ).handoffId;
    case 'webhook':
      return makeWebhook(context, project);
    case 'delivery':
      return makeDelivery(context, project);
    case 'key':
      return makeManagedKey(context, project);
    case 'source':
      return makeSource(context, project);
    case 'questionSet': {
      const { projectId, word } = project;
      return (await insertQuestionSet(context.db, projectId, 'DONE', word)).setId;
    }
    case 'setQuestion': {
      const { projectId, word } = project;
      return (await insertQuestionSet(context.db, projectId, 'DONE', word)).questionId;
    }
    case 'evaluationRun': {
      const status = operationId === 'cancelEvaluation' ? 'QUEUED' : 'DONE';
      const { projectId, word } = project;
      const { runId } = await insertQuestionSet(context.db, projectId, status, word);
      await context.db.evaluationResult.updateMany({
        where: { runId, projectId },
        data: { questionId: exampleQuestionId },
      });
      return runId;
    }
  }
}

/**
 * Inserts a document with a file and a chunk directly into the database, because `createDocument` refuses it if the
 * storage quota is used up.
 */
async function makeDocument(
  { db, pool, storage }: Context,
  { organizationId, projectId, word }: CanaryProjectIds,
  hasFailed: boolean,
): Promise<string> {
  const id = newId();
  // The text of a replacement is longer, so a replacement needs storage.
  const sizeBytes = 10;
  await pool.query(
    `insert into grounded.storage_usage as usage (organization_id, used_bytes) values ($1, $2)
     on conflict (organization_id) do update set used_bytes = usage.used_bytes + $2`,
    [organizationId, sizeBytes],
  );
  await db.document.create({
    data: {
      id,
      projectId,
      name: word,
      sourceType: 'TEXT',
      mimeType: 'text/plain',
      sizeBytes,
      contentHash: createHash('sha256').update(word).digest('hex'),
      publishedVersion: 1,
      publishedName: word,
      ...(hasFailed && { status: 'FAILED', errorCode: 'INTERNAL', errorMessage: word }),
    },
  });
  await pool.query(
    `insert into grounded.chunks (id, project_id, document_id, position, content, context, start_offset, end_offset,
       token_count, terms, length) values ($1, $2, $3, 0, $4, '', 0, $5, 1, '', 0)`,
    [newId(), projectId, id, word, word.length],
  );
  const directory = await createUploadDirectory();
  const path = join(directory, 'content');
  await writeFile(path, word.padEnd(sizeBytes).slice(0, sizeBytes));
  await storage.putFile(storageKey(projectId, id), path);
  await rm(directory, { recursive: true });
  return id;
}

/** Creates a conversation with a question, an answer with its stream events, and a resolved handoff. */
async function makeConversation(
  { db, pool }: Context,
  { projectId, word }: CanaryProjectIds,
): Promise<{ conversationId: string; messageId: string }> {
  const conversationId = newId();
  const questionId = newId();
  const messageId = newId();
  await db.conversation.create({
    data: { id: conversationId, projectId, title: word, endUserId: word, messageCount: 2 },
  });
  const message = { conversationId, projectId, content: word };
  await db.message.createMany({
    data: [
      { ...message, id: questionId, position: 1, role: 'USER' },
      { ...message, id: messageId, position: 2, role: 'ASSISTANT', isResumable: true },
    ],
  });
  const events = [
    { type: 'meta', conversationId, messageId },
    { type: 'sources', citations: [], confidence: 0.5 },
    { type: 'delta', text: word },
    {
      type: 'done',
      conversationId,
      messageId,
      content: word,
      citations: [],
      confidence: 0.5,
      latencyMs: 5,
    },
  ];
  for (const [seq, event] of events.entries()) {
    await pool.query(
      'insert into grounded.answer_events (message_id, seq, event) values ($1, $2, $3)',
      [messageId, seq, JSON.stringify({ ...event, seq })],
    );
  }
  await db.handoff.create({
    data: {
      id: newId(),
      projectId,
      conversationId,
      status: 'RESOLVED',
      email: `${word}@example.com`,
      name: word,
      reason: word,
      resolvedAt: new Date(),
    },
  });
  await db.answerTrace.create({ data: { messageId, projectId, trace: storedTrace(word) } });
  return { conversationId, messageId };
}

async function makeHandoff(
  context: Context,
  project: CanaryProjectIds,
  status: 'REQUESTED' | 'CLAIMED',
): Promise<{ conversationId: string; handoffId: string }> {
  const { conversationId } = await makeConversation(context, project);
  const { projectId, word } = project;
  const handoffId = newId();
  const claimed = { status, claimedBy: `${word}@example.com`, claimedAt: new Date() };
  const details = { email: `${word}@example.com`, name: word, reason: word };
  await context.db.handoff.create({
    data: {
      id: handoffId,
      projectId,
      conversationId,
      ...details,
      ...(status === 'CLAIMED' && claimed),
    },
  });
  return { conversationId, handoffId };
}

/** Creates a handoff that an agent has resolved and that the end user was asked to rate. */
async function makeRatableHandoff(context: Context, project: CanaryProjectIds): Promise<string> {
  const { db } = context;
  const { handoffId: id } = await makeHandoff(context, project, 'CLAIMED');
  const { projectId } = project;
  await db.project.update({ where: { id: projectId }, data: { asksForSatisfaction: true } });
  await db.handoff.update({
    where: { id, projectId },
    data: { status: 'RESOLVED', resolvedAt: new Date() },
  });
  await db.handoffSatisfaction.create({ data: { handoffId: id, projectId, agent: 'agent' } });
  return id;
}

/** Inserts an endpoint directly into the database, because the API limits the number of endpoints of a project. */
async function makeWebhook(
  { db, secretBox }: Context,
  { projectId, word }: CanaryProjectIds,
): Promise<string> {
  const id = newId();
  const secret = secretBox.encrypt('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', id);
  const url = `https://example.com/${word}`;
  const types = ['document.ready'];
  await db.webhookEndpoint.create({ data: { id, projectId, url, types, secret } });
  return id;
}

async function makeDelivery(context: Context, project: CanaryProjectIds): Promise<string> {
  const { projectId, word } = project;
  const id = newId();
  const eventId = newId();
  const event = { id: eventId, projectId, type: 'document.ready', data: { name: word } };
  await context.db.webhookEvent.create({ data: event });
  const endpointId = await makeWebhook(context, project);
  await context.db.webhookDelivery.create({ data: { id, projectId, eventId, endpointId } });
  return id;
}

async function makeManagedKey(
  context: Context,
  { organizationId, projectId, word: name }: CanaryProjectIds,
): Promise<string> {
  const scopes = ['KEYS_WRITE'] as const;
  return (await createApiKey(context, { organizationId, projectId, name, scopes })).apiKey.id;
}

/** Returns a random word that consists of letters, so that tokenizers do not split it. */
function makeCanaryWord(): string {
  const letters = [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26)));
  return `mark${letters.join('')}`;
}

async function makeSource({ db }: Context, { projectId, word }: CanaryProjectIds): Promise<string> {
  const id = newId();
  const config = requireValidWebsiteConfig({ startUrls: [`https://127.0.0.1/${word}`] }, {});
  await db.source.create({ data: { id, projectId, kind: 'WEBSITE', name: word, config } });
  return id;
}
