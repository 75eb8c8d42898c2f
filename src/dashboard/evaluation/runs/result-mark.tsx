import { Button, Group, Text } from '@mantine/core';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { markResultMutation, type Result } from './result-operations.ts';

const marks = [
  { value: 'RIGHT', label: 'Right', color: 'green' },
  { value: 'WRONG', label: 'Wrong', color: 'red' },
] as const;

/** Buttons that mark an answer as right or wrong. A second click removes the mark. */
export function ResultMark({
  runId,
  result: { questionId, answer, mark },
  label,
  onChange,
}: {
  readonly runId: string;
  readonly result: Result;
  /** Name of the answer for screen readers, unique on the page. */
  readonly label: string;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  const change = useNotifyingMutation(markResultMutation, 'The answer was not marked');
  if (answer === null) return null;
  if (!canManage) {
    const shown = marks.find(({ value }) => value === mark);
    return shown === undefined ? null : <Text size="xs">Marked by a person: {shown.label}</Text>;
  }
  return (
    <Group gap="xs" role="group" aria-label={`Your mark of: ${label}`}>
      <Text size="xs" c="dimmed">
        Your mark
      </Text>
      {marks.map(({ value, label, color }) => (
        <Button
          key={value}
          size="compact-sm"
          variant={mark === value ? 'light' : 'default'}
          color={color}
          aria-pressed={mark === value}
          disabled={change.isRunning}
          onClick={async () => {
            await change.run({ runId, questionId, mark: mark === value ? null : value });
            onChange();
          }}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
