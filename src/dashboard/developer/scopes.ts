/** What a key may do: as REST spells it, and in words. */
export const scopes = {
  CHAT: { name: 'chat', text: 'Ask questions, rate answers, ask for a person' },
  KNOWLEDGE_READ: { name: 'knowledge:read', text: 'List and search documents' },
  KNOWLEDGE_WRITE: { name: 'knowledge:write', text: 'Create, upload and delete documents' },
  CONVERSATIONS_READ: {
    name: 'conversations:read',
    text: 'List conversations and read transcripts',
  },
  ANALYTICS_READ: { name: 'analytics:read', text: 'Read what was used' },
} as const;

export type Scope = keyof typeof scopes;
export const allScopes = Object.keys(scopes) as Scope[];
