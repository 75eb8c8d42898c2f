import { apiUrlOf, requireKey } from './access.ts';
import { createChat } from './chat.ts';
import { createDocuments } from './documents.ts';
import { createCallers } from './operation-callers.ts';
import type { Access } from './send-request.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://chat.example.com`, with or without `/api/v1`. */
  readonly baseUrl: string;
  /** Secret of an API key. In a browser, omit the key and call your own back end, which adds it. */
  readonly apiKey?: string;
  /** The project to act on. An org-wide key needs it. For a key of one project, it must be omitted. */
  readonly projectId?: string;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of one attempt in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Number of retries after a temporary failure. Default: 3. */
  readonly maxRetries?: number;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client of one service. The client keeps no connections and no state, so a program needs only one client.
 */
export function createClient(options: ClientOptions) {
  const access = accessOf(options);
  const { plain, read, onId, onIds, send, sendTo, sendToIds, list, listOf } = createCallers(access);
  return {
    /** Answers a message from the documents. `chat.stream` streams the answer. */
    chat: createChat(access),
    knowledge: {
      /** Returns the chunks of the documents that fit a query, best first. */
      search: send('searchKnowledge'),
    },
    documents: createDocuments(access),
    /** Websites, Git repositories, buckets and other places from which the service reads documents. */
    sources: {
      list: list('listSources'),
      create: send('createSource'),
      get: onId('getSource'),
      update: sendTo('updateSource'),
      delete: onId('deleteSource'),
      /** Starts a sync of the source. */
      sync: onId('syncSource'),
      listRuns: listOf('listSourceRuns'),
    },
    conversations: {
      /** Lists conversations, the one with the latest message first. */
      list: list('listConversations'),
      /** Returns a conversation with its transcript. */
      get: onId('getConversation'),
      /** Sends a reply to the end user as an agent. */
      reply: sendTo('replyToConversation'),
      /** Returns the internal notes of the team. Never show them to end users. */
      notes: onId('listConversationNotes'),
      /** Adds an internal note, which end users never receive. */
      addNote: sendTo('addConversationNote'),
    },
    handoffs: {
      /** Requests a person for a conversation. If a handoff is already open, returns that handoff. */
      request: send('requestHandoff'),
      list: list('listHandoffs'),
      claim: sendTo('claimHandoff'),
      transfer: sendTo('transferHandoff'),
      /** Returns a claimed handoff to the queue of waiting handoffs. */
      release: sendTo('releaseHandoff'),
      resolve: onId('resolveHandoff'),
      /** Resolves a handoff. From the next message on, the assistant answers. */
      return: onId('returnToAssistant'),
      /** Stores the end user's rating of the agent, from 1 to 5. */
      rate: sendTo('rateHandoff'),
    },
    /** Rates an answer `UP` or `DOWN`. */
    feedback: sendTo('giveFeedback'),
    /** Returns how an answer came about: its search, its decision and the calls of models. */
    trace: onId('getAnswerTrace'),
    insights: {
      /** Lists questions that the documents did not answer, the most frequent first. */
      unanswered: list('listUnansweredQuestions'),
    },
    /** Question sets, and runs that ask them and judge the answers. */
    evaluation: {
      sets: {
        list: list('listQuestionSets'),
        create: send('createQuestionSet'),
        get: onId('getQuestionSet'),
        update: sendTo('updateQuestionSet'),
        delete: onId('deleteQuestionSet'),
        listQuestions: listOf('listSetQuestions'),
        replaceQuestions: sendTo('replaceSetQuestions'),
        addQuestions: sendTo('addSetQuestions'),
        updateQuestion: sendTo('updateSetQuestion'),
        deleteQuestion: onId('deleteSetQuestion'),
        /** Lists questions from conversations that the set does not have yet, the newest first. */
        listProposals: listOf('listQuestionProposals'),
      },
      runs: {
        list: list('listEvaluations'),
        /** Starts a run. It asks the questions in the background. */
        start: send('startEvaluation'),
        get: onId('getEvaluation'),
        listResults: listOf('listEvaluationResults'),
        cancel: onId('cancelEvaluation'),
        /** Stores what a person thinks of an answer: of a run, and a question in it. */
        mark: sendToIds('markEvaluationResult'),
        /** Compares a run with another one, question by question. */
        compare: onIds('compareEvaluations'),
      },
      /** Returns what the confidence means in the project, and the threshold that keeps a promise. */
      confidence: read('getProjectConfidence'),
    },
    webhooks: {
      list: list('listWebhookEndpoints'),
      /** Returns the webhook and its secret. The secret cannot be read again. */
      create: send('createWebhookEndpoint'),
      get: onId('getWebhookEndpoint'),
      update: sendTo('updateWebhookEndpoint'),
      delete: onId('deleteWebhookEndpoint'),
      /** Returns a new secret. The previous secret stays valid for `overlapSeconds`. */
      rotateSecret: sendTo('rotateWebhookSecret'),
      /** Sends a test event. */
      test: onId('sendTestWebhook'),
      listDeliveries: listOf('listWebhookDeliveries'),
      redeliver: onId('redeliverWebhook'),
    },
    keys: {
      list: list('listApiKeys'),
      /** Returns the key and its secret. The secret cannot be read again. */
      create: send('createApiKey'),
      /** Returns a new key. The previous key stays valid for `overlapSeconds`. */
      rotate: sendTo('rotateApiKey'),
      revoke: onId('revokeApiKey'),
    },
    /** Returns the usage of the month and the limits of the plan. */
    usage: plain('getUsage'),
  };
}

function accessOf(options: ClientOptions): Access {
  const { baseUrl, apiKey, projectId, headers = {}, timeoutMs = 60_000, maxRetries = 3 } = options;
  requireKey(apiKey);
  return {
    apiUrl: apiUrlOf(baseUrl),
    ...{ apiKey, projectId, headers, timeoutMs, maxRetries },
    // Calls the global `fetch` as a function: browsers throw an error if it is called as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
}
