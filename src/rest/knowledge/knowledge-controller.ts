import {
  Body,
  Extension,
  FormField,
  Get,
  Patch,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
  UploadedFile,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import {
  isUploadedFile,
  type UploadedFile as ReceivedFile,
} from '../../platform/storage/uploaded-file.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { type PageFields, pageFields } from '../request/pagination.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { sendAndStoreJson } from '../request/serve-operation.ts';
import {
  type DocumentRecord,
  documentFields,
  type WrittenDocument,
  writtenDocumentFields,
} from './document-record.ts';
import type {
  CreateDocumentRequest,
  DocumentListQuery,
  UpdateDocumentRequest,
} from './document-requests.ts';

export interface DocumentPage extends PageFields {
  /** The documents, newest first. */
  readonly data: DocumentRecord[];
}

@Route('knowledge')
@Tags('Knowledge')
export class KnowledgeController extends RestController {
  /**
   * Lists the project's documents, newest first.
   * @summary List documents
   */
  @Get('documents')
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'A page of documents')
  async listDocuments(@Queries() query: DocumentListQuery): Promise<DocumentPage> {
    return (await executeGraphql(this.call, listDocumentsQuery, query)).documentPage;
  }

  /**
   * Creates a document from raw text. Chunking and embedding run in the background: poll the document until it is
   * `READY`. If the project already has a document with the `externalId`, replaces that document, as `PUT` does.
   * @summary Create a document from text
   */
  @Post('documents')
  @Extension('x-idempotent', true)
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse<{
    /** URL of the document. Poll it for the status. */
    Location: string;
  }>(201, 'Created, with status `PROCESSING`')
  @Response<WrittenDocument>(200, 'The document with the `externalId`, replaced')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async createDocument(@Body() body: CreateDocumentRequest): Promise<WrittenDocument | undefined> {
    const input = { input: body };
    return this.sendWritten((await executeGraphql(this.call, createMutation, input)).document);
  }

  /**
   * Creates a document from a file. The type is detected from the content, then from the file name. Supported formats:
   * PDF, DOCX, TXT, CSV, Markdown, HTML, XLSX, PPTX, ODT, RTF, EPUB, EML, JSON, JSONL, PNG, JPEG, WebP, TIFF. The file
   * name becomes the document's name. If the project already has a document with the `externalId`, replaces that
   * document, as `PUT` does.
   * @summary Upload a document
   * @param file The file, as the only part with a file.
   * @param externalId Your own id of the document, unique in the project.
   * @minLength externalId 1
   * @maxLength externalId 255
   * @example externalId "handbook/returns"
   * @param metadata Your own values as JSON text, as in the request from text.
   * @maxLength metadata 65536
   * @example metadata "{\"region\": \"eu\"}"
   * @param sourceUrl Address at which people find the document: http or https.
   * @minLength sourceUrl 1
   * @maxLength sourceUrl 2048
   * @example sourceUrl "https://example.com/handbook/returns"
   * @param tags A label of at most 100 characters. Repeat the part for each of at most 20 labels.
   * @maxItems tags 20
   * @example tags ["hr", "policy"]
   */
  @Post('documents/upload')
  @Extension('x-idempotent', true)
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse<{
    /** URL of the document. Poll it for the status. */
    Location: string;
  }>(201, 'Created, with status `PROCESSING`')
  @Response<WrittenDocument>(200, 'The document with the `externalId`, replaced')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async uploadDocument(
    @UploadedFile() file: ReceivedFile,
    @Queries() query: ProjectQuery,
    @FormField() externalId?: string,
    @FormField() metadata?: CreateDocumentRequest['metadata'],
    @FormField() sourceUrl?: string,
    @FormField() tags?: string[],
  ): Promise<WrittenDocument | undefined> {
    const { projectId } = query;
    const input = { projectId, file, externalId, metadata, sourceUrl, tags };
    return this.sendWritten((await executeGraphql(this.call, uploadMutation, { input })).document);
  }

  /**
   * Replaces the content of a document. The document keeps its id. Send JSON as for a new document from text, or
   * multipart form data as for an upload. Searches use the old content until the new content is indexed. Chunks that
   * did not change are not embedded again. If the content is the same, the status stays, and nothing is indexed. Fields
   * that are left out keep their values. If the new content cannot be read, the document becomes `FAILED`, and searches
   * still use the old content.
   * @summary Replace a document
   */
  @Put('documents/{documentId}')
  @Extension('x-idempotent', true)
  @Extension('x-form-of', 'uploadDocument')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(200, 'The document, with status `PROCESSING` and the next version')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'Another document has the `externalId` (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async replaceDocument(
    @Path() documentId: string,
    @Body() body: CreateDocumentRequest,
  ): Promise<WrittenDocument> {
    const file = 'file' in body ? body.file : null;
    if (!isUploadedFile(file)) {
      const input = { ...body, id: documentId };
      return recordOf((await executeGraphql(this.call, replaceMutation, { input })).document);
    }
    const { projectId, externalId, metadata, sourceUrl, tags } = body;
    const input = { projectId, id: documentId, file, externalId, metadata, sourceUrl, tags };
    return recordOf((await executeGraphql(this.call, replaceFileMutation, { input })).document);
  }

  /**
   * Changes the name or the details of a document. The text of the document is not indexed again. Fields that are left
   * out keep their values.
   * @summary Change a document
   */
  @Patch('documents/{documentId}')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(200, 'The changed document')
  @Response<ErrorBody>(409, 'Another document has the `externalId` (`CONFLICT`)')
  async updateDocument(
    @Path() documentId: string,
    @Body() body: UpdateDocumentRequest,
  ): Promise<DocumentRecord> {
    const input = { ...body, id: documentId };
    return (await executeGraphql(this.call, updateMutation, { input })).updateDocument;
  }

  /**
   * Reads one document, for example to wait until it is `READY`.
   * @summary Get a document
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

  /** Sends 201 with the URL of a new document. Sends 200 for a document that was replaced. */
  private async sendWritten(document: WrittenRow): Promise<WrittenDocument | undefined> {
    const { response } = this.call;
    const record = recordOf(document);
    if (document.outcome === 'CREATED') {
      response.setHeader('Location', `${response.req.baseUrl}/knowledge/documents/${record.id}`);
      return record;
    }
    await sendAndStoreJson(this.call, 200, record);
    return undefined;
  }
}

type WrittenRow = WrittenDocument & { readonly outcome: string | null };

function recordOf({ outcome: _, ...record }: WrittenRow): WrittenDocument {
  return record;
}

const listDocumentsQuery = graphql(`
  query listDocuments($projectId: ID!, $page: Int, $limit: Int, $search: String, $status: DocumentStatus,
    $externalId: String, $tag: String, $sourceId: ID) {
    documentPage(projectId: $projectId, page: $page, limit: $limit, search: $search, status: $status,
      externalId: $externalId, tag: $tag, sourceId: $sourceId) {
      data { ${documentFields} } ${pageFields}
    }
  }
`);

const getDocumentQuery = graphql(`
  query getDocument($id: ID!, $projectId: ID!) {
    document(id: $id, projectId: $projectId) { ${documentFields} }
  }
`);

const createMutation = graphql(`
  mutation createDocument($input: CreateDocumentInput!) {
    document: createDocument(input: $input) { ${writtenDocumentFields} }
  }
`);

const uploadMutation = graphql(`
  mutation uploadDocument($input: UploadDocumentInput!) {
    document: uploadDocument(input: $input) { ${writtenDocumentFields} }
  }
`);

const replaceMutation = graphql(`
  mutation replaceDocument($input: ReplaceDocumentInput!) {
    document: replaceDocument(input: $input) { ${writtenDocumentFields} }
  }
`);

const replaceFileMutation = graphql(`
  mutation replaceDocumentFile($input: ReplaceDocumentFileInput!) {
    document: replaceDocumentFile(input: $input) { ${writtenDocumentFields} }
  }
`);

const updateMutation = graphql(`
  mutation updateDocument($input: UpdateDocumentInput!) {
    updateDocument(input: $input) { ${documentFields} }
  }
`);
