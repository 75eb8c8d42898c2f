/** The scopes of API keys: the name in the REST API and a description. */
export const scopes = {
  CHAT: { name: 'chat', text: 'Ask questions, rate answers, request handoffs' },
  KNOWLEDGE_READ: { name: 'knowledge:read', text: 'List and search documents' },
  KNOWLEDGE_WRITE: { name: 'knowledge:write', text: 'Create, upload and delete documents' },
  CONVERSATIONS_READ: {
    name: 'conversations:read',
    text: 'List conversations and read transcripts',
  },
  ANALYTICS_READ: { name: 'analytics:read', text: 'Read usage' },
  HANDOFF_WRITE: {
    name: 'handoff:write',
    text: 'Claim, transfer and resolve handoffs, reply as an agent',
  },
  WEBHOOKS_WRITE: { name: 'webhooks:write', text: 'Read and manage webhooks' },
  KEYS_WRITE: {
    name: 'keys:write',
    text: 'Read, create, rotate and revoke API keys with at most the scopes of this key',
  },
  EVALUATION_READ: { name: 'evaluation:read', text: 'Read question sets and evaluation runs' },
  EVALUATION_WRITE: {
    name: 'evaluation:write',
    text: 'Change question sets, start and cancel evaluation runs',
  },
} as const;

export type Scope = keyof typeof scopes;
export const allScopes = Object.keys(scopes) as Scope[];

/**
 * Scopes of a new key if the operator chooses none: the scopes of an application, without those of agents and admins.
 */
export const defaultScopes: readonly Scope[] = [
  'CHAT',
  'KNOWLEDGE_READ',
  'KNOWLEDGE_WRITE',
  'CONVERSATIONS_READ',
  'ANALYTICS_READ',
];
