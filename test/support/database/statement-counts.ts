/** Number of SQL statements of a request or job. */
export interface StatementCount {
  /** Number of statements, including the BEGIN and COMMIT of an explicit transaction. Each is one round trip. */
  readonly statements: number;
  /** Number of statements outside explicit transactions. Each is a transaction of its own. */
  readonly inOwnTransaction: number;
}

/** A request or job of docs/reference/performance.md. */
interface CountedRequest extends StatementCount {
  /** Name of the row, in Markdown. */
  readonly name: string;
}

const chat = '`POST /chat`, streamed, with a model server';
const search = '`POST /knowledge/search`';
const create = '`POST /knowledge/documents`';
const ingestion = 'Ingestion of a document with one chunk';

/**
 * The statements of the most frequent requests, in the order of the table in docs/reference/performance.md. The page is
 * generated from these numbers, and test/contract/statement-counts.test.ts compares them with a running service.
 */
export const statementCounts = {
  newConversation: separate(`${chat}: new conversation`, 4),
  followUp: separate(`${chat}: next question of a conversation`, 7),
  search: separate(`${search}: index in memory`, 2),
  filteredSearch: separate(`${search}: index in memory, with a filter`, 3),
  unindexedSearch: separate(`${search}: index not loaded`, 3),
  searchOfOrganization: separate(
    `${search}: index in memory, organization-wide key with \`projectId\``,
    3,
  ),
  textDocument: separate(`${create}: text`, 2),
  textDocumentOfOrganization: separate(
    `${create}: text, organization-wide key with \`projectId\``,
    3,
  ),
  idempotentTextDocument: separate(`${create}: text, with an \`Idempotency-Key\``, 4),
  fileDocument: separate('`POST /knowledge/documents/upload`: file', 4),
  ingestion: separate(ingestion, 3),
  ingestionWithWebhook: {
    name: `${ingestion}, with a webhook for \`document.ready\``,
    ...{ statements: 11, inOwnTransaction: 3 },
  },
  documentList: separate('`GET /knowledge/documents`: page of 100', 3),
  conversation: separate('`GET /conversations/{id}`', 5),
} satisfies Record<string, CountedRequest>;

/** Returns the count of a request without explicit transactions. */
function separate(name: string, statements: number): CountedRequest {
  return { name, statements, inOwnTransaction: statements };
}
