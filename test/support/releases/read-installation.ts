import { graphqlClient } from '../api/graphql-client.ts';
import { callRest, type Installation, readProject } from './fill-installation.ts';

/**
 * Returns what clients read of an installation, without what depends on the time of reading. A later release returns
 * the same, and may add fields.
 */
export async function readInstallation(installation: Installation): Promise<object> {
  const get = <T>(path: string) => callRest<T>(installation, 'GET', path);
  const { id } = await readProject(installation);
  const conversations = await get<List>('/conversations?limit=100');
  const documents = await get<List>('/knowledge/documents?limit=100');
  const ready = documents.data.filter(({ status }) => status === 'READY');
  return {
    documents,
    texts: await Promise.all(
      ready.map((document) => get(`/knowledge/documents/${document.id}/content`)),
    ),
    conversations,
    transcripts: await Promise.all(
      conversations.data.map((conversation) => get(`/conversations/${conversation.id}`)),
    ),
    handoffs: await get('/handoffs?limit=100'),
    team: await graphqlClient(installation.url, installation.token).data(team, { id }),
  };
}

interface List {
  readonly data: readonly { readonly id: string; readonly status?: string }[];
}

const team = `query ($id: ID!) {
  project(id: $id) {
    name asksForSatisfaction updatedAt handoffTargets { firstReplyMinutes resolutionMinutes }
    assistant { fallbackText confidenceThreshold }
    organization { name plan members(first: 10) { edges { node { email role hasJoined } } } }
    apiKeys(first: 10) { edges { node { name scopes filter createdAt } } }
  }
  labels(projectId: $id) { name color }
  savedReplies(projectId: $id) { name content }
  webhookEndpoints(projectId: $id) { edges { node { url isEnabled types } } }
  sourcePage(projectId: $id) { data { name kind status } }
  conversations(projectId: $id, first: 10) { edges { node { id labels { name } } } }
}`;
