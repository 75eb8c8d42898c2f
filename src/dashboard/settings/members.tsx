import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useConnection } from '../graphql/use-connection.ts';
import { LoadFailure } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { RowList } from '../shell/row-list.tsx';
import { InviteForm } from './invite-form.tsx';
import { membersOf, membersQuery } from './member-operations.ts';
import { MemberRow } from './member-row.tsx';
import { roles } from './roles.ts';

/** Who is in the organization, and as what. */
export function Members() {
  const { organizationId } = useProject();
  const { canManage } = usePermissions();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
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
      {canManage && <InviteForm onInvited={reload} />}
      <RowList label="Members">
        {nodes.map((member) => (
          <MemberRow key={member.id} member={member} onChange={reload} />
        ))}
      </RowList>
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
      <section>
        <Title order={2} size="h5" mb="xs">
          What the roles may do
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
