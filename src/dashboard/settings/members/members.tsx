import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RowList } from '../../components/row-list.tsx';
import { ShowMoreButton } from '../../components/show-more-button.tsx';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { DisplayNameForm } from './display-name-form.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { InviteForm } from './invite-form.tsx';
import { LinkModal, type NewLink } from './link-modal.tsx';
import { membersOf, membersQuery } from './member-operations.ts';
import { MemberRow } from './member-row.tsx';
import { roles } from './roles.ts';

/** The members of the organization and their roles. */
export function Members() {
  const { organizationId } = useProject();
  const { canManage } = usePermissions();
  const [link, setLink] = useState<NewLink | null>(null);
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
      <DisplayNameForm onChange={reload} />
      {canManage && (
        <InviteForm
          onInvited={(created) => {
            setLink({ type: 'invitation', created });
            reload();
          }}
        />
      )}
      <LinkModal link={link} onClose={() => setLink(null)} />
      <RowList label="Members">
        {nodes.map((member) =>
          member.hasJoined ? (
            <MemberRow
              key={member.id}
              member={member}
              onLink={(created) => setLink({ type: 'sign-in', created })}
              onChange={reload}
            />
          ) : (
            <InvitationRow
              key={member.id}
              member={member}
              onRenewed={(created) => setLink({ type: 'invitation', created })}
              onChange={reload}
            />
          ),
        )}
      </RowList>
      {hasMore && <ShowMoreButton onClick={loadMore} />}
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
