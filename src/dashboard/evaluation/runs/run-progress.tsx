import { Group, Progress, Stack, Text } from '@mantine/core';
import { DangerButton } from '../../components/danger-button.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { cancelEvaluationMutation, type Run } from './run-operations.ts';

/** How many questions of an active run were asked, with a button that cancels the run. */
export function RunProgress({
  run: {
    id,
    status,
    progress: { done, total },
  },
  onChange,
}: {
  readonly run: Run;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  const cancel = useNotifyingMutation(cancelEvaluationMutation, 'The run was not cancelled');
  const text =
    status === 'QUEUED'
      ? 'Waiting for its turn'
      : `${formatCount(done)} of ${formatCount(total)} questions asked`;
  return (
    <Stack gap="xs">
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label="Questions asked" />
      <Group justify="space-between">
        <Text size="sm" role="status">
          {text}
        </Text>
        {canManage && (
          <DangerButton
            label="Cancel the run"
            isRunning={cancel.isRunning}
            onClick={async () => {
              await cancel.run({ id });
              onChange();
            }}
          >
            Cancel the run
          </DangerButton>
        )}
      </Group>
    </Stack>
  );
}
