import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

/** The form of a dialog. The buttons below its fields cancel and submit. */
export function ModalForm({
  submitLabel,
  isRunning,
  isDisabled = false,
  onSubmit,
  onCancel,
  children,
}: {
  readonly submitLabel: string;
  readonly isRunning: boolean;
  readonly isDisabled?: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event);
      }}
      noValidate
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isRunning} disabled={isDisabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
