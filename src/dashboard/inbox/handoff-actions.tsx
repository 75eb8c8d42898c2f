import { Button, Group, Menu } from '@mantine/core';
import { useQuery } from 'urql';
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

/** Claim while it waits; then transfer, resolve, or give it back to the assistant. */
export function HandoffActions({ handoff }: { readonly handoff: OpenHandoff }) {
  const claim = useAction(claimMutation, 'This was not claimed');
  const resolve = useAction(resolveMutation, 'This was not resolved');
  const giveBack = useAction(returnMutation, 'This was not given back');
  const handoffId = handoff.id;
  if (handoff.status === 'REQUESTED') {
    return (
      <Group>
        <Button loading={claim.isRunning} onClick={() => claim.run({ handoffId })}>
          Claim
        </Button>
      </Group>
    );
  }
  return (
    <Group gap="xs">
      <Button loading={resolve.isRunning} onClick={() => resolve.run({ handoffId })}>
        Resolve
      </Button>
      <Button
        variant="default"
        loading={giveBack.isRunning}
        onClick={() => giveBack.run({ handoffId })}
      >
        Return to the assistant
      </Button>
      <TransferMenu handoff={handoff} />
    </Group>
  );
}

function TransferMenu({ handoff }: { readonly handoff: OpenHandoff }) {
  const { organizationId } = useProject();
  const { email } = useOperator();
  const transfer = useAction(transferMutation, 'This was not transferred');
  const [{ data }] = useQuery({ query: membersQuery, variables: { organizationId } });
  const colleagues = (data?.organization?.members.edges ?? [])
    .map(({ node }) => node)
    .filter((member) => member.role !== 'VIEWER' && member.email !== handoff.claimedBy);
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={transfer.isRunning}>
          Transfer …
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {colleagues.length === 0 && <Menu.Item disabled>There is nobody else</Menu.Item>}
        {colleagues.map((member) => (
          <Menu.Item
            key={member.id}
            onClick={() => transfer.run({ handoffId: handoff.id, to: member.email })}
          >
            {member.email === email ? 'Take it over' : member.email}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
