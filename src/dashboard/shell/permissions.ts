import { useProject } from './project.tsx';

/** What the operator may do here, as the service judges it: what is not allowed is not shown. */
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
