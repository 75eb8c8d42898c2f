import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RowList } from '../../components/row-list.tsx';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { InvitationModal } from './invitation-modal.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { InviteForm } from './invite-form.tsx';
import { membersOf, membersQuery, type NewInvitation } from './member-operations.ts';
import { MemberRow } from './member-row.tsx';
import { roles } from './roles.ts';

/** The members of the organization and their roles. */
export function Members() {
  const { organizationId } = useProject();
  const { canManage } = usePermissions();
  const [invitation, setInvitation] = useState<NewInvitation | null>(null);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    membersQuery,
    { organizationId },
    membersOf,
  );
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack maw={720} gap="lg">
      <Text c="dimmed" size="sm">
        Members see all projects of the organization.
      </Text>
      {canManage && (
        <InviteForm
          onInvited={(created) => {
            setInvitation(created);
            reload();
          }}
        />
      )}
      <InvitationModal invitation={invitation} onClose={() => setInvitation(null)} />
      <RowList label="Members">
        {nodes.map((member) =>
          member.hasJoined ? (
            <MemberRow key={member.id} member={member} onChange={reload} />
          ) : (
            <InvitationRow
              key={member.id}
              member={member}
              onRenewed={setInvitation}
              onChange={reload}
            />
          ),
        )}
      </RowList>
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
      <section>
        <Title order={2} size="h5" mb="xs">
          Permissions of each role
        </Title>
        <dl style={{ margin: 0 }}>
          {roles.map(({ value, label, text }) => (
            <Text key={value} size="sm" component="div" mb={4}>
              <Text component="dt" inherit fw={600}>
                {label}
              </Text>
              <Text component="dd" inherit c="dimmed" m={0}>
                {text}
              </Text>
            </Text>
          ))}
        </dl>
      </section>
    </Stack>
  );
}
