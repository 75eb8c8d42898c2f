import { Button, Group, Menu, Modal, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useQuery } from 'urql';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { membersQuery, transferHandoffMutation } from './handoff-operations.ts';

const maxNoteLength = 5_000;
const texts = {
  CLAIMED: { button: 'Transfer…', verb: 'Transfer', failure: 'The handoff was not transferred' },
  REQUESTED: { button: 'Assign…', verb: 'Assign', failure: 'The handoff was not assigned' },
};

/** A menu of colleagues. The chosen one becomes the owner, after a dialog that offers a note for them. */
export function TransferMenu({
  handoff,
}: {
  readonly handoff: { readonly id: string; readonly status: keyof typeof texts };
}) {
  const { organizationId } = useProject();
  const { email } = useOperator();
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
        <Menu.Target>
          <Button variant="default">{texts[handoff.status].button}</Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {error !== undefined && <Menu.Item disabled>The team could not be loaded</Menu.Item>}
          {data !== undefined && colleagues.length === 0 && (
            <Menu.Item disabled>No other agent</Menu.Item>
          )}
          {colleagues.map((member) => (
            <Menu.Item key={member.id} onClick={() => setTo(member.email)}>
              {member.email}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
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
  const { verb, failure } = texts[status];
  const transfer = useNotifyingMutation(transferHandoffMutation, failure);
  const [note, setNote] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = note.trim() === '' ? null : note;
    const moved = await transfer.run({ handoffId, to, note: given }).finally(refresh);
    if (moved !== null) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`${verb} to ${to}`}>
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            data-autofocus
            label="Note (optional)"
            description="Becomes an internal note. Only your team sees it."
            dir="auto"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={maxNoteLength}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={transfer.isRunning}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
