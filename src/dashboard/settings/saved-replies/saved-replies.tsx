import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RowList } from '../../components/row-list.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { savedRepliesQuery } from '../../inbox/saved-reply-operations.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { SavedReplyModal } from './saved-reply-modal.tsx';
import { createSavedReplyMutation } from './saved-reply-operations.ts';
import { SavedReplyRow } from './saved-reply-row.tsx';

/** The saved replies of the project. Agents can read them. Admins can change them. */
export function SavedReplies() {
  const { id: projectId } = useProject();
  const { canManage } = usePermissions();
  const [isCreating, creating] = useDisclosure(false);
  const create = useNotifyingMutation(createSavedReplyMutation, 'The saved reply was not added');
  const { data, error, reload } = useFreshQuery(savedRepliesQuery, { projectId });
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined) return <Skeleton h={240} aria-label="Loading" />;
  const replies = data.savedReplies;
  return (
    <Stack maw={720}>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={480}>
          Texts that agents insert into their replies: type / in the reply field of the inbox.
          {!canManage && ' Owners and admins add and change them.'}
        </Text>
        {canManage && <Button onClick={creating.open}>Add a saved reply</Button>}
      </Group>
      {replies.length === 0 ? (
        <EmptyState
          title="No saved replies yet"
          text={`${canManage ? 'Add' : 'Owners and admins add'} texts that your team sends often, such as how to return an order.`}
        />
      ) : (
        <RowList label="Saved replies">
          {replies.map((reply) => (
            <SavedReplyRow key={reply.id} reply={reply} onChange={reload} />
          ))}
        </RowList>
      )}
      <SavedReplyModal
        opened={isCreating}
        onClose={creating.close}
        initial={null}
        saving={create}
        onSave={async (texts, handleError) => {
          const created = await create.run({ projectId, ...texts }, handleError);
          if (created !== null) reload();
          return created !== null;
        }}
      />
    </Stack>
  );
}
