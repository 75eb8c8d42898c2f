import type { Role } from '../shell/operator.tsx';

/** What members may do, from most to least. */
export const roles: readonly {
  readonly value: Role;
  readonly label: string;
  readonly text: string;
}[] = [
  { value: 'OWNER', label: 'Owner', text: 'May do everything, and makes others owners.' },
  {
    value: 'ADMIN',
    label: 'Admin',
    text: 'Manages documents, settings, keys, webhooks and all members but owners.',
  },
  {
    value: 'AGENT',
    label: 'Agent',
    text: 'Takes over conversations, answers people and tries the assistant out.',
  },
  {
    value: 'VIEWER',
    label: 'Viewer',
    text: 'Reads documents, conversations and usage, and changes nothing.',
  },
];
