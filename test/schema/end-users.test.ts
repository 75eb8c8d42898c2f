import { beforeAll, expect, test } from 'vitest';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  projectId = tenant.projectId;
});

const erase = (client: GraphqlClient, input: object) =>
  client.send(
    `mutation ($input: EraseEndUserInput!) {
       eraseEndUser(input: $input) { conversations messages handoffs webhookEvents keptAnswers }
     }`,
    { input },
  );
const exported = (client: GraphqlClient, input: object) =>
  client.send('mutation ($input: ExportEndUserInput!) { exportEndUser(input: $input) }', { input });

test('an admin exports an end user as JSON and erases that end user', async () => {
  const admin = await tenant.member('ADMIN');
  // The service stores ids in NFC and returns them in this form.
  const [endUserId, decomposed] = ['caf\u00e9', 'cafe\u0301'];
  await addConversation(service, projectId, { endUserId, messages: ['Hello', 'Good day'] });
  const input = { projectId, endUserId: decomposed };
  expect((await exported(admin, input)).data).toMatchObject({
    exportEndUser: {
      endUserId,
      conversations: [{ messages: [{ content: 'Hello' }, { content: 'Good day' }] }],
    },
  });
  const report = { handoffs: 0, webhookEvents: 0, keptAnswers: 0 };
  expect((await erase(admin, input)).data).toEqual({
    eraseEndUser: { conversations: 1, messages: 2, ...report },
  });
  expect((await erase(admin, input)).data).toEqual({
    eraseEndUser: { conversations: 0, messages: 0, ...report },
  });
});

test.each(['', 'a\u0007', 'x'.repeat(129)])('%j is not a valid end user id', async (endUserId) => {
  const admin = await tenant.member('ADMIN');
  for (const send of [erase, exported]) {
    const { errors } = await send(admin, { projectId, endUserId });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: [expect.stringMatching(/^endUserId must /)],
    });
  }
});
