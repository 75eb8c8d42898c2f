import type { Readable } from 'node:stream';
import {
  Get,
  Path,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { sendStoredFile } from '../../http/send-stored-file.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import type { DocumentContent } from './document-record.ts';

@Route('knowledge')
@Tags('Knowledge')
@Security('apiKey', ['knowledge:read'])
export class DocumentContentController extends RestController {
  /**
   * Reads the text of a document. The offsets of citations and search results are positions in this text.
   * @summary Read the text of a document
   */
  @Get('documents/{documentId}/content')
  @SuccessResponse(200, 'The text')
  @Response<ErrorBody>(409, 'The document was never `READY`, so it has no text (`CONFLICT`)')
  async getDocumentContent(
    @Path() documentId: string,
    @Queries() query: ProjectQuery,
  ): Promise<DocumentContent> {
    const variables = { id: documentId, projectId: query.projectId };
    return (await executeGraphql(this.call, textQuery, variables, { isWhole: true })).documentText;
  }

  /**
   * Downloads the original file or text of the latest version of a document. The response has the name and media type
   * of the document.
   * @summary Download the original of a document
   */
  @Get('documents/{documentId}/original')
  @SuccessResponse<{
    /** `attachment`, with the name of the document. */
    'Content-Disposition': string;
  }>(200, 'The file', '*/*')
  async getDocumentOriginal(
    @Path() documentId: string,
    @Queries() query: ProjectQuery,
  ): Promise<Readable | undefined> {
    const variables = { id: documentId, projectId: query.projectId };
    const { documentOriginal } = await executeGraphql(this.call, originalQuery, variables);
    const { response, context } = this.call;
    await sendStoredFile(response, documentOriginal, context.signal);
    return undefined;
  }
}

const textQuery = graphql(`
  query getDocumentContent($id: ID!, $projectId: ID!) {
    documentText(id: $id, projectId: $projectId) { text version }
  }
`);

const originalQuery = graphql(`
  query getDocumentOriginal($id: ID!, $projectId: ID!) {
    documentOriginal(id: $id, projectId: $projectId) { name mimeType sizeBytes file }
  }
`);
