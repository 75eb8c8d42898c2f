import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from './copy-text.tsx';
import { useUnsavedChanges } from './unsaved-changes.tsx';

/** A secret that the service shows only now: it is not closed by mistake. */
export function SecretOnce({
  title,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  /** Null: nothing to show. */
  readonly secret: string | null;
  readonly onClose: () => void;
  /** How it is used. */
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
        <Alert color="yellow" title="Copy it now">
          It is not shown again. Keep it on your server, out of browsers, apps and repositories.
        </Alert>
        <CopyText label="Secret" text={secret ?? ''} isMain />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            I have it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
