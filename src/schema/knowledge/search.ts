import {
  type ExplainedHit,
  type SearchExplanation as Explanation,
  explainSearch,
} from '../../domain/chat/explain-search.ts';
import type { WordSpan } from '../../domain/knowledge/retrieval/highlight-spans.ts';
import type { Hit } from '../../domain/knowledge/retrieval/hybrid-search.ts';
import { searchKnowledge } from '../../domain/knowledge/retrieval/search-knowledge.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, nonBlankText, optionalInteger } from '../input-rules.ts';

const SearchResult = builder.objectRef<Hit>('SearchResult').implement({
  description: 'A chunk that matches a search query.',
  fields: (t) => ({
    documentId: t.exposeID('documentId'),
    documentName: t.exposeString('documentName'),
    chunkId: t.exposeID('chunkId'),
    score: t.exposeFloat('score', { description: 'Relevance of the chunk, 0 to 1.' }),
    similarity: t.exposeFloat('similarity', {
      description:
        'Semantic similarity to the query, 0 to 1. Always 0 if the service has no embedding model.',
    }),
    lexical: t.exposeFloat('lexical', { description: 'Full-text score (BM25), scaled to 0 to 1.' }),
    content: t.exposeString('content'),
    context: t.exposeString('context', {
      description:
        'Headings above the chunk, outermost first, joined by ` › `. If the chunk starts in a list or table, also its lead or column titles. May be empty.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'Page of a PDF or slide of a presentation, from 1. Null for other formats.',
    }),
    startOffset: t.exposeInt('startOffset', {
      description: "Start of the chunk in the document's extracted text, in Unicode code points.",
    }),
    endOffset: t.exposeInt('endOffset', {
      description: 'End of the chunk, exclusive, in Unicode code points.',
    }),
    sourceUrl: t.exposeString('sourceUrl', {
      nullable: true,
      description: 'Address of the document for readers. Null if there is none.',
    }),
    metadata: t.field({
      type: 'JSON',
      description: 'Values that the caller has set on the document. Empty if none are set.',
      resolve: ({ metadata }) => metadata,
    }),
  }),
});

const TextSpan = builder.objectRef<WordSpan>('TextSpan').implement({
  description: 'A range of a text, in Unicode code points.',
  fields: (t) => ({
    start: t.exposeInt('start'),
    end: t.exposeInt('end', { description: 'End of the range, exclusive.' }),
  }),
});

const ExplainedResult = builder.objectRef<ExplainedHit>('ExplainedResult').implement({
  description: 'A search result, and whether the assistant would use it.',
  fields: (t) => ({
    result: t.field({
      type: SearchResult,
      description: 'The result as `searchKnowledge` returns it.',
      resolve: ({ hit }) => hit,
    }),
    isGround: t.exposeBoolean('isGround', {
      description: 'Whether the assistant would receive the result as context for its answer.',
    }),
    matches: t.field({
      type: [TextSpan],
      description: 'Words of the content that match the query, including inflected forms.',
      resolve: ({ matches }) => [...matches],
    }),
  }),
});

const SearchExplanation = builder.objectRef<Explanation>('SearchExplanation').implement({
  description:
    'The search results for a question, and whether the assistant would answer from them.',
  fields: (t) => ({
    results: t.field({
      type: [ExplainedResult],
      description: 'The ten best results, best first.',
      resolve: ({ results }) => [...results],
    }),
    isAnswerable: t.exposeBoolean('isAnswerable', {
      description: 'Whether the assistant would answer. If false, it would send the fallback text.',
    }),
    correctedQuery: t.exposeString('correctedQuery', {
      nullable: true,
      description:
        'The query with misspelled words replaced by words of the documents, as it was searched. Null if nothing was corrected.',
    }),
    confidence: t.exposeFloat('confidence', {
      description: 'Probability that the results contain the answer, 0 to 1.',
    }),
    tookMs: t.exposeFloat('tookMs', { description: 'Duration of the search in milliseconds.' }),
  }),
});

builder.queryField('explainSearch', (t) =>
  t.field({
    type: SearchExplanation,
    description:
      'Searches as the assistant does for the first question of a conversation, and explains the result. Generates no answer.',
    args: {
      projectId: t.arg.id({ required: true }),
      query: t.arg.string({ required: true, description: 'The question, 1 to 4,000 characters.' }),
    },
    validate: fieldsSchema({ query: nonBlankText(4000) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => explainSearch(context, args),
  }),
);

builder.queryField('searchKnowledge', (t) =>
  t.field({
    type: [SearchResult],
    description:
      'Chunks that best match a query, best first. The assistant uses the same retrieval.',
    args: {
      projectId: t.arg.id({ required: true }),
      query: t.arg.string({
        required: true,
        description: 'Query in natural language, 1 to 4,000 characters.',
      }),
      limit: t.arg.int({ description: 'Maximum number of results, 1 to 50. Default: 5.' }),
      filter: t.arg({
        type: 'DocumentFilter',
        description: 'The documents to search. Default: all.',
      }),
    },
    validate: fieldsSchema({ query: nonBlankText(4000), limit: optionalInteger(1, 50) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: async (_root, args, context) => [...(await searchKnowledge(context, args))],
  }),
);
