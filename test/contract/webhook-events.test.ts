import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { allEventTypes } from '../../src/dashboard/developer/webhooks/webhook-event-types.ts';
import { figureNames } from '../../src/domain/evaluation/figures.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { webhookEventTypes } from '../../src/domain/webhooks/webhook-event-types.ts';
import openApi from '../../src/rest/openapi.json' with { type: 'json' };
import { resolveSchema } from '../support/api/openapi-document.ts';
import { compileResponseValidator } from '../support/api/openapi-schema.ts';
import { restClient } from '../support/api/rest-client.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>> =
  openApi['x-webhooks'];

interface WebhookOperation {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly $ref: string };
        readonly example: unknown;
      };
    };
  };
}

test('the document describes every event with a valid example', () => {
  expect(Object.keys(webhooks).sort()).toEqual([...webhookEventTypes].sort());
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json'];
    expect(compileResponseValidator(resolveSchema(schema))(example), type).toEqual([]);
  }
});

test('the dashboard offers every event', () => {
  expect([...allEventTypes].sort()).toEqual([...webhookEventTypes].sort());
});

test('sent events are as the document describes them', { timeout: 60_000 }, async () => {
  const service = await sharedService();
  const tenant = await service.createTenant();
  await causeEvents(service, tenant);
  const { db } = service.system;
  const { projectId } = tenant;
  // Checked where they are caused: domain/sources/website-sources, contract/evaluation-schedule, domain/cost.
  const elsewhere: readonly string[] = ['source.synced', 'evaluation.regressed', 'budget.warning'];
  const expected = webhookEventTypes.filter((type) => !elsewhere.includes(type));
  const found = await vi.waitFor(
    async () => {
      const events = await db.webhookEvent.findMany({ where: { projectId } });
      expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([...expected].sort());
      return events;
    },
    { timeout: 40_000, interval: 200 },
  );
  for (const { type, data, occurredAt } of found) {
    const schema = webhooks[type]?.post.requestBody.content['application/json'].schema ?? {};
    const body = { type, timestamp: occurredAt.toISOString(), data };
    expect(compileResponseValidator(resolveSchema(schema))(body), type).toEqual([]);
  }
});

test('each figure of a run may fail its bound', () => {
  const failedBounds = figureNames.map((figure) => ({ figure, bound: 1, value: 0.5 }));
  const schema = webhooks['evaluation.regressed']?.post.requestBody.content['application/json'];
  const { example } = schema ?? {};
  const body = { ...Object(example), data: { ...Object(example).data, failedBounds } };
  expect(compileResponseValidator(resolveSchema(schema?.schema ?? {}))(body)).toEqual([]);
});

/** Causes events of each type, both with and without their optional fields. */
async function causeEvents(
  service: TestService,
  tenant: { readonly projectId: string; key(): Promise<string> },
): Promise<void> {
  const client = restClient(`${service.url}/api/v1`, await tenant.key());
  const send = async (path: string, body: object) => {
    const response = await client.post(path, body);
    expect(response.ok, path).toBe(true);
    return response.json();
  };
  await updateProject(service.system, { id: tenant.projectId, asksForSatisfaction: true });
  const { id } = await send('/knowledge/documents', { name: 'Hours', content: 'We open at nine.' });
  await client.patch(`/knowledge/documents/${id}`, { tags: ['hours'] });
  await client.patch(`/knowledge/documents/${id}`, { externalId: 'hours' });
  const encrypted = new File([await readFile('test/fixtures/needs-password.pdf')], 'locked.pdf');
  await client.upload('/knowledge/documents/upload', encrypted);
  for (const contact of [{}, { email: 'ada@example.com', name: 'Ada', reason: 'Lost key' }]) {
    const endUser = 'email' in contact ? { endUserId: 'customer-4711' } : {};
    const { conversationId } = await send('/chat', { message: 'A person, please', ...endUser });
    const { handoffId } = await send('/handoff', { conversationId, ...contact });
    await send('/handoff', { conversationId, name: 'Ada Lovelace' });
    await send(`/handoffs/${handoffId}/claim`, {});
    await send(`/conversations/${conversationId}/replies`, { content: 'How can I help?' });
    await send(`/handoffs/${handoffId}/resolve`, {});
    const comment = 'email' in contact ? { comment: 'Quick' } : {};
    await client.put(`/handoffs/${handoffId}/satisfaction`, { rating: 5, ...comment });
  }
}
