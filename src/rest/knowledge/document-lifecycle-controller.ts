import {
  Body,
  Delete,
  Path,
  Post,
  Queries,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectBody, ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { type DocumentCount, type DocumentRecord, documentFields } from './document-record.ts';
import type { DocumentsRequest } from './document-requests.ts';

@Route('knowledge')
@Tags('Knowledge')
export class DocumentLifecycleController extends RestController {
  /**
   * Deletes a document with its file, its chunks and its pending jobs.
   * @summary Delete a document
   */
  @Delete('documents/{documentId}')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(204, 'Deleted')
  async deleteDocument(@Path() documentId: string, @Queries() query: ProjectQuery): Promise<void> {
    const input = { id: documentId, projectId: query.projectId };
    await executeGraphql(this.call, deleteDocumentMutation, { input });
  }

  /**
   * Processes a `FAILED` document again. If the document has another status, returns 400.
   * @summary Retry a failed document
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

  /**
   * Deletes documents with their files, their chunks and their pending jobs. Repeating the request is safe: documents
   * that were already deleted are not counted.
   * @summary Delete documents
   */
  @Post('documents/delete')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(200, 'The number of deleted documents')
  async deleteDocuments(@Body() body: DocumentsRequest): Promise<DocumentCount> {
    return executeGraphql(this.call, deleteDocumentsMutation, { input: body });
  }

  /**
   * Processes `FAILED` documents again. Documents with another status are ignored.
   * @summary Retry failed documents
   */
  @Post('documents/retry')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(200, 'The number of documents that are processed again')
  async retryDocuments(@Body() body: DocumentsRequest): Promise<DocumentCount> {
    return executeGraphql(this.call, retryDocumentsMutation, { input: body });
  }
}

const deleteDocumentMutation = graphql(`
  mutation deleteDocument($input: DeleteDocumentInput!) { deleteDocument(input: $input) { id } }
`);

const retryDocumentMutation = graphql(`
  mutation retryDocument($input: RetryDocumentInput!) {
    retryDocument(input: $input) { ${documentFields} }
  }
`);

const deleteDocumentsMutation = graphql(`
  mutation deleteDocuments($input: DeleteDocumentsInput!) { count: deleteDocuments(input: $input) }
`);

const retryDocumentsMutation = graphql(`
  mutation retryDocuments($input: RetryDocumentsInput!) { count: retryDocuments(input: $input) }
`);
