import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { newId } from '../../src/platform/ids.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let root: GraphqlClient;
let tenant: Tenant;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
});

interface Figures {
  readonly answers: number;
  readonly unsure: number;
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
}
interface Quality extends Figures {
  readonly days: readonly (Figures & { readonly day: string })[];
}

async function quality(
  range: { from?: string; to?: string; projectId?: string } = {},
): Promise<Quality> {
  const fields = 'answers unsure latencyP50Ms latencyP95Ms';
  const { answerQuality } = await root.data<{ answerQuality: Quality }>(
    `query ($organizationId: ID!, $projectId: ID, $from: DateTime, $to: DateTime) {
      answerQuality(organizationId: $organizationId, projectId: $projectId, from: $from, to: $to) { ${fields} days { day ${fields} } }
    }`,
    { organizationId: tenant.organizationId, ...range },
  );
  return answerQuality;
}

/** Stores answers of that day, one for each latency in milliseconds. */
async function insertAnswers(day: string, latencies: readonly number[], unsure = 0): Promise<void> {
  await service.system.pool.query(
    `insert into grounded.answer_days (organization_id, day, latency_step, answers, unsure)
     select $1, $2, round(ln(ms) / ln(1.1)), count(*), case when round(ln(ms) / ln(1.1)) = min(round(ln(ms) / ln(1.1))) over ()
       then $4::int else 0 end
     from unnest($3::float8[]) as ms group by round(ln(ms) / ln(1.1))`,
    [tenant.organizationId, day, latencies, unsure],
  );
}

const none = { answers: 0, unsure: 0, latencyP50Ms: null, latencyP95Ms: null };

describe('answer counts', () => {
  test('include completed answers with their latency, and count unanswered questions as unsure', async () => {
    const { projectId } = tenant;
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    models.script({ deltas: ['Check-out is until 11:00 [1].'] });
    const known = await sendMessage(service.system, {
      projectId,
      message: 'Until when is check-out?',
    });
    const unknown = await sendMessage(service.system, {
      projectId,
      message: 'Who built the lighthouse?',
    });
    expect(known.confidence).toBeGreaterThan(0.3);
    expect(unknown.confidence).toBeLessThan(0.3);
    const all = await quality();
    expect(all).toMatchObject({ answers: 2, unsure: 1 });
    const [quick, slow] = [known.latencyMs, unknown.latencyMs].sort((a, b) => a - b);
    expect(Number(all.latencyP50Ms) / Math.max(1, quick ?? 0)).toBeCloseTo(1, 0);
    expect(Number(all.latencyP95Ms) / Math.max(1, slow ?? 0)).toBeCloseTo(1, 0);
    const { days, ...total } = all;
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ ...total, day: expect.stringMatching(/T00:00:00.000Z$/) });
    expect(days.at(-2)).toMatchObject(none);
  });

  test('of a project are those of the organization without its other projects', async () => {
    const { organizationId, projectId } = tenant;
    const { id: otherId } = await service.system.db.project.create({
      data: { id: newId(), organizationId, name: 'Second' },
    });
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    models.script({ deltas: ['Check-out is until 11:00 [1].'] });
    await sendMessage(service.system, { projectId, message: 'Until when is check-out?' });
    await sendMessage(service.system, { projectId, message: 'Hello!' });
    await sendMessage(service.system, { projectId: otherId, message: 'Who built the tower?' });
    expect(await quality()).toMatchObject({ answers: 2, unsure: 1 });
    const own = await quality({ projectId });
    expect(own).toMatchObject({ answers: 1, unsure: 0, latencyP50Ms: expect.any(Number) });
    expect(own.days).toHaveLength(30);
    expect(own.days.at(-1)).toMatchObject({ answers: 1, unsure: 0 });
    expect(await quality({ projectId: otherId })).toMatchObject({ answers: 1, unsure: 1 });
    const stranger = await service.createTenant();
    await expect(quality({ projectId: stranger.projectId })).rejects.toThrow('NOT_FOUND');
  });

  test('exclude failed answers', async () => {
    const { projectId } = tenant;
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    models.script({ deltas: ['Until'], finishReason: null });
    const failed = sendMessage(service.system, { projectId, message: 'Until when is check-out?' });
    await expect(failed).rejects.toMatchObject({ code: 'MODEL_ERROR' });
    expect(await quality()).toMatchObject(none);
  });

  test('remain after conversations are deleted', async () => {
    const { projectId } = tenant;
    await sendMessage(service.system, { projectId, message: 'Who built the lighthouse?' });
    await service.system.db.conversation.deleteMany({ where: { projectId } });
    expect(await quality()).toMatchObject({ answers: 1, unsure: 1 });
  });
});

describe('latency', () => {
  test('is within 5 percent of the median and of the 95th percentile', async () => {
    const latencies = Array.from({ length: 2_000 }, (_, n) => 40 + ((n * 7_919) % 9_973));
    await insertAnswers('2026-03-01', latencies);
    const sorted = latencies.toSorted((a, b) => a - b);
    const { latencyP50Ms, latencyP95Ms } = await quality({
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-01T12:00:00Z',
    });
    for (const [said, exact] of [
      [latencyP50Ms, sorted[999]],
      [latencyP95Ms, sorted[1_899]],
    ]) {
      expect(Math.abs(Number(said) / Number(exact) - 1)).toBeLessThan(0.05);
    }
  });

  test('over several days is computed over all answers, not as a mean of the daily medians', async () => {
    await insertAnswers(
      '2026-03-01',
      Array.from({ length: 99 }, () => 100),
      9,
    );
    await insertAnswers('2026-03-02', [10_000]);
    const { days, ...all } = await quality({
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-03T00:00:00Z',
    });
    const [quick, slow] = [Math.round(1.1 ** 48), Math.round(1.1 ** 97)];
    expect(all).toEqual({ answers: 100, unsure: 9, latencyP50Ms: quick, latencyP95Ms: quick });
    expect(days).toMatchObject([
      { answers: 99, unsure: 9, latencyP95Ms: quick },
      { answers: 1, unsure: 0, latencyP50Ms: slow, latencyP95Ms: slow },
      none,
    ]);
  });
});

test('an organization sees only its own answers', async () => {
  await insertAnswers('2026-03-01', [100]);
  tenant = await service.createTenant();
  expect(await quality({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' })).toMatchObject(
    none,
  );
  const outsider = await (await service.createTenant()).member('OWNER');
  const { errors } = await outsider.send(
    'query ($id: ID!) { answerQuality(organizationId: $id) { answers } }',
    { id: tenant.organizationId },
  );
  expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('a range of more than one year is rejected', async () => {
  const { errors } = await root.send(
    `query ($id: ID!) {
      answerQuality(organizationId: $id, from: "2024-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z") { answers }
    }`,
    { id: tenant.organizationId },
  );
  expect(errors?.[0]?.extensions.messages).toEqual(['to must be within 366 days of from']);
});
