import type { PageFields, PageQuery } from '../request/pagination.ts';

export interface DeliveryListQuery extends PageQuery {
  /**
   * Only deliveries with this status.
   * @example "FAILED"
   */
  readonly status?: 'PENDING' | 'DELIVERED' | 'FAILED';
}

export interface DeliveryRecord {
  /**
   * Id of the delivery.
   * @format uuid
   * @example "01980a3e-2b3c-7d4e-8f50-6b7c8d9e0f1a"
   */
  readonly id: string;
  /**
   * Id of the project.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * Id of the webhook.
   * @format uuid
   * @example "01980a3e-1a2b-7c3d-8e4f-5a6b7c8d9e0f"
   */
  readonly webhookId: string;
  /**
   * Id of the event. Every attempt sends this id in the header `webhook-id`.
   * @format uuid
   * @example "01980a3e-2b3b-7a1c-9d2e-3f4a5b6c7d8e"
   */
  readonly eventId: string;
  /**
   * Type of the event. `webhook.test` for a test.
   * @maxLength 100
   * @example "human.requested"
   */
  readonly eventType: string;
  /**
   * `PENDING` before the first attempt and between attempts, `DELIVERED` after a response with 2xx, `FAILED` after the
   * last attempt.
   * @example "DELIVERED"
   */
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /**
   * Number of attempts so far.
   * @isInt
   * @minimum 0
   * @example 1
   */
  readonly attempts: number;
  /**
   * Time of the next attempt, or null.
   * @format date-time
   * @example "2026-11-21T09:35:00.000Z"
   */
  readonly nextAttemptAt: string | null;
  /**
   * HTTP status of the latest attempt. Null if there was no response.
   * @isInt
   * @minimum 100
   * @maximum 999
   * @example 204
   */
  readonly lastResponseStatus: number | null;
  /**
   * Duration of the latest attempt, in milliseconds. Null before the first one.
   * @isInt
   * @minimum 0
   * @example 87
   */
  readonly lastLatencyMs: number | null;
  /**
   * Time of creation.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time of the last change.
   * @format date-time
   * @example "2026-11-21T09:30:00.100Z"
   */
  readonly updatedAt: string;
}

export interface DeliveryPage extends PageFields {
  /** The deliveries, newest first. */
  readonly data: DeliveryRecord[];
}

export const deliveryFields =
  `id projectId webhookId: endpointId eventId eventType status attempts nextAttemptAt
  lastResponseStatus lastLatencyMs createdAt updatedAt` as const;
