import {
  type ExplainedHit,
  type SearchExplanation as Explanation,
  explainSearch,
} from '../domain/chat/explain-search.ts';
import type { Hit } from '../domain/knowledge/hybrid-search.ts';
import type { WordSpan } from '../domain/knowledge/matched-words.ts';
import { searchKnowledge } from '../domain/knowledge/search-knowledge.ts';
import { builder } from './builder.ts';
import { rules, text, wholeNumber } from './text-rules.ts';

const SearchResult = builder.objectRef<Hit>('SearchResult').implement({
  description: 'A chunk that answers a query.',
  fields: (t) => ({
    documentId: t.exposeID('documentId', { description: 'The document.' }),
    documentName: t.exposeString('documentName', { description: 'What it is called.' }),
    chunkId: t.exposeID('chunkId', { description: 'The chunk of the document.' }),
    score: t.exposeFloat('score', { description: 'Relevance, 0 to 1.' }),
    similarity: t.exposeFloat('similarity', {
      description: 'The part of meaning in the score, 0 to 1. 0 where there are no vectors.',
    }),
    lexical: t.exposeFloat('lexical', { description: 'The part of words in the score, 0 to 1.' }),
    content: t.exposeString('content', { description: 'The text of the chunk.' }),
    page: t.exposeInt('page', { nullable: true, description: 'Counted from 1; PDF only.' }),
    startOffset: t.exposeInt('startOffset', {
      description: "In Unicode code points of the document's extracted text.",
    }),
    endOffset: t.exposeInt('endOffset', { description: 'Where the chunk ends, not included.' }),
  }),
});

const TextSpan = builder.objectRef<WordSpan>('TextSpan').implement({
  description: 'A part of a text, in Unicode code points.',
  fields: (t) => ({
    start: t.exposeInt('start', { description: 'Where it begins.' }),
    end: t.exposeInt('end', { description: 'Where it ends, not included.' }),
  }),
});

const ExplainedResult = builder.objectRef<ExplainedHit>('ExplainedResult').implement({
  description: 'What a search finds, and why.',
  fields: (t) => ({
    result: t.field({
      type: SearchResult,
      description: 'As a search gives it.',
      resolve: ({ hit }) => hit,
    }),
    isGround: t.exposeBoolean('isGround', {
      description: 'Whether the assistant would answer from it.',
    }),
    matches: t.field({
      type: [TextSpan],
      description: 'The words of its content that the query has too, in one form or another.',
      resolve: ({ matches }) => [...matches],
    }),
  }),
});

const SearchExplanation = builder.objectRef<Explanation>('SearchExplanation').implement({
  description: 'What the assistant would go by if it were asked.',
  fields: (t) => ({
    results: t.field({
      type: [ExplainedResult],
      description: 'The ten best, best first.',
      resolve: ({ results }) => [...results],
    }),
    isAnswerable: t.exposeBoolean('isAnswerable', {
      description: 'Whether it would answer, rather than say that it does not know.',
    }),
    confidence: t.exposeFloat('confidence', {
      description: 'Probability that they hold the answer, 0 to 1.',
    }),
    tookMs: t.exposeFloat('tookMs', { description: 'How long the search took, in milliseconds.' }),
  }),
});

builder.queryField('explainSearch', (t) =>
  t.field({
    type: SearchExplanation,
    description:
      'The search that the assistant makes for a question that begins a conversation, with what it makes of it.',
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      query: t.arg.string({ required: true, description: 'At most 4,000 characters.' }),
    },
    validate: rules({ query: text(4000) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, args, context) => explainSearch(context, args),
  }),
);

builder.queryField('searchKnowledge', (t) =>
  t.field({
    type: [SearchResult],
    description:
      'The chunks that answer a query best, best first: the retrieval that the assistant uses.',
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      query: t.arg.string({
        required: true,
        description: 'In natural language, at most 4,000 characters.',
      }),
      limit: t.arg.int({ description: '5 when left out.' }),
    },
    validate: rules({ query: text(4000), limit: wholeNumber(1, 50) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: async (_root, args, context) => [...(await searchKnowledge(context, args))],
  }),
);
