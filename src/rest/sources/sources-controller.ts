import {
  Body,
  Delete,
  Extension,
  Get,
  Patch,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { type PageQuery, pageFields } from '../request/pagination.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { type SourcePage, type SourceRecord, sourceFields, sourceRecord } from './source-record.ts';
import type {
  CreateSourceRequest,
  SyncSourceRequest,
  UpdateSourceRequest,
} from './source-request.ts';
import { runFields, type SourceRunPage, type SourceRunRecord } from './source-run-record.ts';

@Route('knowledge/sources')
@Tags('Sources')
export class SourcesController extends RestController {
  /**
   * Lists the project's sources, newest first. A project has at most 50.
   * @summary List sources
   */
  @Get()
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'A page of sources')
  async listSources(@Queries() query: PageQuery): Promise<SourcePage> {
    const { data, ...page } = (await executeGraphql(this.call, listQuery, query)).sourcePage;
    return { data: data.map(sourceRecord), ...page };
  }

  /**
   * Creates a source: a website, a Git repository, an S3 bucket or a Notion workspace. Its pages or files become
   * documents and follow its changes. The first run starts on schedule, or with `POST …/sync`.
   * @summary Create a source
   */
  @Post()
  @Security('apiKey', ['knowledge:write'])
  @Extension('x-idempotent', true)
  @SuccessResponse(201, 'The source')
  @Response<ErrorBody>(
    409,
    'The project already has 50 sources (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async createSource(@Body() body: CreateSourceRequest): Promise<SourceRecord> {
    return sourceRecord(
      (await executeGraphql(this.call, createMutation, { input: body })).createSource,
    );
  }

  /**
   * Reads one source with its latest run, for example to follow the run.
   * @summary Get a source
   */
  @Get('{sourceId}')
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'The source')
  async getSource(@Path() sourceId: string, @Queries() query: ProjectQuery): Promise<SourceRecord> {
    const variables = { id: sourceId, projectId: query.projectId };
    return sourceRecord((await executeGraphql(this.call, getQuery, variables)).source);
  }

  /**
   * Changes, pauses or resumes a source. Omitted fields stay unchanged, also those of `config`. A run in progress keeps
   * the earlier configuration.
   * @summary Change a source
   */
  @Patch('{sourceId}')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(200, 'The changed source')
  async updateSource(
    @Path() sourceId: string,
    @Body() body: UpdateSourceRequest,
  ): Promise<SourceRecord> {
    const input = { ...body, id: sourceId };
    return sourceRecord((await executeGraphql(this.call, updateMutation, { input })).updateSource);
  }

  /**
   * Deletes a source, stops its run and deletes its documents. Deleting the documents may take a while.
   * @summary Delete a source
   */
  @Delete('{sourceId}')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(204, 'Deleted')
  async deleteSource(@Path() sourceId: string, @Queries() query: ProjectQuery): Promise<void> {
    const input = { id: sourceId, projectId: query.projectId };
    await executeGraphql(this.call, deleteMutation, { input });
  }

  /**
   * Starts a run of the source. If a run is already in progress, returns that run. If more than a third of the
   * documents, and more than five, are no longer in the source, the run keeps them unless `confirmRemovals` is true.
   * @summary Start a run
   */
  @Post('{sourceId}/sync')
  @Security('apiKey', ['knowledge:write'])
  @SuccessResponse(202, 'The run, which is in progress')
  @Response<ErrorBody>(409, 'The source is paused (`CONFLICT`)')
  async syncSource(
    @Path() sourceId: string,
    @Body() body?: SyncSourceRequest,
  ): Promise<SourceRunRecord> {
    const input = { ...body, id: sourceId };
    return (await executeGraphql(this.call, syncMutation, { input })).syncSource;
  }

  /**
   * Lists the runs of a source, newest first. The latest 100 are kept.
   * @summary List runs
   */
  @Get('{sourceId}/runs')
  @Security('apiKey', ['knowledge:read'])
  @SuccessResponse(200, 'A page of runs')
  async listSourceRuns(
    @Path() sourceId: string,
    @Queries() query: PageQuery,
  ): Promise<SourceRunPage> {
    const variables = { ...query, id: sourceId };
    return (await executeGraphql(this.call, runsQuery, variables)).sourceRunPage;
  }
}

const listQuery = graphql(`
  query listSources($projectId: ID!, $page: Int, $limit: Int) {
    sourcePage(projectId: $projectId, page: $page, limit: $limit) {
      data { ${sourceFields} } ${pageFields}
    }
  }
`);

const getQuery = graphql(`
  query getSource($id: ID!, $projectId: ID!) {
    source(id: $id, projectId: $projectId) { ${sourceFields} }
  }
`);

const createMutation = graphql(`
  mutation createSource($input: CreateSourceInput!) {
    createSource(input: $input) { ${sourceFields} }
  }
`);

const updateMutation = graphql(`
  mutation updateSource($input: UpdateSourceInput!) {
    updateSource(input: $input) { ${sourceFields} }
  }
`);

const deleteMutation = graphql(`
  mutation deleteSource($input: DeleteSourceInput!) {
    deleteSource(input: $input) { id }
  }
`);

const syncMutation = graphql(`
  mutation syncSource($input: SyncSourceInput!) {
    syncSource(input: $input) { ${runFields} }
  }
`);

const runsQuery = graphql(`
  query listSourceRuns($id: ID!, $projectId: ID!, $page: Int, $limit: Int) {
    sourceRunPage(id: $id, projectId: $projectId, page: $page, limit: $limit) {
      data { ${runFields} } ${pageFields}
    }
  }
`);
