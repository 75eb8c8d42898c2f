import { Body, Post, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { RestController } from '../request/rest-call.ts';
import type { DocumentLink, FilterBody } from './document-filter.ts';

export interface SearchRequest extends FilterBody {
  /**
   * A question or keywords in natural language.
   * @minLength 1
   * @maxLength 4000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "return period"
   */
  readonly query: string;
  /**
   * Maximum number of results.
   * @isInt
   * @minimum 1
   * @maximum 50
   * @default 5
   */
  readonly limit?: number;
}

export interface SearchResponse {
  /** The best matching chunks, best first. */
  readonly results: SearchResult[];
}

export interface SearchResult extends DocumentLink {
  readonly documentId: string;
  /**
   * Name of the document.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly documentName: string;
  readonly chunkId: string;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.87
   */
  readonly score: number;
  /**
   * Text of the chunk.
   * @example "Items can be returned within 30 days of delivery. The period starts when…"
   */
  readonly content: string;
  /** @example "Handbook › Returns" */
  readonly context: string;
  /**
   * @isInt
   * @minimum 1
   * @example 2
   */
  readonly page: number | null;
  readonly startOffset: number;
  /**
   * End of the chunk (exclusive) in the document's extracted text, in Unicode code points.
   * @isInt
   * @minimum 1
   * @example 1816
   */
  readonly endOffset: number;
}

@Route('knowledge')
@Tags('Knowledge')
@Security('apiKey', ['knowledge:read'])
export class SearchController extends RestController {
  /**
   * Searches the project's documents with the same retrieval as the chat.
   * @summary Search the documents
   */
  @Post('search')
  @SuccessResponse(200, 'The best matching chunks')
  async searchKnowledge(@Body() body: SearchRequest): Promise<SearchResponse> {
    return executeGraphql(this.call, searchKnowledgeQuery, body);
  }
}

const searchKnowledgeQuery = graphql(`
  query searchKnowledge($projectId: ID!, $query: String!, $limit: Int, $filter: DocumentFilter) {
    results: searchKnowledge(projectId: $projectId, query: $query, limit: $limit, filter: $filter) {
      documentId documentName chunkId score content context page startOffset endOffset sourceUrl metadata
    }
  }
`);
