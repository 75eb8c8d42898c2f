import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { type DocumentChunk, listDocumentChunks } from '../../domain/knowledge/document-chunks.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalInteger } from '../input-rules.ts';
import { Node } from '../node.ts';
import { fromPositionCursor, toPositionCursor } from '../position-cursor.ts';

const Chunk = builder.objectRef<DocumentChunk>('Chunk').implement({
  description: 'A passage of a document, the unit of indexing and retrieval.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Id of the chunk. It changes when the document is re-indexed.',
    }),
    position: t.exposeInt('position', { description: 'Position in the document, counted from 0.' }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'Page of a PDF or slide of a presentation, from 1. Null for other formats.',
    }),
    content: t.exposeString('content'),
    context: t.exposeString('context', {
      description:
        'Headings above the chunk, outermost first, joined by ` › `. In a list or table, also its lead or headers. May be empty.',
    }),
    tokenCount: t.exposeInt('tokenCount'),
  }),
});

builder.queryField('documentChunks', (t) =>
  t.connection({
    type: Chunk,
    description: 'Chunks of a document, in document order.',
    args: {
      projectId: t.arg.id({ required: true }),
      documentId: t.arg.id({ required: true }),
      around: t.arg.id({
        description: 'Start shortly before this chunk. Ignored if `after` or `before` is given.',
      }),
      page: t.arg.int({
        description:
          'Start at the first chunk on this page or a later one, from 1. Ignored if `around`, `after` or `before` is given.',
      }),
    },
    validate: fieldsSchema({ page: optionalInteger(1, 1_000_000) }),
    authScopes: { permission: 'knowledge:read' },
    resolve: async (_root, args, context) => {
      const { projectId, documentId, around, page } = args;
      return resolveCursorConnection(
        { args, toCursor: (chunk: DocumentChunk) => toPositionCursor(chunk) },
        ({ after, before, limit, inverted }: ResolveCursorConnectionArgs) =>
          listDocumentChunks(context, {
            projectId,
            documentId,
            around,
            page,
            after: positionOf(after, 'after'),
            before: positionOf(before, 'before'),
            limit,
            isInverted: inverted,
          }),
      );
    },
  }),
);

function positionOf(cursor: string | undefined, argument: 'after' | 'before'): number | null {
  return cursor === undefined ? null : fromPositionCursor(cursor, argument).position;
}
