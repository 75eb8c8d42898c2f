/** Reads addresses that untrusted users and pages name. */
export interface WebClient {
  /**
   * Sends one request, GET by default. Does not follow redirects. Private addresses are refused as for webhooks. Throws only if
   * `signal` aborts.
   */
  send(request: WebRequest, signal: AbortSignal): Promise<WebResult>;
}

export interface WebRequest {
  /** An http or https address. */
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** 30 seconds by default. */
  readonly timeoutMs?: number;
  /** Maximum size of the decompressed body. */
  readonly maxBytes: number;
}

export type WebResult = WebResponse | WebFailure;

export interface WebFailure {
  readonly type: 'failure';
  readonly reason: string;
  /** Whether the body exceeds `maxBytes`. */
  readonly isTooLarge?: boolean;
  /** Whether the target is a private address. */
  readonly isPrivate?: boolean;
}

export interface WebResponse {
  readonly type: 'response';
  readonly status: number;
  /** Values of headers by name in lower case. Repeated ones are joined by commas, `x-robots-tag` by line feeds. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The decompressed body. Empty unless the status is 200. */
  readonly body: Buffer;
}
