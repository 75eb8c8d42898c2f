import { useProject } from './project.tsx';

/**
 * Returns the operator's permissions in this project. Pages use them to hide forbidden actions. The service enforces
 * the permissions.
 */
export function usePermissions() {
  const { role } = useProject();
  const isManager = role === 'OWNER' || role === 'ADMIN';
  return {
    canWorkHandoffs: isManager || role === 'AGENT',
    canChat: isManager || role === 'AGENT',
    canWriteKnowledge: isManager,
    canManage: isManager,
    isOwner: role === 'OWNER',
  };
}
