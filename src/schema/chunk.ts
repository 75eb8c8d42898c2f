import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { type DocumentChunk, listDocumentChunks } from '../domain/knowledge/document-chunks.ts';
import { builder } from './builder.ts';

const Chunk = builder.objectRef<DocumentChunk>('Chunk').implement({
  description: 'A piece of a document as the assistant finds it.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Of the chunk. Re-indexing a document gives it new ones.',
    }),
    position: t.exposeInt('position', { description: 'In the document, counts from 0.' }),
    page: t.exposeInt('page', { nullable: true, description: 'Of a PDF, counts from 1.' }),
    content: t.exposeString('content', { description: 'Its text.' }),
    tokenCount: t.exposeInt('tokenCount', { description: 'How many tokens it has.' }),
  }),
});

builder.queryField('documentChunks', (t) =>
  t.connection({
    type: Chunk,
    description: 'The chunks of a document, in its order.',
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      documentId: t.arg.id({ required: true, description: 'The document.' }),
      around: t.arg.id({ description: 'Begin shortly before this chunk, without a cursor.' }),
    },
    authScopes: { permission: 'knowledge:read' },
    resolve: async (_root, args, context) => {
      const { projectId, documentId, around } = args;
      return resolveCursorConnection(
        {
          args,
          toCursor: ({ id }: DocumentChunk) => Buffer.from(id).toString('base64'),
        },
        ({ after, before, limit, inverted }: ResolveCursorConnectionArgs) =>
          listDocumentChunks(context, {
            projectId,
            documentId,
            around,
            after: idOf(after),
            before: idOf(before),
            limit,
            isInverted: inverted,
          }),
      );
    },
  }),
);

/** Of a cursor, which is known to hold one, of this list or of another. */
function idOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  return Buffer.from(cursor, 'base64').toString().slice(-36);
}
