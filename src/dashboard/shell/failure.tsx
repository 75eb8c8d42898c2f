import { Alert, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { CombinedError } from 'urql';

/** What went wrong, in the service's own words, which are made to be shown: one message for each field that cannot be. */
export function messagesOf(error: CombinedError): readonly string[] {
  const [first] = error.graphQLErrors;
  if (first === undefined) return ['The service does not answer. Check your connection.'];
  const { messages } = first.extensions;
  return Array.isArray(messages) && messages.length > 0 ? messages.map(String) : [first.message];
}

function messageOf(error: CombinedError): string {
  return messagesOf(error).join('. ');
}

/** In the place of what could not be loaded. */
export function LoadFailure({
  error,
  onRetry,
}: {
  readonly error: CombinedError;
  readonly onRetry: () => void;
}) {
  return (
    <Alert color="red" role="alert" title="This could not be loaded">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{messageOf(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Says that something that was asked for was not done, and why. */
export function notifyFailure(title: string, error: CombinedError): void {
  notifications.show({ color: 'red', title, message: messageOf(error), role: 'alert' });
}

export function notifySuccess(message: string): void {
  notifications.show({ color: 'green', message });
}
