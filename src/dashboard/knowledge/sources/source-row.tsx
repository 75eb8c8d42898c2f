import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { confirmAction } from '../../components/confirm-action.tsx';
import { DangerButton } from '../../components/danger-button.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Row } from '../../components/row-list.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { describePlace } from './describe-place.ts';
import { describeRun } from './describe-run.ts';
import { describeSchedule } from './schedules.ts';
import { SourceModal } from './source-modal.tsx';
import {
  deleteSourceMutation,
  type Source,
  syncSourceMutation,
  updateSourceMutation,
} from './source-operations.ts';
import { SourceRunsModal } from './source-runs-modal.tsx';

export function SourceRow({
  source,
  onChange,
}: {
  readonly source: Source;
  readonly onChange: () => void;
}) {
  const { canWriteKnowledge } = usePermissions();
  const [isShowingRuns, runs] = useDisclosure(false);
  const { id: projectId } = useProject();
  const { id, name, config, lastRun, schedule, nextRunAt, documentCount } = source;
  return (
    <Row>
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <SourceState source={source} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describePlace(config)}
      </Text>
      {lastRun !== null && (
        <>
          <Text size="sm" role="status">
            {describeRun(lastRun)}
          </Text>
          {lastRun.error !== null && (
            <Text size="sm" c="red">
              {lastRun.error}
            </Text>
          )}
        </>
      )}
      <Text size="xs" c="dimmed">
        {describeSchedule(schedule)}
        {nextRunAt !== null && (
          <>
            , next <RelativeTime at={nextRunAt} size="xs" span />
          </>
        )}
      </Text>
      <Group gap="xs" mt="sm">
        {canWriteKnowledge && <SourceActions source={source} onChange={onChange} />}
        <Button
          size="xs"
          variant="default"
          component={Link}
          href={`/${projectId}/knowledge?source=${id}`}
          aria-label={`${formatCountOf(documentCount, 'document')} of ${name}`}
        >
          {formatCountOf(documentCount, 'document')}
        </Button>
        {lastRun !== null && (
          <Button size="xs" variant="default" onClick={runs.open} aria-label={`Runs of ${name}`}>
            Runs
          </Button>
        )}
      </Group>
      <SourceRunsModal source={source} opened={isShowingRuns} onClose={runs.close} />
    </Row>
  );
}

function SourceActions({
  source,
  onChange,
}: {
  readonly source: Source;
  readonly onChange: () => void;
}) {
  const { id, name, status, lastRun } = source;
  const heldRemovals = lastRun?.heldRemovals ?? 0;
  const [isEditing, editing] = useDisclosure(false);
  const sync = useNotifyingMutation(syncSourceMutation, 'The source is not being read');
  const update = useNotifyingMutation(updateSourceMutation, 'The source was not changed');
  const isPaused = status === 'PAUSED';
  const confirmRemovals = () =>
    confirmAction({
      title: `Delete ${formatCountOf(heldRemovals, 'document')} of ${name}?`,
      text: 'They were not in the source any more when it was read. It is read again, and all documents that are missing in it are deleted.',
      confirm: 'Read and delete',
      onConfirm: async () => {
        if ((await sync.run({ id, confirmRemovals: true })) !== null) onChange();
      },
    });
  const buttonProps = { size: 'xs', variant: 'default' } as const;
  return (
    <>
      {!isPaused && status !== 'RUNNING' && heldRemovals > 0 && (
        <DangerButton
          label={`Confirm the deletion in ${name}`}
          isRunning={sync.isRunning}
          onClick={confirmRemovals}
        >
          Confirm deletion
        </DangerButton>
      )}
      {!isPaused && (
        <Button
          {...buttonProps}
          loading={sync.isRunning}
          disabled={status === 'RUNNING'}
          aria-label={`Read now: ${name}`}
          onClick={async () => {
            if ((await sync.run({ id })) !== null) onChange();
          }}
        >
          Read now
        </Button>
      )}
      <Button {...buttonProps} onClick={editing.open} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <Button
        {...buttonProps}
        loading={update.isRunning}
        aria-label={`${isPaused ? 'Resume' : 'Pause'} ${name}`}
        onClick={async () => {
          if ((await update.run({ input: { id, isPaused: !isPaused } })) !== null) onChange();
        }}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <DeleteButton
        noun="source"
        name={name}
        title={`Delete ${name}?`}
        text="The documents of this source are deleted, too."
        mutation={deleteSourceMutation}
        variables={{ id }}
        onDeleted={onChange}
      />
      <SourceModal
        key={JSON.stringify(source.config) + name + source.schedule}
        opened={isEditing}
        onClose={editing.close}
        source={source}
        saving={update}
        onSave={async (_kind, settings, handleError) => {
          const saved = await update.run({ input: { id, ...settings } }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </>
  );
}

const stateBadges = {
  RUNNING: { color: 'blue', label: 'reading' },
  IDLE: { color: 'green', label: 'up to date' },
  FAILED: { color: 'red', label: 'incomplete' },
  PAUSED: { color: 'gray', label: 'paused' },
} as const;

function SourceState({ source: { status, lastRun } }: { readonly source: Source }) {
  if (status === 'IDLE' && lastRun === null) {
    return (
      <Badge variant="light" color="gray">
        not read yet
      </Badge>
    );
  }
  const { color, label } = stateBadges[status];
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}
