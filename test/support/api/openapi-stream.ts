import { type OpenApiSchema, resolveSchema } from './openapi-document.ts';
import { compileResponseValidator, type SchemaValidator } from './openapi-schema.ts';

/**
 * Returns a response with the same events and validates each event while it is read. `schema` has one schema per event
 * `type` in its `anyOf`. A read fails at the first frame that is not `data: {json}` followed by a blank line.
 * Backpressure and cancellation are passed on to the original response.
 */
export function validateStream(response: Response, schema: OpenApiSchema): Response {
  const source = response.body?.getReader();
  if (source === undefined) throw new Error('A stream has no body');
  const frames = createEventStreamValidator(schema);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await source.read();
        if (done) {
          frames.end();
          controller.close();
        } else {
          frames.push(value);
          controller.enqueue(value);
        }
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, headers, url } = response;
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
}

/** Returns the violations of a complete stream. The result is empty if the stream is valid. */
export function streamProblems(text: string, schema: OpenApiSchema): string[] {
  const frames = createEventStreamValidator(schema);
  try {
    frames.push(new TextEncoder().encode(text));
    frames.end();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

interface EventStreamValidator {
  push(bytes: Uint8Array): void;
  end(): void;
}

function createEventStreamValidator(schema: OpenApiSchema): EventStreamValidator {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const checks = compileEventValidators(schema);
  let rest = '';
  return {
    push(bytes) {
      const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) validateEvent(frame, checks);
    },
    end() {
      if (rest !== '') throw new Error(`The stream ended within a frame: ${rest}`);
    },
  };
}

type EventValidators = ReadonlyMap<unknown, SchemaValidator>;

const compiled = new WeakMap<OpenApiSchema, EventValidators>();

function compileEventValidators(schema: OpenApiSchema): EventValidators {
  const checks =
    compiled.get(schema) ??
    new Map(
      (resolveSchema(schema).anyOf ?? []).map((event) => [
        typeOf(event),
        compileResponseValidator(event),
      ]),
    );
  compiled.set(schema, checks);
  return checks;
}

function typeOf(event: OpenApiSchema): unknown {
  return resolveSchema(event).properties?.type?.enum?.[0];
}

function validateEvent(frame: string, checks: EventValidators): void {
  const json = /^data: (\{[^\r\n\u0085\u2028\u2029]*\})$/.exec(frame)?.[1];
  if (json === undefined) throw new Error(`A frame is not one data line: ${frame}`);
  const event: { readonly type?: unknown } = JSON.parse(json);
  const problems = checks.get(event.type)?.(event) ?? ['/type is not documented'];
  if (problems.length === 0) return;
  throw new Error(
    `An event is not as openapi.json says:\n  ${problems.join('\n  ')}\n${json.slice(0, 500)}`,
  );
}
