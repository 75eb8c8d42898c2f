import { readFile } from 'node:fs/promises';
import { type GraphqlClient, graphqlClient } from '../api/graphql-client.ts';
import { waitUntil } from '../wait-until.ts';

/** A running service of any release, whose demo project is used through its public interfaces. */
export interface Installation {
  readonly url: string;
  /** The key of the demo project. */
  readonly key: string;
  /** A token of the service role. */
  readonly token: string;
}

/** Stores something of each kind that release 0.1.0 has. Rejects if the service refuses a part of it. */
export async function fillInstallation(installation: Installation): Promise<void> {
  const graphql = graphqlClient(installation.url, installation.token);
  await addDocuments(installation);
  const conversations = await chat(installation);
  const project = await readProject(installation);
  await addTeam(graphql, project);
  await addHandoffs(graphql, project.id, conversations);
  await addConnections(graphql, project);
}

interface Project {
  readonly id: string;
  readonly organizationId: string;
}

export async function readProject({ url, key, token }: Installation): Promise<Project> {
  const ofKey = await graphqlClient(url, key).data<{ keyProjects: { id: string }[] }>(
    '{ keyProjects { id } }',
  );
  const id = ofKey.keyProjects[0]?.id;
  const { project } = await graphqlClient(url, token).data<{ project: Project }>(
    'query ($id: ID!) { project(id: $id) { id organizationId } }',
    { id },
  );
  return project;
}

/** Sends a request to the REST API and returns the body of its response. */
export async function callRest<T>(
  { url, key }: Pick<Installation, 'url' | 'key'>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(!isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function addDocuments(installation: Installation): Promise<void> {
  const upload = async (name: string, type: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    const bytes = await readFile(new URL(`../../fixtures/${name}`, import.meta.url));
    form.append('file', new File([bytes], name, { type }));
    await callRest(installation, 'POST', '/knowledge/documents/upload', form);
  };
  await upload('handbook.pdf', 'application/pdf', { tags: 'staff' });
  await upload('rooms.csv', 'text/csv', { externalId: 'rooms', metadata: '{"floor":2}' });
  await upload('needs-password.pdf', 'application/pdf');
  const notice = { name: 'Notice', content: 'The pool opens at 9:00.', externalId: 'notice' };
  await callRest(installation, 'POST', '/knowledge/documents', notice);
  await settle(installation);
  const { data } = await listDocuments(installation);
  const id = data.find(({ name }) => name === 'Notice')?.id;
  await callRest(installation, 'PUT', `/knowledge/documents/${id}`, {
    ...notice,
    content: 'The pool opens at 7:30 on working days.',
  });
  await settle(installation);
}

interface Documents {
  readonly data: readonly { readonly id: string; readonly name: string; readonly status: string }[];
}

const listDocuments = (installation: Installation) =>
  callRest<Documents>(installation, 'GET', '/knowledge/documents?limit=100');

/** Waits until no document is being read. */
async function settle(installation: Installation): Promise<void> {
  await waitUntil(async () => {
    const { data } = await listDocuments(installation);
    return data.length > 4 && data.every(({ status }) => status !== 'PROCESSING');
  });
}

interface Answer {
  readonly conversationId: string;
  readonly messageId: string;
}

async function chat(installation: Installation): Promise<readonly [string, string, string]> {
  const send = (message: string, fields: object = {}) =>
    callRest<Answer>(installation, 'POST', '/chat', { message, ...fields });
  const first = await send('How many days of paid leave do full-time staff have?', {
    endUserId: 'visitor-1',
  });
  const { conversationId } = first;
  await send('When does the pool open?', { conversationId });
  await callRest(installation, 'PUT', `/messages/${first.messageId}/feedback`, { rating: 'UP' });
  const refused = await send('What is the capital of France?');
  await callRest(installation, 'PUT', `/messages/${refused.messageId}/feedback`, {
    rating: 'DOWN',
    comment: 'I need this.',
  });
  const waiting = await send('How long are lost items kept?', { endUserId: 'visitor-2' });
  for (const id of [conversationId, waiting.conversationId])
    await callRest(installation, 'POST', '/handoff', { conversationId: id, reason: 'A lost key' });
  return [conversationId, refused.conversationId, waiting.conversationId];
}

async function addTeam(graphql: GraphqlClient, { id, organizationId }: Project): Promise<void> {
  await graphql.data(
    `mutation ($id: ID!, $organizationId: ID!) {
      updateProject(input: {id: $id, name: "Hotel", asksForSatisfaction: true,
        handoffTargets: {firstReplyMinutes: 30, resolutionMinutes: 600},
        assistant: {fallbackText: "Ask at reception.", confidenceThreshold: 0.4}}) { id }
      createInvitation(input: {organizationId: $organizationId, email: "agent@example.com", role: AGENT}) { __typename }
      createLabel(input: {projectId: $id, name: "Lost property", color: BLUE}) { id }
      createSavedReply(input: {projectId: $id, name: "Hours", content: "Reception is open day and night."}) { id }
    }`,
    { id, organizationId },
  );
}

async function addHandoffs(
  graphql: GraphqlClient,
  projectId: string,
  [resolved]: readonly [string, string, string],
): Promise<void> {
  const { labels, handoffs } = await graphql.data<{
    labels: { id: string }[];
    handoffs: { edges: { node: { id: string; conversation: { id: string } } }[] };
  }>(
    `query ($projectId: ID!) { labels(projectId: $projectId) { id }
      handoffs(projectId: $projectId, first: 10) { edges { node { id conversation { id } } } } }`,
    { projectId },
  );
  const handoff = handoffs.edges.find(({ node }) => node.conversation.id === resolved);
  await graphql.data(
    `mutation ($project: ID!, $conversation: ID!, $handoff: ID!, $label: ID!) {
      addConversationLabel(input: {conversationId: $conversation, labelId: $label}) { id }
      addConversationNote(input: {conversationId: $conversation, content: "Called back at noon."}) { id }
      claimHandoff(input: {handoffId: $handoff}) { id }
      replyToConversation(input: {conversationId: $conversation, content: "It is at reception."}) { id }
      resolveHandoff(input: {handoffId: $handoff}) { id }
      rateHandoff(input: {projectId: $project, handoffId: $handoff, rating: 5, comment: "Quick!"}) { rating }
    }`,
    { project: projectId, conversation: resolved, handoff: handoff?.node.id, label: labels[0]?.id },
  );
}

/** Keys, webhooks and sources. Nothing of them sends a request: the endpoint is disabled, and the source is paused. */
async function addConnections(graphql: GraphqlClient, project: Project): Promise<void> {
  const { createWebhookEndpoint, createSource } = await graphql.data<{
    createWebhookEndpoint: { endpoint: { id: string } };
    createSource: { id: string };
  }>(
    `mutation ($id: ID!, $organizationId: ID!, $filter: DocumentFilter) {
      createApiKey(input: {organizationId: $organizationId, projectId: $id, name: "Staff only",
        scopes: [CHAT, KNOWLEDGE_READ], filter: $filter}) { __typename }
      createWebhookEndpoint(input: {projectId: $id, url: "https://hooks.example.com/chat"}) { endpoint { id } }
      updateWidget(input: {projectId: $id, isEnabled: true, allowedOrigins: ["https://www.example.com"]}) { __typename }
      rotateWidgetIdentitySecret(input: {projectId: $id}) { __typename }
      createSource(input: {projectId: $id, kind: GIT, name: "Handbook", config: {
        url: "https://git.example.com/handbook.git", token: "secret-of-git"}}) { id }
    }`,
    { ...project, filter: { tags: { eq: 'staff' } } },
  );
  await graphql.data(
    `mutation ($endpoint: ID!, $source: ID!) {
      updateWebhookEndpoint(input: {id: $endpoint, isEnabled: false}) { id }
      updateSource(input: {id: $source, isPaused: true}) { id }
    }`,
    { endpoint: createWebhookEndpoint.endpoint.id, source: createSource.id },
  );
}
