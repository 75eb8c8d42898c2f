import { Button, Group, Menu } from '@mantine/core';
import { useQuery } from 'urql';
import { useLive } from '../shell/live.tsx';
import { useOperator } from '../shell/operator.tsx';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import {
  claimMutation,
  membersQuery,
  resolveMutation,
  returnMutation,
  transferMutation,
} from './handoff-operations.ts';

interface OpenHandoff {
  readonly id: string;
  readonly status: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  readonly claimedBy: string | null;
}

/** Claim while it waits; then transfer, resolve, or give it back to the assistant. A colleague's is taken over first. */
export function HandoffActions({ handoff }: { readonly handoff: OpenHandoff }) {
  const { refresh } = useLive();
  const { email } = useOperator();
  const claim = useAction(claimMutation, 'This was not claimed');
  const takeOver = useAction(transferMutation, 'This was not taken over');
  const resolve = useAction(resolveMutation, 'This was not resolved');
  const giveBack = useAction(returnMutation, 'This was not given back');
  const handoffId = handoff.id;
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
          loading={resolve.isRunning}
          onClick={() => resolve.run({ handoffId }).finally(refresh)}
        >
          Resolve
        </Button>
      ) : (
        <Button loading={claim.isRunning} onClick={() => claim.run({ handoffId }).finally(refresh)}>
          Claim
        </Button>
      )}
      <Button
        variant="default"
        loading={giveBack.isRunning}
        onClick={() => giveBack.run({ handoffId }).finally(refresh)}
      >
        Return to the assistant
      </Button>
      {isClaimed && <TransferMenu handoff={handoff} />}
    </Group>
  );
}

function TransferMenu({ handoff }: { readonly handoff: OpenHandoff }) {
  const { refresh } = useLive();
  const { organizationId } = useProject();
  const transfer = useAction(transferMutation, 'This was not transferred');
  const [{ data, error }, read] = useQuery({ query: membersQuery, variables: { organizationId } });
  const colleagues = (data?.organization?.members.edges ?? [])
    .map(({ node }) => node)
    .filter((member) => member.role !== 'VIEWER' && member.email !== handoff.claimedBy);
  return (
    <Menu onOpen={() => read({ requestPolicy: 'network-only' })}>
      <Menu.Target>
        <Button variant="default" loading={transfer.isRunning}>
          Transfer …
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {error !== undefined && <Menu.Item disabled>The team could not be loaded</Menu.Item>}
        {data !== undefined && colleagues.length === 0 && (
          <Menu.Item disabled>There is nobody else</Menu.Item>
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
