/** A webhook request. */
export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of one delivery attempt: the response, or the reason why there is none. */
export type WebhookResult = WebhookResponse | WebhookFailure;

export interface WebhookResponse {
  readonly type: 'response';
  readonly status: number;
  /** First 4,096 bytes of the response body as text, without NUL characters. */
  readonly excerpt: string;
  /** Value of the Retry-After header. */
  readonly retryAfter: string | null;
  /** Milliseconds from the request until the response headers arrived. */
  readonly latencyMs: number;
}

export interface WebhookFailure {
  readonly type: 'failure';
  /** Explanation that is shown to the owner of the endpoint. */
  readonly reason: string;
  readonly latencyMs: number;
}

/** Sends webhook messages to URLs that come from untrusted users. */
export interface WebhookSender {
  /** Whether private addresses and unencrypted HTTP are allowed. */
  readonly allowsPrivateTargets: boolean;
  /** Sends a message once. Does not follow redirects. Throws only if `signal` aborts before a response arrives. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookResult>;
}
