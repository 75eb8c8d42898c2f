import type { IncomingMessage } from 'node:http';
import { openBody } from '../availability/http-fetch.ts';
import { modelFailure } from '../availability/model-failure.ts';

/** Reads the body of a response in parts. */
export interface LimitedBody {
  /** Returns the next bytes, or null at the end. */
  read(): Promise<Uint8Array | null>;
  /** Closes the connection, unless the body was read to its end. */
  close(): void;
}

/**
 * Opens a body. Reading fails with MODEL_ERROR if the body has more than `maxBytes`. Counts bytes and not events, so
 * that a line that never ends is also limited.
 */
export function openLimitedBody(
  response: Response | IncomingMessage,
  maxBytes: number,
): LimitedBody {
  const body = openBody(response);
  let received = 0;
  return {
    async read() {
      const bytes = await body.read();
      received += bytes?.byteLength ?? 0;
      if (received > maxBytes) throw modelFailure('The response of the model server is too large');
      return bytes;
    },
    close: body.close,
  };
}

/**
 * Reads a JSON body of at most `maxBytes` bytes.
 *
 * @throws DomainError MODEL_ERROR when the body is too large.
 * @throws SyntaxError when the body is not JSON.
 */
export async function readJson(
  response: Response | IncomingMessage,
  maxBytes: number,
): Promise<unknown> {
  const body = openLimitedBody(response, maxBytes);
  const chunks: Uint8Array[] = [];
  try {
    for (let bytes = await body.read(); bytes !== null; bytes = await body.read()) {
      chunks.push(bytes);
    }
  } finally {
    body.close();
  }
  return JSON.parse(decoder.decode(Buffer.concat(chunks)));
}

/** The decoder also removes a byte order mark. */
const decoder = new TextDecoder();
