export const statusNames = {
  OPEN: 'Open',
  HANDOFF_REQUESTED: 'Waits for a person',
  HUMAN: 'With the team',
  RESOLVED: 'Resolved',
} as const;

export type ConversationStatus = keyof typeof statusNames;

export const statusColors: Record<ConversationStatus, string> = {
  OPEN: 'gray',
  HANDOFF_REQUESTED: 'yellow',
  HUMAN: 'cyan',
  RESOLVED: 'green',
};
