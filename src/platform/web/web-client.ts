/** Reads web addresses that come from untrusted users and pages. */
export interface WebClient {
  /**
   * Sends one request, by default GET. Does not follow redirects. Refuses private addresses as for webhooks. Throws
   * only if `signal` aborts.
   */
  send(request: WebRequest, signal: AbortSignal): Promise<WebResult>;
}

export interface WebRequest {
  /** An http or https address. */
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Default: 30 seconds. */
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
  /**
   * Values of the headers, by name in lower case. Values of a repeated header are joined by commas, those of
   * `x-robots-tag` by line feeds.
   */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The decompressed body. Empty unless the status is 200. */
  readonly body: Buffer;
}
