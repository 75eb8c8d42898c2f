import {
  ActionIcon,
  Button,
  Group,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { membersQuery } from '../inbox/handoff-operations.ts';
import { LoadFailure, notifySuccess } from '../shell/failure.tsx';
import { type Role, useOperator } from '../shell/operator.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';

const inviteMutation = graphql(`
  mutation InviteMember($input: MemberInput!) {
    inviteMember(input: $input) {
      id
      email
    }
  }
`);
const updateMutation = graphql(`
  mutation UpdateMember($input: MemberInput!) {
    updateMember(input: $input) {
      id
      role
    }
  }
`);
const removeMutation = graphql(`
  mutation RemoveMember($input: RemoveMemberInput!) {
    removeMember(input: $input) {
      id
    }
  }
`);

const roles: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'OWNER', label: 'Owner' },
  { value: 'ADMIN', label: 'Admin' },
  { value: 'AGENT', label: 'Agent' },
  { value: 'VIEWER', label: 'Viewer' },
];

/** Who is in the organization, and as what. */
export function Members() {
  const { organizationId } = useProject();
  const { canManage, isOwner } = usePermissions();
  const { email: ownEmail } = useOperator();
  const [{ data, error }, reload] = useQuery({
    query: membersQuery,
    variables: { organizationId },
  });
  const change = useAction(updateMutation, 'The role was not changed');
  const remove = useAction(removeMutation, 'The member was not removed');
  const again = () => reload({ requestPolicy: 'network-only' });
  if (error !== undefined) return <LoadFailure error={error} onRetry={again} />;
  if (data?.organization == null) return <Skeleton h={240} aria-label="Loading" />;
  const given = roles.filter(({ value }) => isOwner || value !== 'OWNER');
  return (
    <Stack maw={720}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>E-mail</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>
              <span className="visually-hidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.organization.members.edges.map(({ node: { id, email, role } }) => {
            const isMine = canManage && (isOwner || role !== 'OWNER');
            return (
              <Table.Tr key={id}>
                <Table.Td>
                  {email}
                  {email === ownEmail && (
                    <Text span c="dimmed">
                      {' '}
                      (you)
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {isMine ? (
                    <Select
                      aria-label={`Role of ${email}`}
                      size="xs"
                      allowDeselect={false}
                      data={[...given]}
                      value={role}
                      onChange={async (chosen) => {
                        const input = { organizationId, email, role: chosen as Role };
                        await change.run({ input });
                        again();
                      }}
                    />
                  ) : (
                    roles.find(({ value }) => value === role)?.label
                  )}
                </Table.Td>
                <Table.Td ta="right">
                  {isMine && (
                    <ActionIcon
                      variant="subtle"
                      color="red"
                      aria-label={`Remove ${email}`}
                      onClick={() =>
                        modals.openConfirmModal({
                          title: 'Remove this member?',
                          children: (
                            <Text size="sm">
                              {email} is signed out of the organization at once.
                            </Text>
                          ),
                          labels: { confirm: 'Remove', cancel: 'Keep' },
                          confirmProps: { color: 'red' },
                          onConfirm: async () => {
                            if ((await remove.run({ input: { organizationId, email } })) === null)
                              return;
                            notifySuccess(`${email} was removed`);
                            again();
                          },
                        })
                      }
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {canManage && <InviteForm roles={given} onInvited={again} />}
    </Stack>
  );
}

function InviteForm({
  roles,
  onInvited,
}: {
  readonly roles: readonly { readonly value: Role; readonly label: string }[];
  readonly onInvited: () => void;
}) {
  const { organizationId } = useProject();
  const invite = useAction(inviteMutation, 'Nobody was invited');
  const form = useForm({
    initialValues: { email: '', role: 'AGENT' as Role },
    validate: { email: (email) => (email.includes('@') ? null : 'Enter an e-mail address') },
  });
  return (
    <form
      onSubmit={form.onSubmit(async (values) => {
        const invited = await invite.run({ input: { organizationId, ...values } });
        if (invited === null) return;
        notifySuccess(`${invited.inviteMember.email} is a member at the next sign-in`);
        form.reset();
        onInvited();
      })}
    >
      <Group align="flex-end">
        <TextInput
          label="Invite by e-mail"
          type="email"
          flex={1}
          {...form.getInputProps('email')}
        />
        <Select
          label="As"
          data={[...roles]}
          allowDeselect={false}
          w={120}
          {...form.getInputProps('role')}
        />
        <Button type="submit" loading={invite.isRunning}>
          Invite
        </Button>
      </Group>
    </form>
  );
}
