import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { toDomainError } from '../../http/errors.ts';
import { executeGraphql } from '../graphql/execute-graphql.ts';
import { listQuery } from './knowledge-tools.ts';
import type { McpCall } from './open-mcp-call.ts';
import { readDocument } from './read-document.ts';

const uriPrefix = 'grounded-chat://documents/';
const listedDocuments = 100;
/** Maximum number of pages in a resource. Clients read a longer document with the tool `read_document`. */
const maxPages = 20;

/**
 * Registers the documents as resources. The list contains the newest documents. All other documents can be read by
 * their URI.
 */
export function registerDocumentResources(server: McpServer, call: McpCall): void {
  if (!call.scopes.includes('KNOWLEDGE_READ')) return;
  const { projectId } = call;
  const list = async () => {
    const variables = { projectId, limit: listedDocuments };
    const { documentPage } = await executeGraphql(call, listQuery, variables);
    const resources = documentPage.data
      .filter(({ status }) => status === 'READY')
      .map(({ id, name }) => ({ uri: `${uriPrefix}${id}`, name, mimeType: 'text/plain' }));
    return { resources };
  };
  server.registerResource(
    'document',
    new ResourceTemplate(`${uriPrefix}{documentId}`, { list }),
    { title: 'Document', description: 'The text of a document', mimeType: 'text/plain' },
    async (uri, { documentId }) => {
      const text = await readWhole(call, projectId, String(documentId), uri.href);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
    },
  );
}

async function readWhole(
  call: McpCall,
  projectId: string,
  documentId: string,
  uri: string,
): Promise<string> {
  const texts: string[] = [];
  let cursor: string | undefined;
  try {
    do {
      const page = await readDocument(call, { projectId, documentId, cursor });
      texts.push(page.text);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && texts.length < maxPages);
  } catch (error) {
    if (toDomainError(error).code === 'NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw error;
  }
  if (cursor !== undefined) texts.push('(The text goes on: read it with the tool read_document.)');
  return texts.join('\n\n');
}
