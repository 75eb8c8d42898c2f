import type { Role } from '../../project/operator.tsx';

/** The roles of members. The role with the most permissions comes first. */
export const roles: readonly {
  readonly value: Role;
  readonly label: string;
  readonly text: string;
}[] = [
  { value: 'OWNER', label: 'Owner', text: 'Has all permissions, including adding other owners.' },
  {
    value: 'ADMIN',
    label: 'Admin',
    text: 'Manages documents, settings, keys, webhooks and all members except owners.',
  },
  {
    value: 'AGENT',
    label: 'Agent',
    text: 'Claims handoffs, replies to end users and uses the playground.',
  },
  {
    value: 'VIEWER',
    label: 'Viewer',
    text: 'Has read-only access to documents, conversations and usage.',
  },
];
