import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { CombinedError } from 'urql';

/** Returns the service's error messages, one for each invalid field. Operators may see these messages. */
export function errorMessagesOf(error: CombinedError): readonly string[] {
  const [first] = error.graphQLErrors;
  if (first === undefined) return ['The service is not responding. Check your connection.'];
  const { messages } = first.extensions;
  return Array.isArray(messages) && messages.length > 0 ? messages.map(String) : [first.message];
}

export function errorMessageOf(error: CombinedError): string {
  return errorMessagesOf(error).join('. ');
}

/** Shown instead of content that could not be loaded. */
export function LoadFailure({
  error,
  onRetry,
}: {
  readonly error: CombinedError;
  readonly onRetry: () => void;
}) {
  return (
    <Alert color="red" role="alert" title="Loading failed">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">
          {errorMessageOf(error)}{' '}
          {error.graphQLErrors.length > 0 && (
            <Anchor href="/docs/reference/errors" target="_blank" underline="always" inherit>
              What errors mean
            </Anchor>
          )}
        </Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** The error at the button that failed, which stays after the notification has gone. Renders nothing without a failure. */
export function FailureText({ failure }: { readonly failure: string | null }) {
  if (failure === null) return null;
  return (
    <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
      {failure}
    </Text>
  );
}

/** Shows a notification that an action failed, with the reason. */
export function notifyFailure(title: string, error: CombinedError): void {
  notifyProblem(title, errorMessageOf(error));
}

/** Shows a notification that an action failed. `message` is the reason. */
export function notifyProblem(title: string, message: string): void {
  notifications.show({ color: 'red', title, message, role: 'alert' });
}

export function notifySuccess(message: string): void {
  notifications.show({ color: 'green', message });
}
