import { List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { describeRun } from './describe-run.ts';
import { RunChanges } from './run-changes.tsx';
import { type Source, sourceRunsQuery } from './source-operations.ts';

/** The latest runs of a source, and the pages that did not become documents. */
export function SourceRunsModal({
  source: { id, name },
  opened,
  onClose,
}: {
  readonly source: Source;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Runs of ${name}`} size="lg">
      <Runs sourceId={id} />
    </Modal>
  );
}

function Runs({ sourceId: id }: { readonly sourceId: string }) {
  const { id: projectId } = useProject();
  const { data, error, reload } = useFreshQuery(sourceRunsQuery, { id, projectId });
  return (
    <>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton h={160} aria-label="Loading" />}
      <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {data?.sourceRunPage.data.map((run) => (
          <li key={run.id}>
            <Text fw={600} size="sm">
              <RelativeTime at={run.startedAt} size="sm" span />
            </Text>
            <Text size="sm">{describeRun(run)}</Text>
            {run.error !== null && (
              <Text size="sm" c="red">
                {run.error}
              </Text>
            )}
            <RunChanges run={run} />
            {run.refusals.length > 0 && (
              <List size="sm" aria-label="Refused pages" mt={4}>
                {run.refusals.map(({ url, reason }) => (
                  <List.Item key={url} style={{ overflowWrap: 'anywhere' }}>
                    {url}: {reason}
                  </List.Item>
                ))}
              </List>
            )}
            {run.warnings.length > 0 && (
              <List size="sm" c="dimmed" aria-label="Left out" mt={4}>
                {run.warnings.map(({ url, reason }) => (
                  <List.Item key={`${url} ${reason}`} style={{ overflowWrap: 'anywhere' }}>
                    {url}: {reason}
                  </List.Item>
                ))}
              </List>
            )}
            {run.refused > run.refusals.length && run.refusals.length > 0 && (
              <Text size="sm" c="dimmed">
                and {run.refused - run.refusals.length} more
              </Text>
            )}
          </li>
        ))}
      </Stack>
      {data !== undefined && data.sourceRunPage.total > data.sourceRunPage.data.length && (
        <Text size="sm" c="dimmed" mt="sm">
          The latest {data.sourceRunPage.data.length} of {data.sourceRunPage.total} runs.
        </Text>
      )}
    </>
  );
}
