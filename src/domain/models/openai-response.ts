import { modelFailure } from './model-failure.ts';

/**
 * The same response, whose body fails with `MODEL_ERROR` beyond `maxBytes` and reports each arrival.
 * Counting bytes rather than events also bounds a line that never ends.
 */
export function guardBody(response: Response, maxBytes: number, onBytes: () => void): Response {
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      received += bytes.byteLength;
      onBytes();
      if (received > maxBytes) {
        controller.error(modelFailure('The model server sent too much'));
      } else {
        controller.enqueue(bytes);
      }
    },
  });
  const { status, headers } = response;
  return new Response(response.body?.pipeThrough(counter) ?? null, { status, headers });
}

/** Reads a bounded JSON body. Throws `MODEL_ERROR` or `SyntaxError`. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  return JSON.parse(await guardBody(response, maxBytes, () => {}).text());
}
