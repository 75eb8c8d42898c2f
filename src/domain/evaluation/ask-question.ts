import type { ServingEmbedding } from '../../models/serving-models.ts';
import { answerWithoutStoring } from '../chat/answer-without-storing.ts';
import { withProjectModel } from '../chat/project-model.ts';
import type { AnswerTrace } from '../chat/traces/answer-trace.ts';
import { encodeTrace } from '../chat/traces/trace-format.ts';
import { withEmbedding } from '../chat/with-embedding.ts';
import type { Context } from '../context.ts';
import type { Citation } from '../conversations/citation.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';
import { retrieve } from '../knowledge/retrieval/retrieve.ts';
import type { Project } from '../organizations/find-project.ts';
import { sumOfKind } from '../usage/token-count.ts';
import { type Candidate, withCandidate } from './candidate.ts';
import { type Expectation, namesDocument } from './expectation.ts';
import { isDocumentJudged, type Judgement, judgeAnswer, judgedResults } from './judge-answer.ts';
import { judgeWithModel, type ModelJudgement } from './judge-with-model.ts';

/** Time that a question may take, in milliseconds. */
const questionTimeoutMs = 120_000;

export interface AskedResult extends Judgement, ModelJudgement {
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly confidence: number;
  /** The confidence that was compared with the threshold. 0 if nothing was retrieved. */
  readonly retrievalConfidence: number;
  readonly latencyMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
  /** The trace in its stored form, as base64. Null: stores none. */
  readonly trace: string | null;
}

/** The assistant of a candidate. */
export interface TriedAssistant {
  readonly project: Project;
  readonly candidate: Candidate;
  /** Null: the embedding model of the project. */
  readonly embedding: ServingEmbedding | null;
  /** Name of the model that judges the answer. Null: only code does. */
  readonly judgeModel: string | null;
}

/**
 * Asks one question as the assistant of the candidate would answer it, and judges the answer. With `judgeModel`, the
 * language model of the installation judges it, too. Stores only the tokens.
 *
 * @throws DomainError of the models.
 */
export async function askQuestion(
  installation: Context,
  { project, candidate, embedding, judgeModel }: TriedAssistant,
  { question, expectation }: { readonly question: string; readonly expectation: Expectation },
): Promise<AskedResult> {
  const deadline = AbortSignal.timeout(questionTimeoutMs);
  const signal = AbortSignal.any([installation.signal, deadline]);
  const tried = withCandidate(project, candidate);
  const request = { ...installation, signal, receivedAt: performance.now() };
  const context = withProjectModel(
    embedding === null ? request : withEmbedding(request, embedding),
    tried,
    candidate.chatModel ?? null,
  );
  const left = candidate.withoutDocumentIds ?? [];
  const filter: DocumentFilter | null =
    left.length === 0 ? null : { type: 'except', documentIds: left };
  const isDocumentMissing =
    namesDocument(expectation) && !(await hasDocument(context, project.id, expectation, left));
  const search = { projectId: project.id, query: question, limit: judgedResults, filter };
  const isSearched = isDocumentJudged(expectation) && !isDocumentMissing;
  const found = isSearched ? await retrieve(context, { ...search, measuresMeaning: false }) : null;
  context.tokenCounter.add(project.id, found?.tokens ?? []);
  const asked = { project: tried, question, subject: 'evaluation', filter };
  const draft = await answerWithoutStoring(context, asked);
  const { content: answer, citations, confidence } = draft;
  const retrievalConfidence = draft.retrievalConfidence ?? 0;
  const { latencyMs, usage, searchTokens } = draft;
  const judged = { isDocumentMissing, hits: found?.hits ?? [] };
  const judgement = judgeAnswer(expectation, judged, draft);
  const { refused } = judgement;
  const given = { question, expectation, answer, citations, refused };
  const judge = { projectId: project.id, organizationId: project.organizationId, judgeModel };
  const byModel = await judgeWithModel({ ...context, models: installation.models }, judge, given);
  // If the process stops, the question is asked again, and gets its verdict then.
  installation.signal.throwIfAborted();
  return {
    ...judgement,
    ...byModel,
    ...{ answer, citations, confidence, retrievalConfidence, latencyMs, ...usage },
    trace: storedTrace(context, draft.trace),
    embeddingTokens: sumOfKind([...searchTokens, ...(found?.tokens ?? [])], 'EMBEDDING'),
  };
}

/** Hits in the trace of a result. A run has thousands of results. */
const maxTracedHits = 15;

function storedTrace(context: Context, trace: AnswerTrace): string | null {
  if (Math.random() >= context.answerTraceShare) return null;
  const bytes = encodeTrace({ ...trace, hits: trace.hits.slice(0, maxTracedHits) });
  return bytes?.toString('base64') ?? null;
}

/** Whether the expected document exists and is not left out. */
async function hasDocument(
  { db }: Context,
  projectId: string,
  { documentId, documentName }: Expectation,
  left: readonly string[],
): Promise<boolean> {
  const document = await db.document.findFirst({
    where: {
      projectId,
      deletedAt: null,
      AND: [
        documentId === null ? { name: documentName ?? '' } : { id: documentId },
        { id: { notIn: [...left] } },
      ],
    },
    select: { id: true },
  });
  return document !== null;
}
