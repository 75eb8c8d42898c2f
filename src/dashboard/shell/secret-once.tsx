import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';

/** A secret that the service shows only now. */
export function SecretOnce({
  title,
  secret,
  onClose,
}: {
  readonly title: string;
  /** Null: nothing to show. */
  readonly secret: string | null;
  readonly onClose: () => void;
}) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" title="Copy it now">
          It is stored as a hash or sealed, and cannot be shown again.
        </Alert>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button onClick={copy} variant={copied ? 'light' : 'filled'}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            I have it
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Keep it out of browsers and repositories.
        </Text>
      </Stack>
    </Modal>
  );
}
