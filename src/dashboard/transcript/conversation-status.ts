export const conversationStatusLabels = {
  OPEN: 'Open',
  HANDOFF_REQUESTED: 'Waiting for an agent',
  HUMAN: 'With an agent',
  RESOLVED: 'Resolved',
} as const;

export type ConversationStatus = keyof typeof conversationStatusLabels;

export const conversationStatusColors: Record<ConversationStatus, string> = {
  OPEN: 'gray',
  HANDOFF_REQUESTED: 'yellow',
  HUMAN: 'cyan',
  RESOLVED: 'green',
};
