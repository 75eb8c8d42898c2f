import type { Client } from 'urql';
import { reloadOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { type Notice, noticeOfAgent, noticeOfMessages, noticeOfRequests } from './inbox-notices.ts';
import type { InboxEvent } from './subscribe-to-inbox.ts';

const ownHandoffsQuery = graphql(`
  query OwnHandoffs($projectId: ID!, $email: String!) {
    handoffs(projectId: $projectId, status: CLAIMED, claimedBy: $email, first: 100) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

/** Finds the notices for the operator whose e-mail address is given. */
export function createEventNotices(client: Client, projectId: string, email: string | null) {
  /**
   * The agent of each handoff that the operator owned when the stream connected, and of each handoff with an event
   * since then.
   */
  const agents = new Map<string, string | null>();
  const noticeOfHandoff = ({ type, handoff }: InboxEvent) => {
    if (type === 'MESSAGE') return null;
    const { claimedBy: after } = handoff;
    const change = { ...handoff, before: agents.get(handoff.id) ?? null, after };
    agents.set(handoff.id, after);
    return handoff.status === 'CLAIMED' ? noticeOfAgent(change, email) : null;
  };
  return {
    /** Call it when the stream has connected. */
    async readOwnHandoffs() {
      if (email === null) return;
      const variables = { projectId, email };
      const { data } = await client.query(ownHandoffsQuery, variables, reloadOptions).toPromise();
      for (const { node } of data?.handoffs.edges ?? []) agents.set(node.id, email);
    },
    /**
     * Returns the notices of new requests, of messages in the operator's own conversations, and of conversations that
     * were given to the operator or taken from the operator.
     */
    noticesOf(events: readonly InboxEvent[]): Notice[] {
      const requests = events
        .filter(({ type, handoff }) => type === 'REQUESTED' && handoff.status === 'REQUESTED')
        .map(({ handoff }) => handoff);
      const messages = events.flatMap(({ message, handoff }) => {
        const isMine = handoff.status === 'CLAIMED' && handoff.claimedBy === email;
        return isMine && message?.role === 'USER' ? [{ ...handoff, content: message.content }] : [];
      });
      const notices = [noticeOfRequests(requests), noticeOfMessages(messages)];
      return [...notices, ...events.map(noticeOfHandoff)].filter((notice) => notice !== null);
    },
  };
}
