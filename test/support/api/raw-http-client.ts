import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { assertDocumentedResponse } from './openapi-response.ts';

/** A raw request. Client libraries refuse to send some of these requests. */
export interface RawHttpRequest {
  readonly method: string;
  /** Path below `/api/v1`, including the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface RawHttpResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends raw requests over keep-alive connections. Rejects if the OpenAPI document does not describe the response. */
export class RawHttpClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async send({ method, target, headers, body }: RawHttpRequest): Promise<RawHttpResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<RawHttpResponse>();
    const sent = httpRequest(this.#origin, {
      agent: this.#agent,
      method,
      path: `/api/v1${target}`,
      headers: { ...headers, ...(body !== null && { 'Content-Length': body.length }) },
      timeout: 20_000,
    });
    sent.once('timeout', () => sent.destroy(new Error('The service does not answer')));
    sent.once('error', reject);
    sent.once('response', (response) => {
      const status = response.statusCode ?? 0;
      const answerHeaders = new Headers();
      for (const [name, values = []] of Object.entries(response.headersDistinct)) {
        for (const value of values) answerHeaders.append(name, value);
      }
      const path = target.replace(/[?#].*$/s, '');
      text(response)
        .then((answer) => {
          assertDocumentedResponse({ method, path, status, headers: answerHeaders }, answer);
          resolve({ status, body: answer });
        })
        .catch(reject);
    });
    sent.end(body);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Formats a request for an error message. */
export function formatRequest({ method, target, headers, body }: RawHttpRequest): string {
  const lines = Object.entries(headers)
    .filter(([name]) => name !== 'Authorization')
    .map(([name, value]) => `${name}: ${value}`);
  const shown = body === null ? '(no body)' : JSON.stringify(body.toString('latin1').slice(0, 400));
  return [`${method} ${target.slice(0, 300)}`, ...lines, shown].join('\n');
}
