import { type OpenApiSchema, resolveSchema } from './openapi-document.ts';
import { responseCheck, type SchemaCheck } from './openapi-schema.ts';

/**
 * A response with the same events, each of which `schema` has to describe: one schema for each `type` in its
 * `anyOf`. Reading it fails at the first frame that is anything else than `data: {json}` and a blank line.
 * As eager as its reader, and cancelled with it.
 */
export function checkedStream(response: Response, schema: OpenApiSchema): Response {
  const source = response.body?.getReader();
  if (source === undefined) throw new Error('A stream has no body');
  const frames = frameReader(schema);
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

/** What is wrong with a whole stream; nothing where all is well. */
export function streamProblems(text: string, schema: OpenApiSchema): string[] {
  const frames = frameReader(schema);
  try {
    frames.push(new TextEncoder().encode(text));
    frames.end();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

interface FrameReader {
  push(bytes: Uint8Array): void;
  end(): void;
}

function frameReader(schema: OpenApiSchema): FrameReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const checks = eventChecks(schema);
  let rest = '';
  return {
    push(bytes) {
      const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) checkFrame(frame, checks);
    },
    end() {
      if (rest !== '') throw new Error(`The stream ended within a frame: ${rest}`);
    },
  };
}

type EventChecks = ReadonlyMap<unknown, SchemaCheck>;

const compiled = new WeakMap<OpenApiSchema, EventChecks>();

function eventChecks(schema: OpenApiSchema): EventChecks {
  const checks =
    compiled.get(schema) ??
    new Map(
      (resolveSchema(schema).anyOf ?? []).map((event) => [typeOf(event), responseCheck(event)]),
    );
  compiled.set(schema, checks);
  return checks;
}

function typeOf(event: OpenApiSchema): unknown {
  return resolveSchema(event).properties?.type?.enum?.[0];
}

function checkFrame(frame: string, checks: EventChecks): void {
  const json = /^data: (\{[^\r\n\u0085\u2028\u2029]*\})$/.exec(frame)?.[1];
  if (json === undefined) throw new Error(`A frame is not one data line: ${frame}`);
  const event: { readonly type?: unknown } = JSON.parse(json);
  const problems = checks.get(event.type)?.(event) ?? ['/type is not documented'];
  if (problems.length === 0) return;
  throw new Error(
    `An event is not as openapi.json says:\n  ${problems.join('\n  ')}\n${json.slice(0, 500)}`,
  );
}
