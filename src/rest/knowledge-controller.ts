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
import type { ErrorBody } from '../http/errors.ts';
import type { UploadedFile as ReceivedFile } from '../platform/storage/uploaded-file.ts';
import { type DocumentRecord, documentFields } from './document-record.ts';
import { executeGraphql, graphql } from './execute-graphql.ts';
import { type PageFields, type PageQuery, pageFields } from './pagination.ts';
import type { ProjectBody, ProjectQuery } from './read-input.ts';
import { RestController } from './serve-operation.ts';

export interface DocumentListQuery extends PageQuery {
  /**
   * Only documents with this text in their name. Case-insensitive.
   * @maxLength 255
   * @example "return"
   */
  readonly search?: string;
}

export interface CreateDocumentRequest extends ProjectBody {
  /**
   * Name of the document in lists and citations.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Returns policy"
   */
  readonly name: string;
  /**
   * The raw text of the document.
   * @minLength 1
   * @maxLength 1000000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Items can be returned within 30 days of delivery."
   */
  readonly content: string;
}

export interface DocumentPage extends PageFields {
  /** The documents, newest first. */
  readonly data: DocumentRecord[];
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
    return (await executeGraphql(this.call, listDocumentsQuery, query)).documentPage;
  }

  /**
   * Creates a document from raw text. Chunking and embedding run in the background: poll the document until it
   * is `READY`.
   *
   * Needs the scope `knowledge:write`.
   * @summary Create a document from text
   */
  @Post('documents')
  @Extension('x-idempotent', true)
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse<{
    /** URL of the document. Poll it for the status. */
    Location: string;
  }>(201, 'Created, with status `PROCESSING`')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async createDocument(@Body() body: CreateDocumentRequest): Promise<DocumentRecord> {
    const { createDocument } = await executeGraphql(this.call, createDocumentMutation, {
      input: body,
    });
    return this.withLocationHeader(createDocument);
  }

  /**
   * Creates a document from a file. The type is detected from the content, then from the file name. Supported formats:
   * PDF, DOCX, TXT, CSV, Markdown, HTML, XLSX, PPTX, ODT, RTF, EPUB, EML, JSON, JSONL. The file name becomes the document's name.
   *
   * Needs the scope `knowledge:write`.
   * @summary Upload a document
   * @param file The file, as the only part of the request.
   */
  @Post('documents/upload')
  @Extension('x-idempotent', true)
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse<{
    /** URL of the document. Poll it for the status. */
    Location: string;
  }>(201, 'Created, with status `PROCESSING`')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async uploadDocument(
    @UploadedFile() file: ReceivedFile,
    @Queries() query: ProjectQuery,
  ): Promise<DocumentRecord> {
    const input = { projectId: query.projectId, file };
    const { uploadDocument } = await executeGraphql(this.call, uploadDocumentMutation, { input });
    return this.withLocationHeader(uploadDocument);
  }

  /**
   * Reads one document, for example to wait until it is `READY`.
   *
   * Needs the scope `knowledge:read`.
   * @summary Get a document
   * @param documentId Id of the document.
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
    return (await executeGraphql(this.call, getDocumentQuery, variables)).document;
  }

  /**
   * Deletes a document with its file, its chunks and its pending jobs.
   *
   * Needs the scope `knowledge:write`.
   * @summary Delete a document
   * @param documentId Id of the document.
   * @example documentId "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  @Delete('documents/{documentId}')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(204, 'Deleted')
  async deleteDocument(@Path() documentId: string, @Queries() query: ProjectQuery): Promise<void> {
    const input = { id: documentId, projectId: query.projectId };
    await executeGraphql(this.call, deleteDocumentMutation, { input });
  }

  /**
   * Processes a `FAILED` document again. A document with another status returns 400.
   *
   * Needs the scope `knowledge:write`.
   * @summary Retry a failed document
   * @param documentId Id of the document.
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
    return (await executeGraphql(this.call, retryDocumentMutation, { input })).retryDocument;
  }

  private withLocationHeader(document: DocumentRecord): DocumentRecord {
    const { response } = this.call;
    response.setHeader('Location', `${response.req.baseUrl}/knowledge/documents/${document.id}`);
    return document;
  }
}

const listDocumentsQuery = graphql<{ readonly documentPage: DocumentPage }>(`
  query listDocuments($projectId: ID!, $page: Int, $limit: Int, $search: String) {
    documentPage(projectId: $projectId, page: $page, limit: $limit, search: $search) {
      data { ${documentFields} } ${pageFields}
    }
  }
`);

const getDocumentQuery = graphql<{ readonly document: DocumentRecord }>(`
  query getDocument($id: ID!, $projectId: ID!) {
    document(id: $id, projectId: $projectId) { ${documentFields} }
  }
`);

const createDocumentMutation = graphql<{ readonly createDocument: DocumentRecord }>(`
  mutation createDocument($input: CreateDocumentInput!) {
    createDocument(input: $input) { ${documentFields} }
  }
`);

const uploadDocumentMutation = graphql<{ readonly uploadDocument: DocumentRecord }>(`
  mutation uploadDocument($input: UploadDocumentInput!) {
    uploadDocument(input: $input) { ${documentFields} }
  }
`);

const deleteDocumentMutation = graphql<{ readonly deleteDocument: { readonly id: string } }>(`
  mutation deleteDocument($input: DocumentInput!) { deleteDocument(input: $input) { id } }
`);

const retryDocumentMutation = graphql<{ readonly retryDocument: DocumentRecord }>(`
  mutation retryDocument($input: DocumentInput!) {
    retryDocument(input: $input) { ${documentFields} }
  }
`);
