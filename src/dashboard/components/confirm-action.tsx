import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

/** Opens a dialog that asks for confirmation before a destructive action. */
export function confirmAction({
  title,
  text,
  confirm,
  cancel = 'Cancel',
  onConfirm,
}: {
  readonly title: string;
  /** Explains the consequences of the action. */
  readonly text: string;
  readonly confirm: string;
  readonly cancel?: string;
  readonly onConfirm: () => unknown;
}): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    ),
    labels: { confirm, cancel },
    confirmProps: { color: 'red' },
    onConfirm: () => void onConfirm(),
  });
}
