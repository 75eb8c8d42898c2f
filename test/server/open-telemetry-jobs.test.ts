import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenTelemetry } from '../../src/server/observability/open-telemetry/start-open-telemetry.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/servers/otlp-receiver.ts';
import { pathOf, startTelemetry, traceIdOf } from '../support/servers/telemetry.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { startWebsite, type Website } from '../support/servers/website.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let receiver: OtlpReceiver;
let webhooks: WebhookReceiver;
let telemetry: OpenTelemetry;

beforeAll(async () => {
  [receiver, webhooks] = await Promise.all([startOtlpReceiver(), startWebhookReceiver()]);
  service = await startTestService({
    database: await sharedDatabase(),
    allowPrivateWebhooks: true,
    allowPrivateSources: true,
  });
  tenant = await service.createTenant();
  telemetry = await startTelemetry(receiver.endpoint, service.registry);
});

afterAll(async () => {
  await telemetry.stop();
  await service.stop();
  await Promise.all([receiver.close(), webhooks.close()]);
});

/** Waits until a job has run whose span links to the trace. Returns the trace of the job. */
async function traceOfJob(job: string, requestTraceId: string) {
  const { traceId } = await waitUntil(async () => {
    await telemetry.flush();
    return receiver
      .spans()
      .find(
        ({ name, linkedTraceIds }) =>
          name === `process ${job}` && linkedTraceIds.includes(requestTraceId),
      );
  });
  return { traceId, spans: receiver.spans().filter((span) => span.traceId === traceId) };
}

test('a job links to the request that enqueued it, and its webhook carries its trace', async () => {
  const owner = await tenant.member('OWNER');
  await owner.data(
    `mutation ($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { endpoint { id } }
    }`,
    { input: { projectId: tenant.projectId, url: webhooks.url, types: ['document.ready'] } },
  );
  const content = 'The ferry to Quibdo leaves at nine.';
  const file = new File([content], 'Quibdo ferries.md', { type: 'text/markdown' });
  const uploaded = await (await tenant.rest()).upload('/knowledge/documents/upload', file);
  expect(uploaded.status).toBe(201);
  const uploadTraceId = traceIdOf(uploaded);

  const ingestion = await traceOfJob('ingest-document', uploadTraceId);
  expect(ingestion.traceId).not.toBe(uploadTraceId);
  const paths = ingestion.spans.map((span) => pathOf(ingestion.spans, span).join(' > '));
  expect(paths).toContain('process ingest-document');
  expect(paths).toContain('process ingest-document > extract');
  expect(paths).toContainEqual(expect.stringMatching(/^process ingest-document > embeddings /));

  const delivery = await traceOfJob('deliver-webhook', ingestion.traceId);
  const [request] = await webhooks.waitForRequests(1);
  const post = delivery.spans.find(({ name }) => name === 'POST');
  expect(request?.headers.traceparent).toBe(`00-${delivery.traceId}-${post?.spanId}-01`);
  expect(post?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 204,
    'server.address': '127.0.0.1',
    'server.port': webhooks.port,
    'url.scheme': 'http',
  });
  expect(receiver.text()).not.toContain('Quibdo');
});

test('a run of a website has spans, but sends the website no trace and names no path', async () => {
  const site: Website = await startWebsite();
  site.pages.set('/secret-plans', '<title>Plans</title><p>The plan of the Quibdo ferry.</p>');
  const client = await tenant.rest();
  const config = { startUrls: [`${site.url}/secret-plans?token=abc123`] };
  const created = await client.post('/knowledge/sources', {
    ...{ kind: 'WEBSITE', name: 'Ferries', config },
  });
  expect(created.status).toBe(201);
  const { id } = await created.json();
  const traceId = traceIdOf(await client.post(`/knowledge/sources/${id}/sync`));

  const { spans } = await traceOfJob('sync-source', traceId);
  const paths = spans.map((span) => pathOf(spans, span).join(' > '));
  expect(paths).toContain('process sync-source > read source > GET');
  const requests = site.takeRequests();
  expect(requests.length).toBeGreaterThan(0);
  for (const { headers } of requests) {
    expect(headers).not.toHaveProperty('traceparent');
    expect(headers).not.toHaveProperty('tracestate');
  }
  for (const text of ['secret-plans', 'abc123', 'Quibdo'])
    expect(receiver.text()).not.toContain(text);
  await site.close();
});
