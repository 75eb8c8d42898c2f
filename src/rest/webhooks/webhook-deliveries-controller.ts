import {
  Body,
  Get,
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
import { pageFields } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import {
  type DeliveryListQuery,
  type DeliveryPage,
  type DeliveryRecord,
  deliveryFields,
} from './delivery-record.ts';

@Route('webhooks')
@Tags('Webhooks')
@Security('apiKey', ['webhooks:write'])
export class WebhookDeliveriesController extends RestController {
  /**
   * Sends an event of type `webhook.test` to a webhook, even if the webhook does not receive this type. Signature,
   * retries and log are the same as for other events.
   * @summary Test a webhook
   */
  @Post('{webhookId}/test')
  @SuccessResponse(201, 'The delivery, with status `PENDING`')
  @Response<ErrorBody>(409, 'The webhook is disabled (`CONFLICT`)')
  async sendTestWebhook(
    @Path() webhookId: string,
    @Body() body?: ProjectBody,
  ): Promise<DeliveryRecord> {
    const input = { ...body, endpointId: webhookId };
    return (await executeGraphql(this.call, testMutation, { input })).sendTestWebhook;
  }

  /**
   * Lists the deliveries of a webhook, newest first.
   * @summary List deliveries
   */
  @Get('{webhookId}/deliveries')
  @SuccessResponse(200, 'A page of deliveries')
  async listWebhookDeliveries(
    @Path() webhookId: string,
    @Queries() query: DeliveryListQuery,
  ): Promise<DeliveryPage> {
    const variables = { ...query, endpointId: webhookId };
    return (await executeGraphql(this.call, listQuery, variables)).webhookDeliveryPage;
  }

  /**
   * Sends a delivery again at once, with the same `webhook-id`. The delivery may have any status. If the attempt fails,
   * the retries start from the beginning.
   * @summary Send a delivery again
   */
  @Post('deliveries/{deliveryId}/redeliver')
  @SuccessResponse(200, 'The delivery, with status `PENDING`')
  @Response<ErrorBody>(409, 'The webhook is disabled (`CONFLICT`)')
  async redeliverWebhook(
    @Path() deliveryId: string,
    @Body() body?: ProjectBody,
  ): Promise<DeliveryRecord> {
    const input = { ...body, deliveryId };
    return (await executeGraphql(this.call, redeliverMutation, { input })).redeliverWebhook;
  }
}

const testMutation = graphql(`
  mutation sendTestWebhook($input: SendTestWebhookInput!) {
    sendTestWebhook(input: $input) { ${deliveryFields} }
  }
`);

const listQuery = graphql(`
  query listWebhookDeliveries(
    $projectId: ID!, $endpointId: ID!, $page: Int, $limit: Int, $status: WebhookDeliveryStatus
  ) {
    webhookDeliveryPage(
      projectId: $projectId, endpointId: $endpointId, page: $page, limit: $limit, status: $status
    ) {
      data { ${deliveryFields} } ${pageFields}
    }
  }
`);

const redeliverMutation = graphql(`
  mutation redeliverWebhook($input: RedeliverWebhookInput!) {
    redeliverWebhook(input: $input) { ${deliveryFields} }
  }
`);
