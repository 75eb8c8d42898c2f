import { ActionIcon, Card, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { curlCommand } from './curl-command.ts';

/** The request that asks the same over REST. */
export function SameAsCurl({
  message,
  conversationId,
}: {
  readonly message: string;
  readonly conversationId: string | null;
}) {
  const command = curlCommand(location.origin, { message, conversationId });
  return (
    <Card withBorder padding="sm" component="section" aria-label="The same over REST">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          The same over REST
        </Text>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              onClick={copy}
              aria-label={copied ? 'Copied' : 'Copy the command'}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
      <Text size="xs" c="dimmed" mb="xs">
        With a key of this project in $API_KEY. With a key for all projects add "projectId".
      </Text>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {command}
      </Code>
    </Card>
  );
}
