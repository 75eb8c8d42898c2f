import type {
  AnswerRequest,
  ChatModel,
  HistoryMessage,
  SourceReading,
  TokenUsage,
} from '../../models/models.ts';
import { coreQuestion } from '../../text/core-question.ts';
import type { Context } from '../context.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';
import { correctSpelling } from '../knowledge/retrieval/correct-query.ts';
import type { Hit } from '../knowledge/retrieval/hybrid-search.ts';
import type { Retrieval } from '../knowledge/retrieval/retrieve.ts';
import { storedBusinessHours, todayOf } from '../organizations/business-hours.ts';
import type { Project } from '../organizations/find-project.ts';
import type { RecordStep } from './answer-draft.ts';
import { hitsWithNamedRow } from './evidence/named-rows.ts';
import { minScores, selectContext } from './evidence/select-context.ts';
import { retrieveQuestion } from './retrieve-question.ts';
import { rewriteQuestion } from './rewrite-question.ts';
import type { StartSlot } from './runs/answer-starts.ts';
import { startAnswerStep } from './traces/answer-span.ts';
import { withWholeSections } from './with-whole-sections.ts';

/** The question to answer, with its conversation and project. */
export interface Asked {
  readonly project: Project;
  /**
   * The stored message of the answer, for the log. A draft has no stored message and uses the message of the question.
   */
  readonly turn: { readonly messageId: string };
  readonly question: string;
  readonly history: readonly HistoryMessage[];
  /**
   * Start slot of the answer. Released while a language model rewrites the question, and again when only the answer of
   * the chat model is awaited.
   */
  readonly start: StartSlot;
  /** Filter of the documents that may answer the question. Null: all documents. */
  readonly filter: DocumentFilter | null;
}

export interface FoundPassages extends ReadPassages {
  /** The question in the form that the search used. */
  readonly query: string;
  /** The question with corrected spelling. Null if nothing was corrected. */
  readonly correctedQuestion: string | null;
  /** Tokens of the rewrite. */
  readonly usage: TokenUsage;
}

/**
 * Finds the context of an answer. Rewrites a follow-up or translates the question for the search, retrieves chunks, and
 * selects the context chunks. Then a built-in model reads the selected chunks.
 */
export async function findPassages(
  context: Context,
  { project, question, history, start, filter }: Asked,
  record: RecordStep,
): Promise<FoundPassages> {
  const { models, signal, answerTrace } = context;
  startAnswerStep(context, 'UNDERSTAND');
  const asked = coreQuestion(question);
  const today = todayOf(storedBusinessHours(project), new Date());
  const { query: standalone, usage } = await rewriteQuestion(context, {
    ...{ projectId: project.id, history, question: asked, today, start },
  });
  record({ type: 'progress', chatModel: models.chat.name, usage });
  if (history.length > 0 && standalone !== asked) {
    answerTrace?.setQuestion({ rewritten: standalone });
  }

  startAnswerStep(context, 'RETRIEVE');
  const found = await retrieveQuestion(context, project.id, { asked, history, standalone, filter });
  const correctedQuestion = correctSpelling(question, found.corrections);
  record({ type: 'progress', searchTokens: found.tokens, correctedQuestion });
  answerTrace?.setQuestion({ corrected: correctedQuestion });
  signal.throwIfAborted();

  startAnswerStep(context, 'READ');
  const { instructions } = project;
  const passages = { instructions, history, question, today, retrieved: found };
  const complete = (hits: readonly Hit[]) =>
    withWholeSections(context, project.id, hits, models.chat);
  const read = await readPassages({ chat: models.chat, complete }, passages, signal);
  const { contextChunks } = read;
  answerTrace?.setSearch({
    ...{ ...found, contextChunks },
    minScores: () => minScores(found.hits, models.chat, question),
  });
  return { ...read, query: found.query, correctedQuestion, usage };
}

/** The chunks that a chat model receives, and what the model says of them before it answers. */
export interface ReadPassages {
  readonly contextChunks: readonly Hit[];
  /** Argument of `ChatModel.answer`. */
  readonly request: AnswerRequest;
  readonly retrieved: Retrieval & SourceReading;
}

/**
 * Selects the context chunks of a question, and completes them. If the model can read before it answers, lets it read the
 * chunks.
 */
export async function readPassages(
  {
    chat,
    complete = async (hits) => hits,
  }: {
    readonly chat: ChatModel;
    /** Adds chunks that belong to the selected ones. By default, none. */
    readonly complete?: (hits: readonly Hit[]) => Promise<readonly Hit[]>;
  },
  {
    retrieved,
    ...asked
  }: Omit<AnswerRequest, 'query' | 'sources'> & { readonly retrieved: Retrieval },
  signal: AbortSignal,
): Promise<ReadPassages> {
  const selected = await complete(selectContext(retrieved.hits, chat, asked.question));
  const contextChunks = chat.isExtractive ? withNamedRows(retrieved, selected) : selected;
  const sources = contextChunks.map(
    ({ documentId, documentName, context, content, startOffset, score, blocks = null }) => ({
      ...{ documentId, documentName, context, content, startOffset, score, blocks },
    }),
  );
  const request = { ...asked, query: retrieved.query, sources };
  const reading = contextChunks.length === 0 ? null : await chat.read?.(request, signal);
  const { answerability = null, wordShare = null } = reading ?? {};
  return { contextChunks, request, retrieved: { ...retrieved, answerability, wordShare } };
}

/**
 * Adds chunks of the same document that contain a table row which the question mentions. Keeps the order of the search.
 */
function withNamedRows({ query, hits }: Retrieval, selected: readonly Hit[]): readonly Hit[] {
  const documentId = selected[0]?.documentId;
  const others = hits.filter((hit) => hit.documentId === documentId && !selected.includes(hit));
  const added = hitsWithNamedRow(query, others);
  return added.length === 0 ? selected : [...selected, ...added];
}
