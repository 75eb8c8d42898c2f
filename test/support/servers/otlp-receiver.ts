import { createServer } from 'node:http';
import { z } from 'zod';
import { freePort } from './free-port.ts';

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  /** 2 if the work has failed. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly linkedTraceIds: readonly string[];
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Value of a counter or gauge. */
  readonly asDouble?: number;
  /** Number of values in a histogram. */
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

/** Receives traces and metrics by OTLP over HTTP. Reads only bodies in JSON; of others it keeps the text. */
export interface OtlpReceiver {
  /** Value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  /** All spans so far. */
  spans(): readonly ReceivedSpan[];
  /** The latest points of a metric. Null if it was not received. */
  metric(name: string): readonly ReceivedPoint[] | null;
  /** All bodies so far, as text. */
  text(): string;
  close(): Promise<void>;
}

const value = z.looseObject({});
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, contentOf(value)])));
const resource = z.object({ attributes });

const tracesBody = z.object({
  resourceSpans: z.array(
    z.object({
      resource,
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              ...{ traceId: z.string(), spanId: z.string(), parentSpanId: z.string().default('') },
              ...{ name: z.string(), kind: z.number(), attributes },
              status: z.object({ code: z.number().default(0) }),
              links: z.array(z.object({ traceId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

const points = z.object({
  dataPoints: z.array(
    z.object({
      attributes,
      asDouble: z.coerce.number().optional(),
      count: z.coerce.number().optional(),
      sum: z.number().optional(),
      bucketCounts: z.array(z.coerce.number()).optional(),
      explicitBounds: z.array(z.number()).optional(),
    }),
  ),
});

const metricsBody = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              ...{ sum: points.optional(), gauge: points.optional() },
              histogram: points.optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const texts: string[] = [];
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, readonly ReceivedPoint[]>();
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    texts.push(text);
    if (request.headers['content-type'] !== 'application/json') return void response.end();
    const body: unknown = JSON.parse(text);
    if (request.url === '/v1/traces') spans.push(...readSpans(body));
    else for (const [name, found] of readMetrics(body)) metrics.set(name, found);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans: () => spans,
    metric: (name) => metrics.get(name) ?? null,
    text: () => texts.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readSpans(body: unknown): ReceivedSpan[] {
  return tracesBody.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ status, links, ...span }) => ({
        ...span,
        status: status.code,
        linkedTraceIds: links.map(({ traceId }) => traceId),
        resource: resource.attributes,
      })),
    ),
  );
}

function readMetrics(body: unknown): [string, readonly ReceivedPoint[]][] {
  return metricsBody
    .parse(body)
    .resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) =>
        metrics.map(({ name, sum, gauge, histogram }): [string, readonly ReceivedPoint[]] => [
          name,
          (sum ?? gauge ?? histogram)?.dataPoints ?? [],
        ]),
      ),
    );
}

/** An attribute has one field, such as `stringValue`. OTLP writes long integers as texts. */
function contentOf(value: object): unknown {
  const [entry] = Object.entries(value);
  const [type, content] = entry ?? [];
  return type === 'intValue' ? Number(content) : content;
}
