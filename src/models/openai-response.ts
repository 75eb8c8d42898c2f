import { modelFailure } from './model-failure.ts';

/**
 * Yields the body of a response as it arrives, then null. Fails with MODEL_ERROR above `maxBytes`. Counts bytes instead
 * of events, so that a line that never ends is also bounded.
 */
export async function* readBytes(
  { body }: Response,
  maxBytes: number,
): AsyncGenerator<Uint8Array | null> {
  const reader = body?.getReader();
  let received = 0;
  try {
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done) break;
      received += read.value.byteLength;
      if (received > maxBytes) throw modelFailure('The response of the model server is too large');
      yield read.value;
    }
    yield null;
  } finally {
    // Closes the connection if the body was not read to its end. It may already have failed.
    void reader?.cancel().catch(() => {});
  }
}

/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws DomainError MODEL_ERROR when the body is too large.
 * @throws SyntaxError when the body is not JSON.
 */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of readBytes(response, maxBytes)) if (bytes !== null) chunks.push(bytes);
  return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
}
