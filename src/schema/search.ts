import type { Hit } from '../domain/knowledge/hybrid-search.ts';
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
    content: t.exposeString('content', { description: 'The text of the chunk.' }),
    page: t.exposeInt('page', { nullable: true, description: 'Counted from 1; PDF only.' }),
    startOffset: t.exposeInt('startOffset', {
      description: "In Unicode code points of the document's extracted text.",
    }),
    endOffset: t.exposeInt('endOffset', { description: 'Where the chunk ends, not included.' }),
  }),
});

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
