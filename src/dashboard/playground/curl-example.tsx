import { Card, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { IconButton } from '../components/icon-button.tsx';
import { curlCommand } from './curl-command.ts';

/** A REST request that asks the same question as the playground, folded until it is wanted. */
export function CurlExample({
  message,
  conversationId,
}: {
  readonly message: string;
  readonly conversationId: string | null;
}) {
  const command = curlCommand(location.origin, { message, conversationId });
  return (
    <details>
      <Text component="summary" size="sm" c="dimmed" w="fit-content" style={{ cursor: 'pointer' }}>
        Show the request
      </Text>
      <Card withBorder padding="sm" mt="xs" component="section" aria-label="Same request over REST">
        <Group justify="space-between" wrap="nowrap" mb="xs">
          <Text size="xs" c="dimmed">
            Set $GROUNDED_CHAT_KEY to an API key of this project. With an organization-wide key, add
            "projectId".
          </Text>
          <CopyButton value={command}>
            {({ copied, copy }) => (
              <IconButton label={copied ? 'Copied' : 'Copy the command'} onClick={copy}>
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </IconButton>
            )}
          </CopyButton>
        </Group>
        <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {command}
        </Code>
      </Card>
    </details>
  );
}
