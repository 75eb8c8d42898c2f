import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * A button that deletes or ends the item of a row. `label` must name the item, because several rows have such a button.
 */
export function DangerButton({
  label,
  isRunning,
  onClick,
  children,
}: {
  readonly label: string;
  readonly isRunning: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Button
      size="xs"
      variant="light"
      color="red"
      loading={isRunning}
      onClick={onClick}
      aria-label={label}
    >
      {children}
    </Button>
  );
}
