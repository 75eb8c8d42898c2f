import type { PageFields, PageQuery } from '../request/pagination.ts';

export interface DeliveryListQuery extends PageQuery {
  /**
   * Only deliveries with this status.
   * @example "FAILED"
   */
  readonly status?: 'PENDING' | 'DELIVERED' | 'FAILED';
}

export interface DeliveryRecord {
  readonly id: string;
  readonly projectId: string;
  /**
   * Id of the webhook.
   * @format uuid
   * @example "01980a3e-1a2b-7c3d-8e4f-5a6b7c8d9e0f"
   */
  readonly webhookId: string;
  /** Id of the event. Every attempt sends this id in the header `webhook-id`. */
  readonly eventId: string;
  /**
   * @maxLength 100
   * @example "human.requested"
   */
  readonly eventType: string;
  /**
   * `PENDING` before the first attempt and between attempts, `DELIVERED` after a response with 2xx, `FAILED` after the last attempt.
   */
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  /**
   * @isInt
   * @minimum 100
   * @maximum 999
   * @example 204
   */
  readonly lastResponseStatus: number | null;
  readonly lastLatencyMs: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DeliveryPage extends PageFields {
  /** The deliveries, newest first. */
  readonly data: DeliveryRecord[];
}

export const deliveryFields =
  `id projectId webhookId: endpointId eventId eventType status attempts nextAttemptAt
  lastResponseStatus lastLatencyMs createdAt updatedAt` as const;
