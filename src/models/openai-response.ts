import { modelFailure } from './model-failure.ts';

/**
 * Wraps a response so that reading its body fails with MODEL_ERROR above `maxBytes`. Calls `onBytes` for each received
 * chunk. Counts bytes instead of events, so that a line that never ends is also bounded.
 */
export function limitResponseSize(
  response: Response,
  maxBytes: number,
  onBytes: () => void,
): Response {
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      received += bytes.byteLength;
      onBytes();
      if (received > maxBytes) {
        controller.error(modelFailure('The response of the model server is too large'));
      } else {
        controller.enqueue(bytes);
      }
    },
  });
  const { status, headers } = response;
  return new Response(response.body?.pipeThrough(counter) ?? null, { status, headers });
}

/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws DomainError MODEL_ERROR when the body is too large.
 * @throws SyntaxError when the body is not JSON.
 */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  return JSON.parse(await limitResponseSize(response, maxBytes, () => {}).text());
}
