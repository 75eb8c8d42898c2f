/** Reads addresses that untrusted users and pages name. */
export interface WebClient {
  /**
   * Sends one GET request. Does not follow redirects. Private addresses are refused as for webhooks. Throws only if
   * `signal` aborts.
   */
  get(request: WebRequest, signal: AbortSignal): Promise<WebResult>;
}

export interface WebRequest {
  /** An http or https address. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum size of the decompressed body. */
  readonly maxBytes: number;
}

export type WebResult = WebResponse | { readonly type: 'failure'; readonly reason: string };

export interface WebResponse {
  readonly type: 'response';
  readonly status: number;
  /** Values of headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The decompressed body. Empty unless the status is 200. */
  readonly body: Buffer;
}
