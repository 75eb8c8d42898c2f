import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { membersQuery, transferHandoffMutation } from './handoff-operations.ts';
import { NoteModal } from './note-modal.tsx';
import { ReleaseModal } from './release-modal.tsx';
import { shortcutTargets } from './shortcuts.tsx';

const texts = {
  CLAIMED: { button: 'Transfer…', verb: 'Transfer', failure: 'The handoff was not transferred' },
  REQUESTED: { button: 'Assign…', verb: 'Assign', failure: 'The handoff was not assigned' },
};

/**
 * A menu of colleagues. After a dialog that offers a note to the chosen colleague, this colleague becomes the owner.
 * The operator's own handoff can also be returned to the waiting handoffs.
 */
export function TransferMenu({
  handoff,
}: {
  readonly handoff: { readonly id: string; readonly status: keyof typeof texts };
}) {
  const { organizationId } = useProject();
  const { email } = useOperator();
  const nameOf = useAgentName();
  const [isReleasing, setReleasing] = useState(false);
  const [to, setTo] = useState<string | null>(null);
  const [{ data, error }, reloadMembers] = useQuery({
    query: membersQuery,
    variables: { organizationId },
  });
  const colleagues = (data?.organization?.members.edges ?? [])
    .map(({ node }) => node)
    .filter((member) => member.role !== 'VIEWER' && member.email !== email);
  return (
    <>
      <Menu onOpen={() => reloadMembers({ requestPolicy: 'network-only' })}>
        <Tooltip label={texts[handoff.status].button}>
          <Menu.Target>
            <ActionIcon
              {...shortcutTargets.transfer}
              variant="subtle"
              color="gray"
              size="md"
              aria-label={texts[handoff.status].button}
            >
              <IconArrowsExchange size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {handoff.status === 'CLAIMED' && (
            <>
              <Menu.Item onClick={() => setReleasing(true)}>Back to waiting…</Menu.Item>
              <Menu.Divider />
            </>
          )}
          {error !== undefined && <Menu.Item disabled>The team could not be loaded</Menu.Item>}
          {data !== undefined && colleagues.length === 0 && (
            <Menu.Item disabled>No other agent</Menu.Item>
          )}
          {colleagues.map((member) => (
            <Menu.Item key={member.id} onClick={() => setTo(member.email)}>
              {nameOf(member.email)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isReleasing && <ReleaseModal handoffId={handoff.id} onClose={() => setReleasing(false)} />}
      {to !== null && <TransferModal handoff={handoff} to={to} onClose={() => setTo(null)} />}
    </>
  );
}

function TransferModal({
  handoff: { id: handoffId, status },
  to,
  onClose,
}: {
  readonly handoff: { readonly id: string; readonly status: keyof typeof texts };
  readonly to: string;
  readonly onClose: () => void;
}) {
  const { refresh } = useLiveInbox();
  const nameOf = useAgentName();
  const { verb, failure } = texts[status];
  const transfer = useNotifyingMutation(transferHandoffMutation, failure);
  return (
    <NoteModal
      title={`${verb} to ${nameOf(to)}`}
      verb={verb}
      saving={transfer}
      onClose={onClose}
      onSubmit={async (note) =>
        (await transfer.run({ handoffId, to, note }).finally(refresh)) !== null && onClose()
      }
    />
  );
}
