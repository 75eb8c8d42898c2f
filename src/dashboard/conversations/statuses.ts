export const statusNames = {
  OPEN: 'Open',
  HANDOFF_REQUESTED: 'Waits for a person',
  HUMAN: 'With the team',
  RESOLVED: 'Resolved',
} as const;

export type ConversationStatus = keyof typeof statusNames;
