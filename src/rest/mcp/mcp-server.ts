import { McpServer } from '@modelcontextprotocol/server';
import { version } from '../../platform/version.ts';
import { askTool, requestHumanTool } from './chat-tools.ts';
import { registerDocumentResources } from './document-resources.ts';
import { addDocumentTool, listDocumentsTool, searchTool } from './knowledge-tools.ts';
import type { McpCall } from './open-mcp-call.ts';
import { readDocumentTool } from './read-document.ts';

const tools = [
  askTool,
  searchTool,
  listDocumentsTool,
  readDocumentTool,
  addDocumentTool,
  requestHumanTool,
];

const instructions =
  "Answers questions from a team's own documents. `ask` returns an answer with citations; without citations, the documents do not contain it. `search` returns the passages themselves.";

/** Tools and documents are listed again for each request, so clients get no notifications of changes. */
const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } };

/** Creates the MCP server of one request. It has the tools and resources that the scopes of the caller allow. */
export function createServer(call: McpCall): McpServer {
  const server = new McpServer({ name: 'grounded-chat', version }, { instructions, capabilities });
  for (const register of tools) register(server, call);
  registerDocumentResources(server, call);
  return server;
}
