import { useCallback, useMemo } from 'react';
import { useOperator } from './operator.tsx';
import { useProject } from './project.tsx';

/**
 * Returns a function that returns the display name of an agent, as in `Handoff.claimedBy`. Agents without a display
 * name, API keys and former members keep the stored name.
 */
export function useAgentName(): (agent: string) => string {
  const { organizationId } = useProject();
  const { memberships } = useOperator();
  const names = useMemo(() => {
    const membership = memberships.find(({ organization }) => organization.id === organizationId);
    const members = membership?.organization.members.edges ?? [];
    return new Map(members.map(({ node }) => [node.email, node.displayName]));
  }, [memberships, organizationId]);
  return useCallback((agent: string) => names.get(agent) ?? agent, [names]);
}

/** Returns the name that end users see above the operator's replies. Null if the operator has not chosen one. */
export function useOwnDisplayName(): string | null {
  const { email } = useOperator();
  const nameOf = useAgentName();
  const name = email === null ? null : nameOf(email);
  return name === email ? null : name;
}
