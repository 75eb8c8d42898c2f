import { ownTerms, refersBack } from '../../models/follow-up/follow-up.ts';
import type { HistoryMessage } from '../../models/models.ts';
import { spellCompoundsAsIn } from '../../text/compound-spelling.ts';
import { withWordsOf } from '../../text/everyday-words.ts';
import { contentTerms } from '../../text/terms.ts';
import type { Context } from '../context.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';
import { hitText } from '../knowledge/retrieval/hybrid-search.ts';
import { type Retrieval, retrieve } from '../knowledge/retrieval/retrieve.ts';
import { contextChunkLimit, measuredChunks } from './evidence/select-context.ts';
import { preferCitedDocument } from './prefer-cited-document.ts';

/** Retrieves the context of a question. In the result, the query uses the words of the chunks. */
export async function retrieveQuestion(
  context: Context,
  projectId: string,
  question: AskedQuestion,
): Promise<Retrieval> {
  const found = await retrieveTopic(context, projectId, question);
  const { asked, history } = question;
  const hits = context.models.chat.isExtractive
    ? preferCitedDocument(asked, history, found.hits)
    : found.hits;
  return inWordsOfChunks({ ...found, hits });
}

/**
 * Rewrites the query with the compounds and words of the retrieved chunks. The rewritten query is for the steps that
 * read the chunks.
 */
export function inWordsOfChunks<Found extends Pick<Retrieval, 'query' | 'hits'>>(
  found: Found,
): Found {
  const texts = found.hits.slice(0, measuredChunks).map(hitText);
  return { ...found, query: withWordsOf(spellCompoundsAsIn(found.query, texts), texts) };
}

interface AskedQuestion {
  readonly asked: string;
  readonly history: readonly HistoryMessage[];
  readonly standalone: string;
  readonly filter: DocumentFilter | null;
}

/**
 * Retrieves the context of a question by its standalone form. The standalone form may add the topic of the conversation
 * ("and kayaks?" after a question about tents). If no chunk found contains the question's own words, the answer would
 * be about that topic instead of the question. In this case, retrieves again by the question without the topic, which
 * lowers the confidence. A question with a pronoun is always about the topic.
 */
async function retrieveTopic(
  context: Context,
  projectId: string,
  { asked, standalone, filter }: AskedQuestion,
): Promise<Retrieval> {
  const input = { projectId, limit: contextChunkLimit(context.models.chat), filter };
  const found = await retrieve(context, { ...input, query: standalone });
  const isTopicAdded =
    context.models.chat.isExtractive && standalone !== asked && standalone.startsWith(asked);
  if (!isTopicAdded || refersBack(asked)) return found;
  // The query that `retrieve` returns has the corrected spelling.
  const own = new Set(ownTerms(found.query.split(/\s+/).slice(0, wordsIn(asked)).join(' ')));
  if (own.size === 0) return found;
  const texts = found.hits.slice(0, measuredChunks).map(hitText);
  if (contentTerms(texts.join(' ')).some((term) => own.has(term))) return found;
  const alone = await retrieve(context, { ...input, query: asked });
  return { ...alone, tokens: [...found.tokens, ...alone.tokens] };
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length;
}
