import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RowList } from '../../components/row-list.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { SourceModal } from './source-modal.tsx';
import { createSourceMutation, sourcesQuery, syncSourceMutation } from './source-operations.ts';
import { SourceRow } from './source-row.tsx';

/** Interval in milliseconds at which the list is reloaded: while a source is running, and otherwise. */
const reloadIntervals = { running: 2_000, idle: 20_000 };

/** The project's sources. A source that is running also shows its progress. */
export function SourceList() {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const [isCreating, modal] = useDisclosure(false);
  const create = useNotifyingMutation(createSourceMutation, 'The source was not added');
  const sync = useNotifyingMutation(syncSourceMutation, 'The source is not being read');
  const { data, error, reload } = useFreshQuery(sourcesQuery, { projectId });
  const sources = data?.sourcePage.data;
  const isRunning = sources?.some(({ status }) => status === 'RUNNING') === true;
  useEffect(() => {
    const interval = isRunning ? reloadIntervals.running : reloadIntervals.idle;
    const timer = setInterval(() => !document.hidden && reload(), interval);
    return () => clearInterval(timer);
  }, [isRunning, reload]);

  if (sources === undefined) {
    return error === undefined ? (
      <Skeleton h={240} aria-label="Loading" />
    ) : (
      <LoadFailure error={error} onRetry={reload} />
    );
  }
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={560}>
          A source is a website, a Git repository, an S3 bucket or a Notion workspace whose pages or
          files become documents. Each time it is read, the documents become equal to it.
        </Text>
        {canWriteKnowledge && <Button onClick={modal.open}>Add a source</Button>}
      </Group>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {sources.length === 0 ? (
        <EmptyState
          title="No sources yet"
          text="Add the address of your help center. Its pages are read now, and again whenever you choose."
        />
      ) : (
        <RowList label="Sources">
          {sources.map((source) => (
            <SourceRow key={source.id} source={source} onChange={reload} />
          ))}
        </RowList>
      )}
      <SourceModal
        opened={isCreating}
        onClose={modal.close}
        source={null}
        saving={{ ...create, isRunning: create.isRunning || sync.isRunning }}
        onSave={async (kind, settings, handleError) => {
          const input = { projectId, kind, ...settings };
          const created = await create.run({ input }, handleError);
          if (created === null) return false;
          await sync.run({ id: created.createSource.id });
          reload();
          return true;
        }}
      />
    </Stack>
  );
}
