import { z } from 'zod';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { documentFilter, documentLink } from './document-filter.ts';
import { defineTool } from './mcp-tool.ts';
import { shownName, shownPlace } from './shown-name.ts';

const passage = z.object({
  documentId: z.string(),
  documentName: z.string(),
  chunkId: z.string(),
  score: z.number().describe('Relevance, 0 to 1'),
  content: z.string(),
  context: z.string().describe('Headings above the passage, or titles of its columns'),
  page: z.int().nullable().describe('Page number from 1 in a PDF'),
  ...documentLink,
});

export const searchTool = defineTool({
  name: 'search',
  scope: 'KNOWLEDGE_READ',
  title: 'Search the documents',
  description:
    "Finds the passages of the project's documents that best match a query, by meaning and by words.",
  isReadOnly: true,
  input: z.strictObject({
    query: z.string().min(1).max(4_000).describe('A question, or keywords'),
    limit: z.int().min(1).max(50).optional().describe('Number of passages, 5 by default'),
    filter: documentFilter,
  }),
  output: z.object({ results: z.array(passage).describe('Best first') }),
  run: ({ call, projectId }, input) => executeGraphql(call, searchQuery, { ...input, projectId }),
  format: ({ results }) =>
    results.length === 0
      ? 'Nothing was found.'
      : results
          .map((passage, index) =>
            [`[${index + 1}] ${shownPlace(passage)}`, passage.context, passage.content]
              .filter(Boolean)
              .join('\n'),
          )
          .join('\n\n'),
});

const searchQuery = graphql(`
  query search($projectId: ID!, $query: String!, $limit: Int, $filter: DocumentFilter) {
    results: searchKnowledge(projectId: $projectId, query: $query, limit: $limit, filter: $filter) {
      documentId documentName chunkId score content context page sourceUrl metadata
    }
  }
`);

const document = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['PROCESSING', 'READY', 'FAILED']),
  chunkCount: z.int(),
  createdAt: z.string(),
});
const documentFields = 'id name status chunkCount createdAt';

export const listDocumentsTool = defineTool({
  name: 'list_documents',
  scope: 'KNOWLEDGE_READ',
  title: 'List the documents',
  description: "Lists the project's documents, newest first.",
  isReadOnly: true,
  input: z.strictObject({
    search: z.string().max(255).optional().describe('Part of the name'),
    page: z.int().min(1).max(1_000_000).optional(),
    limit: z.int().min(1).max(100).optional().describe('Documents per page, 20 by default'),
  }),
  output: z.object({
    documents: z.array(document),
    total: z.int(),
    hasMore: z.boolean().describe('Whether there is a next page'),
  }),
  async run({ call, projectId }, input) {
    const { documentPage } = await executeGraphql(call, listQuery, { ...input, projectId });
    const { data: documents, total, hasMore } = documentPage;
    return { documents, total, hasMore };
  },
  format: ({ documents, total }) =>
    [
      `${total} documents`,
      ...documents.map(({ id, name, status }) => `- ${shownName(name)} (${status}, id ${id})`),
    ].join('\n'),
});

export const listQuery = graphql(`
  query listDocuments($projectId: ID!, $page: Int, $limit: Int, $search: String) {
    documentPage(projectId: $projectId, page: $page, limit: $limit, search: $search) {
      data { ${documentFields} } total hasMore
    }
  }
`);

export const addDocumentTool = defineTool({
  name: 'add_document',
  scope: 'KNOWLEDGE_WRITE',
  title: 'Add a document',
  description:
    'Adds a text to the knowledge of the project. It can be searched as soon as its status is READY.',
  isReadOnly: false,
  input: z.strictObject({
    name: z.string().min(1).max(255),
    content: z.string().min(1).max(1_000_000).describe('Plain text or Markdown'),
  }),
  output: z.object({ document }),
  async run({ call, projectId }, input) {
    const variables = { input: { ...input, projectId } };
    const { createDocument } = await executeGraphql(call, createMutation, variables);
    return { document: createDocument };
  },
  format: ({ document: { name, id, status } }) => `Added ${shownName(name)}: ${status}, id ${id}`,
});

const createMutation = graphql(`
  mutation createDocument($input: CreateDocumentInput!) {
    createDocument(input: $input) { ${documentFields} }
  }
`);
