import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useOperator } from '../project/operator.tsx';
import classes from './inbox.module.css';
import type { PendingReply } from './reply-outbox.ts';

/** A reply that the transcript does not contain yet, with its state. */
export function PendingReplyItem({
  reply: { content, status, reason },
  onRetry,
  onEdit,
}: {
  readonly reply: PendingReply;
  readonly onRetry: () => void;
  /** Moves the text back to the reply field. Undefined if there is no field. */
  readonly onEdit: (() => void) | undefined;
}) {
  const { email } = useOperator();
  const hasFailed = status === 'FAILED';
  return (
    <Box component="li" style={{ listStyle: 'none', alignSelf: 'flex-end' }} maw="min(42rem, 92%)">
      <Group gap="xs" mb={4} justify="flex-end">
        <Text size="xs" fw={600}>
          {email}
        </Text>
        <Text size="xs" c="dimmed">
          {hasFailed ? 'not sent' : status === 'SENDING' ? 'sending…' : 'sent'}
        </Text>
      </Group>
      <Paper px="sm" py="xs" radius="lg" className={classes.pending}>
        <Text size="sm" c="dimmed" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
          {content}
        </Text>
      </Paper>
      {hasFailed && (
        <Group gap="xs" mt={4} justify="flex-end" role="alert">
          <Text size="xs" c="red">
            The reply was not sent. {reason}
          </Text>
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
          {onEdit !== undefined && (
            <Button size="compact-xs" variant="default" onClick={onEdit}>
              Edit
            </Button>
          )}
        </Group>
      )}
    </Box>
  );
}
