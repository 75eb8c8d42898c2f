import type { WebhookEventType } from '../../domain/webhooks/webhook-event-types.ts';
import type { PageFields } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';

export interface CreateWebhookRequest extends ProjectBody {
  /**
   * The https address that receives events. Private addresses are refused when an event is sent.
   * @minLength 1
   * @maxLength 2000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "https://example.com/hooks/grounded"
   */
  readonly url: string;
  /**
   * Event types to receive. Default: all.
   * @minItems 1
   * @maxItems 20
   * @example ["human.requested", "message.created"]
   */
  readonly types?: WebhookEventType[];
}

export interface UpdateWebhookRequest extends ProjectBody {
  /**
   * The https address that receives events.
   * @minLength 1
   * @maxLength 2000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "https://example.com/hooks/grounded"
   */
  readonly url?: string;
  /**
   * Event types to receive.
   * @minItems 1
   * @maxItems 20
   * @example ["human.requested", "message.created"]
   */
  readonly types?: WebhookEventType[];
  /**
   * False disables the webhook, true enables it again.
   * @example false
   */
  readonly isEnabled?: boolean;
}

export interface RotationRequest extends ProjectBody {
  /**
   * Seconds for which the old secret stays valid, at most 30 days.
   * @isInt
   * @minimum 0
   * @maximum 2592000
   * @default 86400
   */
  readonly overlapSeconds?: number;
}

export interface WebhookRecord {
  readonly id: string;
  readonly projectId: string;
  /**
   * The address that receives events.
   * @maxLength 2000
   * @example "https://example.com/hooks/grounded"
   */
  readonly url: string;
  /**
   * Event types that the webhook receives.
   * @example ["human.requested", "message.created"]
   */
  readonly types: string[];
  readonly isEnabled: boolean;
  /** Time when the webhook was disabled. Null while it is enabled. */
  readonly disabledAt: string | null;
  /**
   * @maxLength 500
   * @example "Disabled by hand"
   */
  readonly disabledReason: string | null;
  readonly previousSecretExpiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WebhookWithSecret extends WebhookRecord {
  /**
   * The signing secret of Standard Webhooks. Store it now: it cannot be read again.
   * @pattern ^whsec_[A-Za-z0-9+/=]+$
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
   */
  readonly secret: string;
}

export interface WebhookPage extends PageFields {
  /** The webhooks, newest first. */
  readonly data: WebhookRecord[];
}

export const webhookFields =
  'id projectId url types isEnabled disabledAt disabledReason previousSecretExpiresAt createdAt updatedAt';
