import { beforeAll, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/graphql-client.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let root: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});

test('a change made by someone else since the last read is not overwritten', async () => {
  const { projectId: id } = await service.createTenant();
  const read = () =>
    root.data<{ project: { name: string; updatedAt: string } }>(
      'query ($id: ID!) { project(id: $id) { name updatedAt } }',
      { id },
    );
  const rename = (name: string, ifUpdatedAt?: string) =>
    root.send(
      'mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { name updatedAt } }',
      { input: { id, name, ifUpdatedAt } },
    );
  const { updatedAt } = (await read()).project;
  const [first, second] = await Promise.all([rename('Mine', updatedAt), rename('Ours', updatedAt)]);
  const refused = [first, second].flatMap(({ errors }) => errors ?? []);
  expect(refused).toMatchObject([
    {
      message: 'The project has changed since it was read: read it again and repeat the change',
      extensions: { code: 'CONFLICT' },
    },
  ]);
  const { name, updatedAt: now } = (await read()).project;
  expect(['Mine', 'Ours']).toContain(name);
  expect((await rename('Again', now)).errors).toBeUndefined();
  expect((await rename('Whatever')).errors).toBeUndefined();
  expect((await read()).project.name).toBe('Whatever');
});
