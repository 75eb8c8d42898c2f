import { Modal, Skeleton, Stack, Text } from '@mantine/core';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { describeRun } from './describe-run.ts';
import { RunChanges } from './run-changes.tsx';
import { RunEntries } from './run-entries.tsx';
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
            <RunEntries label="Refused" texts={run.refusals.map(withReason)} count={run.refused} />
            <RunEntries
              label="Left out"
              texts={run.warnings.map(withReason)}
              count={run.warnings.length}
            />
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

const withReason = ({ url, reason }: { readonly url: string; readonly reason: string }) =>
  `${url}: ${reason}`;
