import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RowList } from '../../components/row-list.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { createLabelMutation, labelsQuery } from '../../labels/label-operations.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { LabelModal } from './label-modal.tsx';
import { LabelRow } from './label-row.tsx';

/** The labels of the project. Agents can see the labels. Admins can change them. */
export function Labels() {
  const { id: projectId } = useProject();
  const { canManage } = usePermissions();
  const [isCreating, creating] = useDisclosure(false);
  const create = useNotifyingMutation(createLabelMutation, 'The label was not added');
  const { data, error, reload } = useFreshQuery(labelsQuery, { projectId });
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined) return <Skeleton h={240} aria-label="Loading" />;
  const labels = data.labels;
  return (
    <Stack maw={720}>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={480}>
          Agents put labels on conversations, and filter by them. End users never see them.
        </Text>
        {canManage && <Button onClick={creating.open}>Add a label</Button>}
      </Group>
      {labels.length === 0 ? (
        <EmptyState
          title="No labels yet"
          text={`${canManage ? 'Add' : 'Owners and admins add'} words that sort your conversations, such as Urgent or Billing.`}
        />
      ) : (
        <RowList label="Labels">
          {labels.map((label) => (
            <LabelRow key={label.id} label={label} onChange={reload} />
          ))}
        </RowList>
      )}
      <LabelModal
        opened={isCreating}
        onClose={creating.close}
        initial={null}
        saving={create}
        onSave={async (values, handleError) => {
          const created = await create.run({ projectId, ...values }, handleError);
          if (created !== null) reload();
          return created !== null;
        }}
      />
    </Stack>
  );
}
