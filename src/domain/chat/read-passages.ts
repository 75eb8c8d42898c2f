import type { AnswerRequest, ChatModel } from '../../models/models.ts';
import type { Hit } from '../knowledge/retrieval/hybrid-search.ts';
import type { Retrieval } from '../knowledge/retrieval/retrieve.ts';
import { hitsWithNamedRow } from './evidence/named-rows.ts';
import { selectContext } from './evidence/select-context.ts';

/** The chunks that a chat model receives, and what it says about them before it answers. */
export interface ReadPassages {
  readonly contextChunks: readonly Hit[];
  /** For `ChatModel.answer`. */
  readonly request: AnswerRequest;
  readonly retrieved: Retrieval & { readonly answerability: number | null };
}

/** Selects the context chunks of a question and lets the model read them, if it reads before it answers. */
export async function readPassages(
  chat: ChatModel,
  {
    retrieved,
    ...asked
  }: Omit<AnswerRequest, 'query' | 'sources'> & { readonly retrieved: Retrieval },
  signal: AbortSignal,
): Promise<ReadPassages> {
  const selected = selectContext(retrieved.hits, chat);
  const contextChunks = chat.isExtractive ? withNamedRows(retrieved, selected) : selected;
  const sources = contextChunks.map(
    ({ documentId, documentName, context, content, startOffset }) => ({
      ...{ documentId, documentName, context, content, startOffset },
    }),
  );
  const request = { ...asked, query: retrieved.query, sources };
  const answerability =
    contextChunks.length === 0 ? null : ((await chat.answerability?.(request, signal)) ?? null);
  return { contextChunks, request, retrieved: { ...retrieved, answerability } };
}

/** Adds chunks of the same document with a row that the question names, in the order of the search. */
function withNamedRows({ query, hits }: Retrieval, selected: readonly Hit[]): readonly Hit[] {
  const documentId = selected[0]?.documentId;
  const others = hits.filter((hit) => hit.documentId === documentId && !selected.includes(hit));
  const added = hitsWithNamedRow(query, others);
  return added.length === 0 ? selected : [...selected, ...added];
}
