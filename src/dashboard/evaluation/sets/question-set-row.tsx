import { Anchor, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { DeleteButton } from '../../components/delete-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Row } from '../../components/row-list.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { evaluationPaths } from '../evaluation-paths.ts';
import { RunBadge } from '../runs/run-badge.tsx';
import type { Run } from '../runs/run-operations.ts';
import { SetNameModal } from './set-name-modal.tsx';
import {
  deleteQuestionSetMutation,
  type QuestionSet,
  renameQuestionSetMutation,
} from './set-operations.ts';

export function QuestionSetRow({
  set,
  lastRun,
  hasOlderRuns,
  onChange,
}: {
  readonly set: QuestionSet;
  /** The latest run of the set, or null if the list of runs has none. */
  readonly lastRun: Run | null;
  /** Whether the project has runs that are older than those of the list. */
  readonly hasOlderRuns: boolean;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const { canManage } = usePermissions();
  const { id, name, version, questionCount } = set;
  const paths = evaluationPaths(projectId);
  return (
    <Row actions={canManage && <SetActions set={set} onChange={onChange} />}>
      <Anchor component={Link} href={paths.set(id)} fw={600} dir="auto">
        {name}
      </Anchor>
      <Text size="sm" c="dimmed">
        {formatCountOf(questionCount, 'question')} · version {version}
      </Text>
      {lastRun === null ? (
        <Text size="sm" c="dimmed">
          {hasOlderRuns ? 'No recent run' : 'Not run yet'}
        </Text>
      ) : (
        <Group gap="xs">
          <Anchor
            component={Link}
            href={paths.run(lastRun.id)}
            size="sm"
            aria-label={`Last run of ${name}`}
          >
            Last run
          </Anchor>
          <RelativeTime at={lastRun.createdAt} size="sm" c="dimmed" />
          <RunBadge status={lastRun.status} />
        </Group>
      )}
    </Row>
  );
}

function SetActions({
  set: { id, name, questionCount },
  onChange,
}: {
  readonly set: QuestionSet;
  readonly onChange: () => void;
}) {
  const [isRenaming, renaming] = useDisclosure(false);
  const rename = useNotifyingMutation(renameQuestionSetMutation, 'The set was not renamed');
  return (
    <>
      <Button size="xs" variant="default" onClick={renaming.open} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      <DeleteButton
        noun="question set"
        name={name}
        text={`“${name}” is deleted with its ${formatCountOf(questionCount, 'question')} and all its runs. This cannot be undone.`}
        mutation={deleteQuestionSetMutation}
        variables={{ id }}
        onDeleted={onChange}
      />
      <SetNameModal
        opened={isRenaming}
        onClose={renaming.close}
        name={name}
        saving={rename}
        onSave={async (newName, handleError) => {
          const saved = await rename.run({ id, name: newName }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </>
  );
}
