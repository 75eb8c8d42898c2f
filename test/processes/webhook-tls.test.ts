import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { restClient } from '../support/api/rest-client.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { waitUntil } from '../support/wait-until.ts';

const certificates = 'test/fixtures/tls';
const path = (name: string) => join(certificates, name);

let dataDir: string;
let service: ServiceProcess;
let receiver: WebhookReceiver;
let graphql: GraphqlClient;
let projectId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-tls-'));
  receiver = await startWebhookReceiver('127.0.0.1', {
    key: await readFile(path('localhost.key')),
    cert: await readFile(path('localhost.pem')),
  });
  const settings = { DATA_DIR: dataDir, ALLOW_PRIVATE_WEBHOOKS: 'true' };
  service = await startServiceProcess({ ...settings, NODE_EXTRA_CA_CERTS: path('ca.pem') });
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  graphql = graphqlClient(service.url, token);
  [{ id: projectId }] = await runCli(['projects', 'list'], settings);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

async function addEndpoint(url: string): Promise<string> {
  const { createWebhookEndpoint } = await graphql.data<{
    createWebhookEndpoint: { secret: string };
  }>(
    `mutation ($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { secret }
    }`,
    { input: { projectId, url, types: ['human.requested'] } },
  );
  return createWebhookEndpoint.secret;
}

async function errors(): Promise<(string | null | undefined)[]> {
  const { webhookDeliveries } = await graphql.data<{
    webhookDeliveries: { edges: { node: { log: { error: string | null }[] } }[] };
  }>(
    `query ($projectId: ID!) {
      webhookDeliveries(projectId: $projectId) { edges { node { log { error } } } }
    }`,
    { projectId },
  );
  return webhookDeliveries.edges.map(({ node }) => node.log.at(-1)?.error);
}

test('a handoff is delivered over TLS, signed, and never to a server whose certificate names another host', async () => {
  const secret = await addEndpoint(`https://localhost:${receiver.port}/hook`);
  await addEndpoint(`https://127.0.0.1:${receiver.port}/hook`);
  const { post } = restClient(`${service.url}/api/v1`, service.key ?? '');
  const { conversationId } = await (await post('/chat', { message: 'Help!' })).json();
  const { handoffId } = await (await post('/handoff', { conversationId })).json();

  const [request] = await receiver.waitForRequests(1);
  const told = new Webhook(secret).verify(request?.body ?? '', request?.webhookHeaders ?? {});
  expect(told).toMatchObject({ type: 'human.requested', data: { handoffId } });

  const refused = 'The connection failed: ERR_TLS_CERT_ALTNAME_INVALID';
  await waitUntil(async () => (await errors()).includes(refused), { timeoutMs: 20_000 });
  expect(receiver.requests).toHaveLength(1);
}, 60_000);
