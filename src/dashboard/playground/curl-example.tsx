import { ActionIcon, Card, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { curlCommand } from './curl-command.ts';

/** A REST request that asks the same question as the playground. */
export function CurlExample({
  message,
  conversationId,
}: {
  readonly message: string;
  readonly conversationId: string | null;
}) {
  const command = curlCommand(location.origin, { message, conversationId });
  return (
    <Card withBorder padding="sm" component="section" aria-label="Same request over REST">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          Same request over REST
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
        Set $API_KEY to an API key of this project. With an organization-wide key, add "projectId".
      </Text>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {command}
      </Code>
    </Card>
  );
}
