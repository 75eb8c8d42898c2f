import {
  Body,
  Delete,
  Extension,
  Get,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
  UploadedFile,
} from '@tsoa/runtime';
import type { UploadedFile as ReceivedFile } from '../domain/knowledge/uploaded-file.ts';
import { RestController } from './call.ts';
import type { ErrorBody } from './errors.ts';
import { graphql, run } from './execute.ts';

export interface ProjectQuery {
  /**
   * The project to act on: with an org-wide key only, and always then.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId?: string;
}

export interface DocumentListQuery extends ProjectQuery {
  /**
   * The page, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @default 1
   */
  readonly page?: number;
  /**
   * Documents per page.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @default 20
   */
  readonly limit?: number;
  /**
   * Only documents with this text in their name, in upper or lower case.
   * @maxLength 255
   * @example "return"
   */
  readonly search?: string;
}

export interface ProjectBody {
  /**
   * The project to act on: with an org-wide key only, and always then.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId?: string;
}

export interface CreateDocumentRequest extends ProjectBody {
  /**
   * What the document is called where it is listed and cited.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Returns policy"
   */
  readonly name: string;
  /**
   * The raw text.
   * @minLength 1
   * @maxLength 1000000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Items can be returned within 30 days of delivery."
   */
  readonly content: string;
}

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

export interface DocumentRecord {
  /**
   * Identifies the document.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly id: string;
  /**
   * The project it belongs to.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * The name it was created with, or that of the uploaded file.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly name: string;
  /**
   * `PROCESSING` until its chunks are indexed, then `READY`: used for answers and search. `FAILED` is
   * final until the document is retried.
   * @example "READY"
   */
  readonly status: 'PROCESSING' | 'READY' | 'FAILED';
  /**
   * `TEXT` was created from raw text, `FILE` was uploaded.
   * @example "FILE"
   */
  readonly sourceType: 'TEXT' | 'FILE';
  /**
   * The media type, told by the content, then by the file's name; never by what the client says it is.
   * @maxLength 255
   * @example "application/pdf"
   */
  readonly mimeType: string;
  /**
   * Size of the original, in bytes.
   * @isLong
   * @minimum 0
   * @example 48213
   */
  readonly sizeBytes: number;
  /**
   * SHA-256 of the original, in hexadecimal.
   * @pattern ^[0-9a-f]{64}$
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  readonly contentHash: string;
  /**
   * Pieces it is indexed in; 0 until it is `READY`.
   * @isInt
   * @minimum 0
   * @example 34
   */
  readonly chunkCount: number;
  /**
   * Tokens of all its chunks together; 0 until it is `READY`.
   * @isInt
   * @minimum 0
   * @example 7210
   */
  readonly tokenCount: number;
  /** Why a `FAILED` document failed, otherwise null. */
  readonly error: DocumentError | null;
  /**
   * When it was created.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * When anything of this record last changed.
   * @format date-time
   * @example "2026-11-21T09:30:04.120Z"
   */
  readonly updatedAt: string;
  /**
   * When processing ended, or null.
   * @format date-time
   * @example "2026-11-21T09:30:04.120Z"
   */
  readonly processedAt: string | null;
}

export interface DocumentError {
  /**
   * What programs branch on. `EMBEDDING_ERROR` and `INTERNAL` may pass: retry the document. The others lie in
   * the file.
   * @example "ENCRYPTED"
   */
  readonly code:
    | 'UNSUPPORTED_FILE'
    | 'EMPTY_TEXT'
    | 'ENCRYPTED'
    | 'CORRUPT_FILE'
    | 'TOO_LARGE'
    | 'EMBEDDING_ERROR'
    | 'INTERNAL';
  /**
   * What is wrong, for people.
   * @example "The file is protected with a password"
   */
  readonly message: string;
}

export interface DocumentPage {
  /** Newest first. */
  readonly data: DocumentRecord[];
  /**
   * The page this is, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 1
   */
  readonly page: number;
  /**
   * The most documents a page has.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @example 20
   */
  readonly limit: number;
  /**
   * How many there are on all pages.
   * @isInt
   * @minimum 0
   * @example 34
   */
  readonly total: number;
  /**
   * How many pages there are.
   * @isInt
   * @minimum 0
   * @example 2
   */
  readonly totalPages: number;
  /**
   * Whether a further page follows this one.
   * @example true
   */
  readonly hasMore: boolean;
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
export class KnowledgeController extends RestController {
  /**
   * Lists the project's documents, newest first.
   *
   * Needs the scope `knowledge:read`.
   * @summary List documents
   */
  @Get('documents')
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'A page of documents')
  async listDocuments(@Queries() query: DocumentListQuery): Promise<DocumentPage> {
    return (await run(this.call, documentPageDocument, query)).documentPage;
  }

  /**
   * Creates a document from raw text. Chunking and embedding run afterwards: poll the document until it
   * is `READY`.
   *
   * Needs the scope `knowledge:write`.
   * @summary Create a document from text
   */
  @Post('documents')
  @Extension('x-idempotent', true)
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse<{
    /** Where to read the document and its status. */
    Location: string;
  }>(201, 'Created, with status `PROCESSING`')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async createDocument(@Body() body: CreateDocumentRequest): Promise<DocumentRecord> {
    const { createDocument } = await run(this.call, createDocumentDocument, { input: body });
    return this.created(createDocument);
  }

  /**
   * Creates a document from a file: PDF, DOCX, TXT, CSV or Markdown. The type is told by the content,
   * then by the file's name, which becomes the document's name.
   *
   * Needs the scope `knowledge:write`.
   * @summary Upload a document
   * @param file The file, as the only part of the request.
   */
  @Post('documents/upload')
  @Extension('x-idempotent', true)
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse<{
    /** Where to read the document and its status. */
    Location: string;
  }>(201, 'Created, with status `PROCESSING`')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async uploadDocument(
    @UploadedFile() file: ReceivedFile,
    @Queries() query: ProjectQuery,
  ): Promise<DocumentRecord> {
    const input = { projectId: query.projectId, file };
    const { uploadDocument } = await run(this.call, uploadDocumentDocument, { input });
    return this.created(uploadDocument);
  }

  /**
   * Reads one document, for instance to wait until it is `READY`.
   *
   * Needs the scope `knowledge:read`.
   * @summary Get a document
   * @param documentId The document.
   * @example documentId "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  @Get('documents/{documentId}')
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'The document')
  async getDocument(
    @Path() documentId: string,
    @Queries() query: ProjectQuery,
  ): Promise<DocumentRecord> {
    const variables = { id: documentId, projectId: query.projectId };
    return (await run(this.call, documentDocument, variables)).document;
  }

  /**
   * Deletes a document with its file, its chunks and the work that is pending for it.
   *
   * Needs the scope `knowledge:write`.
   * @summary Delete a document
   * @param documentId The document.
   * @example documentId "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  @Delete('documents/{documentId}')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(204, 'Deleted')
  async deleteDocument(@Path() documentId: string, @Queries() query: ProjectQuery): Promise<void> {
    const input = { id: documentId, projectId: query.projectId };
    await run(this.call, deleteDocumentDocument, { input });
  }

  /**
   * Processes a document again that has `FAILED`. Any other gives 400.
   *
   * Needs the scope `knowledge:write`.
   * @summary Retry a failed document
   * @param documentId The document.
   * @example documentId "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  @Post('documents/{documentId}/retry')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(200, 'The document, with status `PROCESSING` again')
  async retryDocument(
    @Path() documentId: string,
    @Body() body?: ProjectBody,
  ): Promise<DocumentRecord> {
    const input = { id: documentId, projectId: body?.projectId };
    return (await run(this.call, retryDocumentDocument, { input })).retryDocument;
  }

  /**
   * Searches the project's documents, with the same retrieval that grounds the answers.
   *
   * Needs the scope `knowledge:read`.
   * @summary Search the knowledge
   */
  @Post('search')
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'The best matching chunks')
  async searchKnowledge(@Body() body: SearchRequest): Promise<SearchResponse> {
    return run(this.call, searchKnowledgeDocument, body);
  }

  private created(document: DocumentRecord): DocumentRecord {
    const { response } = this.call;
    response.setHeader('Location', `${response.req.baseUrl}/knowledge/documents/${document.id}`);
    return document;
  }
}

const documentFields = `id projectId name status sourceType mimeType sizeBytes contentHash chunkCount
  tokenCount error { code message } createdAt updatedAt processedAt`;

const documentPageDocument = graphql<{ readonly documentPage: DocumentPage }>(`
  query listDocuments($projectId: ID!, $page: Int, $limit: Int, $search: String) {
    documentPage(projectId: $projectId, page: $page, limit: $limit, search: $search) {
      data { ${documentFields} } page limit total totalPages hasMore
    }
  }
`);

const documentDocument = graphql<{ readonly document: DocumentRecord }>(`
  query getDocument($id: ID!, $projectId: ID!) {
    document(id: $id, projectId: $projectId) { ${documentFields} }
  }
`);

const createDocumentDocument = graphql<{ readonly createDocument: DocumentRecord }>(`
  mutation createDocument($input: CreateDocumentInput!) {
    createDocument(input: $input) { ${documentFields} }
  }
`);

const uploadDocumentDocument = graphql<{ readonly uploadDocument: DocumentRecord }>(`
  mutation uploadDocument($input: UploadDocumentInput!) {
    uploadDocument(input: $input) { ${documentFields} }
  }
`);

const deleteDocumentDocument = graphql<{ readonly deleteDocument: { readonly id: string } }>(`
  mutation deleteDocument($input: DocumentInput!) { deleteDocument(input: $input) { id } }
`);

const retryDocumentDocument = graphql<{ readonly retryDocument: DocumentRecord }>(`
  mutation retryDocument($input: DocumentInput!) {
    retryDocument(input: $input) { ${documentFields} }
  }
`);

const searchKnowledgeDocument = graphql<SearchResponse>(`
  query searchKnowledge($projectId: ID!, $query: String!, $limit: Int) {
    results: searchKnowledge(projectId: $projectId, query: $query, limit: $limit) {
      documentId documentName chunkId score content page startOffset endOffset
    }
  }
`);
