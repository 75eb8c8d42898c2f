import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

/** Asks before something is done that takes away what others may count on. */
export function askFirst({
  title,
  text,
  confirm,
  cancel = 'Keep',
  onConfirm,
}: {
  readonly title: string;
  /** What will be different. */
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
