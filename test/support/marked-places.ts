import { createHash, randomBytes } from 'node:crypto';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import type { Context } from '../../src/domain/context.ts';
import { ApiKeyScope } from '../../src/domain/generated/prisma/enums.ts';
import { newId } from '../../src/domain/ids.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { addDocuments } from './knowledge.ts';
import type { ResourceKind } from './openapi-request.ts';
import type { TestService } from './service.ts';

/** A project with something of everything, each piece marked with a word that stands nowhere else. */
export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly word: string;
  /** One resource of each kind that stays as it is. */
  readonly standing: Readonly<Record<ResourceKind, string>>;
  /** Everything that nobody else may be told. */
  readonly secrets: readonly string[];
}

type MarkedProject = Pick<Place, 'organizationId' | 'projectId' | 'word'>;

/** Makes an organization that no rate limit stops. */
export async function makeOrganization(context: Context): Promise<string> {
  const { id } = await createOrganization(context, { name: uniqueWord(), plan: 'scale' });
  const requestsPerMinute = 1_000_000;
  await context.db.organization.update({ where: { id }, data: { requestsPerMinute } });
  return id;
}

/** The text of a new key that may do everything, in one project or in all of its organization. */
export async function makeKey(
  context: Context,
  organizationId: string,
  projectId: string | null,
): Promise<string> {
  const scopes = Object.values(ApiKeyScope);
  const input = { organizationId, projectId, name: 'Key', scopes, expiresAt: null };
  return (await createApiKey(context, input)).secret;
}

/** Makes a place. The service has to be a worker: the document is indexed before this resolves. */
export async function makePlace(service: TestService, organizationId: string): Promise<Place> {
  const { system } = service;
  const word = uniqueWord();
  const project = await createProject(system, { organizationId, name: word });
  const place = { organizationId, projectId: project.id, word };
  const contents = { [`${word}.txt`]: `The password of the lighthouse is ${word}.` };
  const [document] = await addDocuments(service, project.id, contents);
  if (document?.status !== 'READY') throw new Error('The document of a place is not READY');
  const message = await makeResource(system, place, 'message', 'anything');
  const { conversationId } = await system.db.message.findUniqueOrThrow({ where: { id: message } });
  const standing = { document: document.id, conversation: conversationId, message };
  const secrets = [organizationId, project.id, word, ...Object.values(standing)];
  return { ...place, standing, secrets };
}

/** A new resource of a place, in the state in which the operation can be done. */
export async function makeResource(
  context: Context,
  place: MarkedProject,
  kind: ResourceKind,
  operationId: string,
): Promise<string> {
  switch (kind) {
    case 'document':
      return makeDocument(context, place, operationId === 'retryDocument');
    case 'conversation':
      return (await makeConversation(context, place)).conversationId;
    case 'message':
      return (await makeConversation(context, place)).messageId;
  }
}

/** Past the verb, which would refuse it to an organization whose storage is used up. */
async function makeDocument(
  { db, pool }: Context,
  { organizationId, projectId, word }: MarkedProject,
  hasFailed: boolean,
): Promise<string> {
  const id = newId();
  const sizeBytes = 100;
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
      ...(hasFailed && { status: 'FAILED', errorCode: 'INTERNAL', errorMessage: word }),
    },
  });
  return id;
}

/** One question, its answer with all that was streamed of it, and a person who has been asked for and has helped. */
async function makeConversation(
  { db, pool }: Context,
  { projectId, word }: MarkedProject,
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
  return { conversationId, messageId };
}

/** Letters alone, so that no tokenizer takes it apart. */
function uniqueWord(): string {
  const letters = [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26)));
  return `mark${letters.join('')}`;
}
