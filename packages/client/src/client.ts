import { createChat } from './chat.ts';
import { createDocuments } from './documents.ts';
import { createCallers } from './operation-callers.ts';
import type { Access } from './send-request.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://chat.example.com`. */
  readonly baseUrl: string;
  /** Secret of an API key. Leave it out in a browser, and call a back end of yours that adds it. */
  readonly apiKey?: string;
  /** The project to act on. Needed with an org-wide key, refused with a key of one project. */
  readonly projectId?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of an attempt in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Number of further attempts after a failure that may pass. Default: 3. */
  readonly maxRetries?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export type Client = ReturnType<typeof createClient>;

/** Creates a client of one service. It keeps neither connections nor state, so a program needs one only. */
export function createClient(options: ClientOptions) {
  const access = accessOf(options);
  const { plain, onId, send, sendTo, list, listOf } = createCallers(access);
  return {
    /** Answers a message from the documents. `chat.stream` streams the answer. */
    chat: createChat(access),
    knowledge: {
      /** Returns the chunks of the documents that fit a query, best first. */
      search: send('searchKnowledge'),
    },
    documents: createDocuments(access),
    /** Websites, Git repositories and buckets that documents are read from. */
    sources: {
      list: list('listSources'),
      create: send('createSource'),
      get: onId('getSource'),
      update: sendTo('updateSource'),
      delete: onId('deleteSource'),
      /** Starts a run. */
      sync: onId('syncSource'),
      listRuns: listOf('listSourceRuns'),
    },
    conversations: {
      /** Lists conversations, the one with the latest message first. */
      list: list('listConversations'),
      /** Returns a conversation with its transcript. */
      get: onId('getConversation'),
      /** Replies as an agent. */
      reply: sendTo('replyToConversation'),
      /** Returns the internal notes of the team. Do not show them to end users. */
      notes: onId('listConversationNotes'),
      /** Adds an internal note, which end users never receive. */
      addNote: sendTo('addConversationNote'),
    },
    handoffs: {
      /** Requests a person for a conversation. Returns the open handoff if there is one. */
      request: send('requestHandoff'),
      list: list('listHandoffs'),
      claim: sendTo('claimHandoff'),
      transfer: sendTo('transferHandoff'),
      /** Puts a claimed handoff back to those that wait. */
      release: sendTo('releaseHandoff'),
      resolve: onId('resolveHandoff'),
      /** Resolves a handoff. The assistant answers the next message. */
      return: onId('returnToAssistant'),
      /** Stores how satisfied the end user was with the agent, 1 to 5. */
      rate: sendTo('rateHandoff'),
    },
    /** Rates an answer `UP` or `DOWN`. */
    feedback: sendTo('giveFeedback'),
    insights: {
      /** Lists questions that the documents did not answer, most frequent first. */
      unanswered: list('listUnansweredQuestions'),
    },
    webhooks: {
      list: list('listWebhookEndpoints'),
      /** Returns the webhook with its secret, which is shown only now. */
      create: send('createWebhookEndpoint'),
      get: onId('getWebhookEndpoint'),
      update: sendTo('updateWebhookEndpoint'),
      delete: onId('deleteWebhookEndpoint'),
      /** Returns a new secret. The old one stays valid for `overlapSeconds`. */
      rotateSecret: sendTo('rotateWebhookSecret'),
      /** Sends a test event. */
      test: onId('sendTestWebhook'),
      listDeliveries: listOf('listWebhookDeliveries'),
      redeliver: onId('redeliverWebhook'),
    },
    keys: {
      list: list('listApiKeys'),
      /** Returns the key with its secret, which is shown only now. */
      create: send('createApiKey'),
      /** Returns a new key. The old one stays valid for `overlapSeconds`. */
      rotate: sendTo('rotateApiKey'),
      revoke: onId('revokeApiKey'),
    },
    /** Returns the usage of the month and the limits of the plan. */
    usage: plain('getUsage'),
  };
}

function accessOf(options: ClientOptions): Access {
  const { baseUrl, apiKey, projectId, headers = {}, timeoutMs = 60_000, maxRetries = 3 } = options;
  const root = baseUrl.replace(/\/$/, '').replace(/\/api\/v1$/, '');
  return {
    apiUrl: `${root}/api/v1`,
    ...{ apiKey, projectId, headers, timeoutMs, maxRetries },
    // Browsers refuse `fetch` as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
}
