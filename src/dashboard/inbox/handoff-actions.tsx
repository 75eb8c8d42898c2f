import { Button, Group, Menu } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { useUrlParameter } from '../components/use-url-text-field.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import {
  claimHandoffMutation,
  membersQuery,
  resolveHandoffMutation,
  returnToAssistantMutation,
  transferHandoffMutation,
} from './handoff-operations.ts';
import { shortcutTargets } from './shortcuts.tsx';

interface OpenHandoff {
  readonly id: string;
  readonly status: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  readonly claimedBy: string | null;
}

/**
 * The actions of an open handoff. An operator can claim a waiting handoff, and resolve, transfer or return their own. A
 * handoff of another agent must be taken over first.
 */
export function HandoffActions({ handoff }: { readonly handoff: OpenHandoff }) {
  const [, selectFilter] = useUrlParameter('show');
  const isShown = useIsMounted();
  const { refresh } = useLiveInbox();
  const { email } = useOperator();
  const claim = useNotifyingMutation(claimHandoffMutation, 'The handoff was not claimed');
  const takeOver = useNotifyingMutation(transferHandoffMutation, 'The handoff was not taken over');
  const resolve = useNotifyingMutation(resolveHandoffMutation, 'The handoff was not resolved');
  const returnToAssistant = useNotifyingMutation(
    returnToAssistantMutation,
    'The conversation was not returned',
  );
  const handoffId = handoff.id;
  const claimAndShow = async () => {
    const claimed = await claim.run({ handoffId });
    // The claimed handoff leaves the filter "Waiting". The operator may have opened another one in the meantime.
    if (claimed !== null && isShown.current) selectFilter('mine');
    refresh();
  };
  const isClaimed = handoff.status === 'CLAIMED';
  if (isClaimed && handoff.claimedBy !== email && email !== null) {
    return (
      <Button
        variant="default"
        loading={takeOver.isRunning}
        onClick={() => takeOver.run({ handoffId, to: email }).finally(refresh)}
      >
        Take over
      </Button>
    );
  }
  return (
    <Group gap="xs">
      {isClaimed ? (
        <Button
          {...shortcutTargets.resolve}
          loading={resolve.isRunning}
          onClick={() => resolve.run({ handoffId }).finally(refresh)}
        >
          Resolve
        </Button>
      ) : (
        <Button {...shortcutTargets.claim} loading={claim.isRunning} onClick={claimAndShow}>
          Claim
        </Button>
      )}
      <Button
        variant="default"
        loading={returnToAssistant.isRunning}
        onClick={() => returnToAssistant.run({ handoffId }).finally(refresh)}
      >
        Return to the assistant
      </Button>
      {isClaimed && <TransferMenu handoff={handoff} />}
    </Group>
  );
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

function TransferMenu({ handoff }: { readonly handoff: OpenHandoff }) {
  const { refresh } = useLiveInbox();
  const { organizationId } = useProject();
  const transfer = useNotifyingMutation(transferHandoffMutation, 'The handoff was not transferred');
  const [{ data, error }, reloadMembers] = useQuery({
    query: membersQuery,
    variables: { organizationId },
  });
  const colleagues = (data?.organization?.members.edges ?? [])
    .map(({ node }) => node)
    .filter((member) => member.role !== 'VIEWER' && member.email !== handoff.claimedBy);
  return (
    <Menu onOpen={() => reloadMembers({ requestPolicy: 'network-only' })}>
      <Menu.Target>
        <Button variant="default" loading={transfer.isRunning}>
          Transfer…
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {error !== undefined && <Menu.Item disabled>The team could not be loaded</Menu.Item>}
        {data !== undefined && colleagues.length === 0 && (
          <Menu.Item disabled>No other agent</Menu.Item>
        )}
        {colleagues.map((member) => (
          <Menu.Item
            key={member.id}
            onClick={() =>
              transfer.run({ handoffId: handoff.id, to: member.email }).finally(refresh)
            }
          >
            {member.email}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
