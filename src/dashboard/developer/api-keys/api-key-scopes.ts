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
} as const;

export type Scope = keyof typeof scopes;
export const allScopes = Object.keys(scopes) as Scope[];
