import { z } from 'zod';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { GraphqlCall } from '../request/rest-call.ts';
import { defineTool } from './mcp-tool.ts';
import { shownName } from './shown-name.ts';

const passagesPerPage = 50;

const textPage = z.object({
  documentId: z.string(),
  documentName: z.string(),
  text: z.string(),
  nextCursor: z.string().nullable().describe('Pass it to read on. Null at the end'),
});
type TextPage = z.infer<typeof textPage>;

export const readDocumentTool = defineTool({
  name: 'read_document',
  scope: 'KNOWLEDGE_READ',
  title: 'Read a document',
  description: `Returns the text of a document, ${passagesPerPage} passages at a time.`,
  isReadOnly: true,
  input: z.strictObject({
    documentId: z.string(),
    cursor: z.string().max(200).optional().describe('`nextCursor` of the previous call'),
  }),
  output: textPage,
  run: ({ call, projectId }, input) => readDocument(call, { projectId, ...input }),
  format: ({ documentName, text, nextCursor }) =>
    [
      shownName(documentName),
      text,
      ...(nextCursor === null ? [] : [`Continue with cursor ${nextCursor}.`]),
    ].join('\n\n'),
});

/** Returns a page of a document's text. */
export async function readDocument(
  call: GraphqlCall,
  {
    projectId,
    documentId,
    cursor,
  }: {
    readonly projectId: string;
    readonly documentId: string;
    readonly cursor?: string | undefined;
  },
): Promise<TextPage> {
  const variables = { projectId, documentId, after: cursor ?? null, first: passagesPerPage };
  const { document, documentChunks } = await executeGraphql(call, readQuery, variables);
  const { hasNextPage, endCursor } = documentChunks.pageInfo;
  return {
    documentId: document.id,
    documentName: document.name,
    text: documentChunks.edges.map(({ node }) => node.content).join('\n\n'),
    nextCursor: hasNextPage ? endCursor : null,
  };
}

const readQuery = graphql(`
  query readDocument($projectId: ID!, $documentId: ID!, $after: String, $first: Int!) {
    document(id: $documentId, projectId: $projectId) { id name }
    documentChunks(projectId: $projectId, documentId: $documentId, after: $after, first: $first) {
      edges { node { content } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
