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
import {
  type CreateWebhookRequest,
  type RotationRequest,
  type UpdateWebhookRequest,
  type WebhookPage,
  type WebhookRecord,
  type WebhookWithSecret,
  webhookFields,
} from './webhook-record.ts';

@Route('webhooks')
@Tags('Webhooks')
@Security('apiKey', ['webhooks:write'])
export class WebhooksController extends RestController {
  /**
   * Lists the project's webhooks, newest first. A project has at most 20.
   * @summary List webhooks
   */
  @Get()
  @SuccessResponse(200, 'A page of webhooks')
  async listWebhookEndpoints(@Queries() query: PageQuery): Promise<WebhookPage> {
    return (await executeGraphql(this.call, listQuery, query)).webhookEndpointPage;
  }

  /**
   * Creates a webhook: an address that receives events of the project as [Standard
   * Webhooks](https://www.standardwebhooks.com). The response contains the secret of the webhook, which cannot be read
   * again.
   * @summary Create a webhook
   */
  @Post()
  @Extension('x-idempotent', true)
  @Extension('x-returns-secret', true)
  @SuccessResponse(201, 'The webhook and its secret')
  @Response<ErrorBody>(
    409,
    'The project already has 20 webhooks (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async createWebhookEndpoint(@Body() body: CreateWebhookRequest): Promise<WebhookWithSecret> {
    const created = await executeGraphql(this.call, createMutation, { input: body });
    return withSecret(created.createWebhookEndpoint);
  }

  /**
   * Reads one webhook.
   * @summary Get a webhook
   */
  @Get('{webhookId}')
  @SuccessResponse(200, 'The webhook')
  async getWebhookEndpoint(
    @Path() webhookId: string,
    @Queries() query: ProjectQuery,
  ): Promise<WebhookRecord> {
    const variables = { id: webhookId, projectId: query.projectId };
    return (await executeGraphql(this.call, getQuery, variables)).webhookEndpoint;
  }

  /**
   * Changes, disables or enables a webhook. Omitted fields stay unchanged. A disabled webhook receives no events.
   * @summary Change a webhook
   */
  @Patch('{webhookId}')
  @SuccessResponse(200, 'The changed webhook')
  async updateWebhookEndpoint(
    @Path() webhookId: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookRecord> {
    const input = { ...body, id: webhookId };
    return (await executeGraphql(this.call, updateMutation, { input })).updateWebhookEndpoint;
  }

  /**
   * Deletes a webhook and its deliveries.
   * @summary Delete a webhook
   */
  @Delete('{webhookId}')
  @SuccessResponse(204, 'Deleted')
  async deleteWebhookEndpoint(
    @Path() webhookId: string,
    @Queries() query: ProjectQuery,
  ): Promise<void> {
    const input = { id: webhookId, projectId: query.projectId };
    await executeGraphql(this.call, deleteMutation, { input });
  }

  /**
   * Replaces the signing secret. During the overlap, events are signed with both secrets. The response contains the new
   * secret, which cannot be read again.
   * @summary Rotate the secret of a webhook
   */
  @Post('{webhookId}/rotate-secret')
  @Extension('x-idempotent', true)
  @Extension('x-returns-secret', true)
  @SuccessResponse(200, 'The webhook and its new secret')
  @Response<ErrorBody>(
    409,
    'The secret was changed at the same time (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async rotateWebhookSecret(
    @Path() webhookId: string,
    @Body() body?: RotationRequest,
  ): Promise<WebhookWithSecret> {
    const input = { ...body, id: webhookId };
    const rotated = await executeGraphql(this.call, rotateMutation, { input });
    return withSecret(rotated.rotateWebhookSecret);
  }
}

interface NewSecret {
  readonly secret: string;
  readonly endpoint: WebhookRecord;
}

function withSecret({ secret, endpoint }: NewSecret): WebhookWithSecret {
  return { ...endpoint, secret };
}

const listQuery = graphql(`
  query listWebhookEndpoints($projectId: ID!, $page: Int, $limit: Int) {
    webhookEndpointPage(projectId: $projectId, page: $page, limit: $limit) {
      data { ${webhookFields} } ${pageFields}
    }
  }
`);

const getQuery = graphql(`
  query getWebhookEndpoint($id: ID!, $projectId: ID!) {
    webhookEndpoint(id: $id, projectId: $projectId) { ${webhookFields} }
  }
`);

const createMutation = graphql(`
  mutation createWebhookEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { secret endpoint { ${webhookFields} } }
  }
`);

const updateMutation = graphql(`
  mutation updateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) { ${webhookFields} }
  }
`);

const deleteMutation = graphql(`
  mutation deleteWebhookEndpoint($input: DeleteWebhookEndpointInput!) {
    deleteWebhookEndpoint(input: $input) { id }
  }
`);

const rotateMutation = graphql(`
  mutation rotateWebhookSecret($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) { secret endpoint { ${webhookFields} } }
  }
`);
