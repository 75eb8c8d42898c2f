import { Body, Post, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { RestController } from './call.ts';
import { graphql, run } from './execute.ts';
import type { ProjectBody } from './project-rule.ts';

export interface SearchRequest extends ProjectBody {
  /**
   * A question or words in natural language.
   * @minLength 1
   * @maxLength 4000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "return period"
   */
  readonly query: string;
  /**
   * The most results to return.
   * @isInt
   * @minimum 1
   * @maximum 50
   * @default 5
   */
  readonly limit?: number;
}

export interface SearchResponse {
  /** Best first. */
  readonly results: SearchResult[];
}

export interface SearchResult {
  /**
   * The document found.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly documentId: string;
  /**
   * The name of the document.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly documentName: string;
  /**
   * The piece of the document found.
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
   * The chunk's text.
   * @example "Items can be returned within 30 days of delivery. The period starts when…"
   */
  readonly content: string;
  /**
   * Page of a PDF, from 1; otherwise null.
   * @isInt
   * @minimum 1
   * @example 2
   */
  readonly page: number | null;
  /**
   * Where the chunk begins in the document's extracted text, in characters (Unicode code points).
   * @isInt
   * @minimum 0
   * @example 1204
   */
  readonly startOffset: number;
  /**
   * Where the chunk ends: the first character behind it.
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
   * Searches the project's documents, with the same retrieval that grounds the answers.
   *
   * Needs the scope `knowledge:read`.
   * @summary Search the knowledge
   */
  @Post('search')
  @SuccessResponse(200, 'The best matching chunks')
  async searchKnowledge(@Body() body: SearchRequest): Promise<SearchResponse> {
    return run(this.call, searchKnowledgeDocument, body);
  }
}

const searchKnowledgeDocument = graphql<SearchResponse>(`
  query searchKnowledge($projectId: ID!, $query: String!, $limit: Int) {
    results: searchKnowledge(projectId: $projectId, query: $query, limit: $limit) {
      documentId documentName chunkId score content page startOffset endOffset
    }
  }
`);
