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
  /**
   * Id of the document.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly documentId: string;
  /**
   * Name of the document.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly documentName: string;
  /**
   * Id of the chunk.
   * @format uuid
   * @example "01980a3b-2d44-7f02-9a31-4c5d6e7f8091"
   */
  readonly chunkId: string;
  /**
   * Relevance of the chunk to the query.
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
  /**
   * Headings above the chunk, outermost first, joined by ` › `. If the chunk starts in a list or table, also its lead
   * or column titles. May be empty.
   * @example "Handbook › Returns"
   */
  readonly context: string;
  /**
   * Page of a PDF or slide of a presentation, counted from 1. Null for other formats.
   * @isInt
   * @minimum 1
   * @example 2
   */
  readonly page: number | null;
  /**
   * Start of the chunk in the document's extracted text, in Unicode code points.
   * @isInt
   * @minimum 0
   * @example 1204
   */
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
   *
   * Needs the scope `knowledge:read`.
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
