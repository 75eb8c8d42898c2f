/** What a key may do, as REST spells it. */
export const scopeNames = {
  CHAT: 'chat',
  KNOWLEDGE_READ: 'knowledge:read',
  KNOWLEDGE_WRITE: 'knowledge:write',
  CONVERSATIONS_READ: 'conversations:read',
  ANALYTICS_READ: 'analytics:read',
} as const;

export type Scope = keyof typeof scopeNames;
