import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyableText } from './copyable-text.tsx';
import { useUnsavedChanges } from './unsaved-changes.tsx';

/**
 * Shows a secret that the service returns only once. Only the button closes the dialog. Escape or a click outside does
 * not close it.
 */
export function OneTimeSecretModal({
  title,
  secret,
  label = 'Secret',
  advice = 'It is not shown again. Store it on your server, never in a browser, an app or a repository.',
  onClose,
  children,
}: {
  readonly title: string;
  /** The secret to show. The dialog is closed while this is null. */
  readonly secret: string | null;
  /** The name of the secret. */
  readonly label?: string;
  readonly advice?: string;
  readonly onClose: () => void;
  /** Instructions for using the secret. */
  readonly children?: ReactNode;
}) {
  useUnsavedChanges(secret !== null);
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" title={`Copy the ${label.toLowerCase()} now`}>
          {advice}
        </Alert>
        <CopyableText label={label} text={secret ?? ''} isPrimary />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
