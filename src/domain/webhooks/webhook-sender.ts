/** One message as it goes over the wire. */
export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of sending a message: what the receiver has answered, or why there is no answer. */
export type WebhookAnswer = WebhookResponse | WebhookFailure;

export interface WebhookResponse {
  readonly type: 'response';
  readonly status: number;
  /** The beginning of the body, as text without NUL characters. */
  readonly excerpt: string;
  readonly retryAfter: string | null;
  /** Until the status was there. */
  readonly latencyMs: number;
}

export interface WebhookFailure {
  readonly type: 'failure';
  /** For the endpoint's owner to read. */
  readonly reason: string;
  readonly latencyMs: number;
}

/** Sends messages to places that anyone may have named. */
export interface WebhookSender {
  /** Whether messages may go to private addresses, and unencrypted. */
  readonly allowsPrivateTargets: boolean;
  /** Sends a message once, and follows no redirect. Throws only when `signal` aborts before there is an answer. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer>;
}
