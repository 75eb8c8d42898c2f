import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatReply } from '../../src/domain/chat/chat-event.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { Context } from '../../src/domain/context.ts';
import { createDocument, uploadDocument } from '../../src/domain/knowledge/create-document.ts';
import { searchKnowledge } from '../../src/domain/knowledge/search-knowledge.ts';
import { makeIncomingDirectory, uploadedFile } from '../../src/domain/knowledge/uploaded-file.ts';
import { wordCount } from '../../src/domain/models/readable.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import type { EvalDocument, EvalSet, Question } from './dataset.ts';
import { holdsAnswer, isAbstention } from './judge.ts';

/** What became of one question. */
export interface Outcome {
  readonly set: string;
  readonly id: string;
  readonly lang: string;
  readonly isAnswerable: boolean;
  /** Of the first right document among the distinct documents found; null when none was. */
  readonly rank: number | null;
  /** Of the first chunk that holds an expected answer. */
  readonly spanRank: number | null;
  /** Whether the reply holds an expected short answer; null where there is none to expect. */
  readonly isContained: boolean | null;
  readonly words: number;
  readonly citations: number;
  /** Citations of a right document. */
  readonly right: number;
  readonly isFirstRight: boolean;
  readonly confidence: number;
  readonly hasAbstained: boolean;
  /** Null for a question that makes no sense without its conversation. */
  readonly searchMs: number | null;
  readonly chatMs: number;
  readonly content: string;
}

/** A set's documents in a project of their own: the id of each by the set's own ids. */
export interface LoadedSet {
  readonly projectId: string;
  readonly documentIds: ReadonlyMap<string, string>;
}

/** Enough results to hold ten distinct documents most of the time. */
const searchLimit = 20;

/** Ingests a set, or finds it in the database where an earlier run has left it. Throws when a document is not READY. */
export async function loadSet(
  context: Context,
  organizationId: string,
  set: EvalSet,
): Promise<LoadedSet> {
  const name = `${set.name} ${set.documentsHash}`;
  const kept = await context.db.project.findFirst({ where: { organizationId, name } });
  const { id: projectId } = kept ?? (await createProject(context, { organizationId, name }));
  const keys = set.documents.map(documentKey);
  const stored = await context.db.document.findMany({ where: { projectId } });
  const ids = new Map(stored.map((document) => [documentKeyOf(document), document.id]));
  for (const [index, document] of set.documents.entries()) {
    const key = keys[index] ?? '';
    if (!ids.has(key)) ids.set(key, await addDocument(context, projectId, document));
  }
  await untilReady(context, projectId);
  const entries = set.documents.map(({ id }, index) => [id, ids.get(keys[index] ?? '') ?? '']);
  return { projectId, documentIds: new Map(entries.map(([id = '', row = '']) => [id, row])) };
}

/** Sets hold different documents of one name. */
function documentKey({ name, content }: EvalDocument): string {
  return documentKeyOf({ name, contentHash: createHash('sha256').update(content).digest('hex') });
}

function documentKeyOf(document: { readonly name: string; readonly contentHash: string }): string {
  return `${document.name}\n${document.contentHash}`;
}

async function addDocument(
  context: Context,
  projectId: string,
  { name, content }: EvalDocument,
): Promise<string> {
  if (typeof content === 'string') {
    return (await createDocument(context, { projectId, name, content })).id;
  }
  const path = join(await makeIncomingDirectory(), 'file');
  await writeFile(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const head = content.subarray(0, 8_192);
  const file = uploadedFile({ name, path, sizeBytes: content.length, sha256, head });
  return (await uploadDocument(context, { projectId, file })).id;
}

async function untilReady(context: Context, projectId: string): Promise<void> {
  for (;;) {
    const open = { projectId, status: { not: 'READY' as const } };
    const documents = await context.db.document.findMany({ where: open });
    const failed = documents.find(({ status }) => status === 'FAILED');
    if (failed) throw new Error(`${failed.name} could not be ingested: ${failed.errorMessage}`);
    if (documents.length === 0) return;
    await sleep(200, undefined, { signal: context.signal });
  }
}

/** Searches for a question and lets it be answered. Chunks of documents are judged, never ids of chunks. */
export async function ask(
  context: Context,
  set: EvalSet,
  { projectId, documentIds }: LoadedSet,
  question: Question,
): Promise<Outcome> {
  const right = new Set(question.doc_ids.map((id) => documentIds.get(id)));
  const expected = question.long_answer ? [] : question.answers;
  const isAlone = question.history.length === 0;
  const search = isAlone ? await timed(() => find(context, projectId, question)) : null;
  const hits = search?.value ?? [];
  const found = [...new Set(hits.map(({ documentId }) => documentId))];
  const rank = found.findIndex((id) => right.has(id)) + 1;
  const spanRank = hits.findIndex(({ content }) => holdsAnswer(content, expected)) + 1;
  const { value: reply, ms } = await converse(context, projectId, question);
  const cited = reply.citations.map(({ documentId }) => right.has(documentId));
  const hasAbstained = isAbstention(reply.content, cited.length);
  return {
    set: set.name,
    id: question.id,
    lang: question.lang,
    isAnswerable: question.answerable,
    rank: rank || null,
    spanRank: spanRank || null,
    isContained:
      question.answerable && expected.length > 0 ? holdsAnswer(reply.content, expected) : null,
    words: wordCount(reply.content.replace(/ ?\[\d+\]/g, '')),
    citations: cited.length,
    right: cited.filter(Boolean).length,
    isFirstRight: cited[0] === true,
    confidence: reply.confidence,
    hasAbstained,
    searchMs: search?.ms ?? null,
    chatMs: ms,
    content: reply.content,
  };
}

function find(context: Context, projectId: string, { question }: Question) {
  return searchKnowledge(context, { projectId, query: question, limit: searchLimit });
}

async function converse(
  context: Context,
  projectId: string,
  { history, question }: Question,
): Promise<{ value: ChatReply; ms: number }> {
  let conversationId: string | null = null;
  for (const message of history) {
    const reply: ChatReply = await sendMessage(context, { projectId, message, conversationId });
    conversationId = reply.conversationId;
  }
  return timed(() => sendMessage(context, { projectId, message: question, conversationId }));
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}
