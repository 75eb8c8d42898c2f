import { parse, subscribe } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { createSystemContext } from '../../src/domain/context.ts';
import { schema } from '../../src/schema/schema.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

async function ask(projectId: string, signal: AbortSignal) {
  const events = await subscribe({
    schema,
    document: parse(
      `subscription ($projectId: ID!) { chat(input: {projectId: $projectId, message: "Anyone?"}) { __typename } }`,
    ),
    contextValue: createSystemContext(service.adapters, signal),
    variableValues: { projectId },
  });
  if (!('return' in events)) throw new Error('The subscription was refused');
  return events;
}

function answersOf(projectId: string) {
  return service.adapters.prisma.message.findMany({
    where: { projectId, role: 'ASSISTANT' },
    select: { status: true },
  });
}

test('an answer abandoned before its first event is stored as stopped', async () => {
  const { projectId } = await service.createTenant();
  const events = await ask(projectId, new AbortController().signal);
  await events.return(undefined);
  expect(await answersOf(projectId)).toEqual([{ status: 'STOPPED' }]);
});

test('an answer whose caller disconnects and that is never read is stored as stopped', async () => {
  const { projectId } = await service.createTenant();
  const caller = new AbortController();
  await ask(projectId, caller.signal);
  caller.abort();
  await expect.poll(() => answersOf(projectId)).toEqual([{ status: 'STOPPED' }]);
});
