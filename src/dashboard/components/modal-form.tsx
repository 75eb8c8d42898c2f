import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Saving } from '../project/use-notifying-mutation.ts';
import { FailureText } from './error-messages.tsx';

/** The form of a dialog. The buttons below its fields cancel and submit. */
export function ModalForm({
  submitLabel,
  saving: { isRunning, failure },
  isDisabled = false,
  onSubmit,
  onCancel,
  children,
}: {
  readonly submitLabel: string;
  readonly saving: Saving;
  readonly isDisabled?: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  // The mutation may remember a failure from when the dialog was open before.
  const [isSubmitted, setSubmitted] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        void onSubmit(event);
      }}
      noValidate
    >
      <Stack>
        {children}
        <FailureText failure={isSubmitted ? failure : null} />
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
