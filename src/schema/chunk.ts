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
          toCursor: ({ position }: DocumentChunk) => Buffer.from(`${position}`).toString('base64'),
        },
        ({ after, before, limit, inverted }: ResolveCursorConnectionArgs) =>
          listDocumentChunks(context, {
            projectId,
            documentId,
            around,
            after: positionOf(after),
            before: positionOf(before),
            limit,
            isInverted: inverted,
          }),
      );
    },
  }),
);

/** A cursor of somebody else's making begins at the start. */
function positionOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const position = Number(Buffer.from(cursor, 'base64').toString());
  return Number.isSafeInteger(position) && Math.abs(position) < 2 ** 31 ? position : undefined;
}
