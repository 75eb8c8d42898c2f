import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatReply } from '../../src/domain/chat/chat-event.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { Context } from '../../src/domain/context.ts';
import { createAnswerMatcher } from '../../src/domain/evaluation/match-answer.ts';
import { createDocument, uploadDocument } from '../../src/domain/knowledge/create-document.ts';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import {
  createUploadDirectory,
  markUploadedFile,
} from '../../src/platform/storage/uploaded-file.ts';
import { wordCount } from '../../src/text/readable-text.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { EvalDocument, EvalSet, Question } from './dataset.ts';
import { isAbstention } from './is-abstention.ts';

export interface QuestionResult {
  readonly set: string;
  readonly id: string;
  readonly lang: string;
  readonly isAnswerable: boolean;
  /**
   * Rank of the first relevant document, from 1. Counts each document once. Null if the search found no relevant
   * document.
   */
  readonly rank: number | null;
  /** Rank of the first chunk that contains an expected answer, from 1. Null if no chunk contains one. */
  readonly spanRank: number | null;
  /** Whether the reply contains an expected short answer. Null if the question has no expected answer. */
  readonly isContained: boolean | null;
  readonly words: number;
  readonly citations: number;
  /** Number of citations that refer to a relevant document. */
  readonly right: number;
  readonly isFirstRight: boolean;
  readonly confidence: number;
  readonly hasAbstained: boolean;
  /** Search time in milliseconds. Null for a follow-up question, which cannot be searched without its conversation. */
  readonly searchMs: number | null;
  readonly chatMs: number;
  readonly content: string;
}

/** A set that was ingested into a project. `documentIds` maps ids of the set to ids of the service. */
export interface LoadedSet {
  readonly projectId: string;
  readonly documentIds: ReadonlyMap<string, string>;
}

/** With so many results, most searches find ten different documents. */
const searchLimit = 20;

/** Ingests a set, or reuses the documents that an earlier run ingested. Throws if a document fails. */
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
  const ids = new Map(stored.map((document) => [storedDocumentKey(document), document.id]));
  for (const [index, document] of set.documents.entries()) {
    const key = keys[index] ?? '';
    if (!ids.has(key)) ids.set(key, await addDocument(context, projectId, document));
  }
  await waitUntilReady(context, projectId);
  const entries = set.documents.map(({ id }, index) => [id, ids.get(keys[index] ?? '') ?? '']);
  return { projectId, documentIds: new Map(entries.map(([id = '', row = '']) => [id, row])) };
}

/** Returns a key made from the name and the content, because different documents of a set may have the same name. */
function documentKey({ name, content }: EvalDocument): string {
  return storedDocumentKey({
    name,
    contentHash: createHash('sha256').update(content).digest('hex'),
  });
}

function storedDocumentKey(document: {
  readonly name: string;
  readonly contentHash: string;
}): string {
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
  const path = join(await createUploadDirectory(), 'file');
  await writeFile(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const head = content.subarray(0, 8_192);
  const file = markUploadedFile({ name, path, sizeBytes: content.length, sha256, head });
  return (await uploadDocument(context, { projectId, file })).id;
}

async function waitUntilReady(context: Context, projectId: string): Promise<void> {
  const open = { projectId, status: { not: 'READY' as const } };
  const isReady = async () => {
    context.signal.throwIfAborted();
    const documents = await context.db.document.findMany({ where: open });
    const failed = documents.find(({ status }) => status === 'FAILED');
    if (failed) throw new Error(`failed to ingest ${failed.name}: ${failed.errorMessage}`);
    return documents.length === 0;
  };
  // Waits without a time limit, because a set can have thousands of documents.
  await waitUntil(isReady, { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: 200 });
}

/**
 * Runs search and chat for a question. Compares results by document and text, because the ids of chunks differ in each
 * run.
 */
export async function evaluateQuestion(
  context: Context,
  set: EvalSet,
  { projectId, documentIds }: LoadedSet,
  question: Question,
): Promise<QuestionResult> {
  const right = new Set(question.doc_ids.map((id) => documentIds.get(id)));
  const expected = question.long_answer ? [] : question.answers;
  const isSingleTurn = question.history.length === 0;
  const search = isSingleTurn
    ? await timed(() => searchQuestion(context, projectId, question))
    : null;
  const hits = search?.value ?? [];
  const found = [...new Set(hits.map(({ documentId }) => documentId))];
  const rank = found.findIndex((id) => right.has(id)) + 1;
  const spanRank = hits.findIndex(({ content }) => createAnswerMatcher(content)(expected)) + 1;
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
      question.answerable && expected.length > 0
        ? createAnswerMatcher(reply.content)(expected)
        : null,
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

function searchQuestion(context: Context, projectId: string, { question }: Question) {
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
