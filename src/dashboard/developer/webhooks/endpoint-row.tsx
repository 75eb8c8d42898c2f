import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { DeleteButton } from '../../components/delete-button.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RotateButton } from '../../components/rotate-button.tsx';
import { Row } from '../../components/row-list.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { WebhookEndpointModal } from './endpoint-modal.tsx';
import { TestDeliveryStatus } from './test-delivery-status.tsx';
import { formatEventTypes } from './webhook-event-types.ts';
import {
  deleteWebhookEndpointMutation,
  rotateWebhookSecretMutation,
  sendTestWebhookMutation,
  updateWebhookEndpointMutation,
  type WebhookEndpoint,
} from './webhook-operations.ts';

interface EndpointProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: () => void;
  readonly onSecret: (secret: string) => void;
}

export function WebhookEndpointRow({ endpoint, onChange, onSecret }: EndpointProps) {
  const { id, url, types, previousSecretExpiresAt } = endpoint;
  const { id: projectId } = useProject();
  return (
    <Row>
      <Group gap="xs">
        <Text fw={600}>{url}</Text>
        <EndpointState endpoint={endpoint} />
      </Group>
      <Text size="sm">Receives {formatEventTypes(types)}</Text>
      {previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > Date.now() && (
        <Text size="xs" c="dimmed">
          Also signed with the old secret, which expires{' '}
          <RelativeTime at={previousSecretExpiresAt} size="xs" span />
        </Text>
      )}
      <Text
        size="xs"
        component={Link}
        href={`/${projectId}/developer/deliveries?endpoint=${id}`}
        c="dimmed"
        td="underline"
      >
        Show deliveries
      </Text>
      <EndpointActions endpoint={endpoint} onChange={onChange} onSecret={onSecret} />
    </Row>
  );
}

function EndpointActions({ endpoint, onChange, onSecret }: EndpointProps) {
  const { id, url, types, isEnabled } = endpoint;
  const [isEditing, editing] = useDisclosure(false);
  const [testId, setTestId] = useState<string | null>(null);
  const update = useNotifyingMutation(
    updateWebhookEndpointMutation,
    'The endpoint was not changed',
  );
  const rotate = useNotifyingMutation(rotateWebhookSecretMutation, 'The secret was not rotated');
  const sendTest = useNotifyingMutation(sendTestWebhookMutation, 'The test event was not sent');

  const setEnabled = async (shouldEnable: boolean) => {
    if ((await update.run({ input: { id, isEnabled: shouldEnable } })) === null) return;
    notifySuccess(shouldEnable ? 'The endpoint is active again' : 'The endpoint is paused');
    onChange();
  };
  const buttonProps = { size: 'xs', variant: 'default' } as const;
  return (
    <>
      <Group gap="xs" mt="sm">
        {isEnabled && (
          <Button
            {...buttonProps}
            loading={sendTest.isRunning}
            onClick={async () => {
              const sent = await sendTest.run({ endpointId: id });
              if (sent !== null) setTestId(sent.sendTestWebhook.id);
            }}
          >
            Send a test event
          </Button>
        )}
        <Button {...buttonProps} onClick={editing.open} aria-label={`Edit ${url}`}>
          Edit
        </Button>
        <Button {...buttonProps} loading={update.isRunning} onClick={() => setEnabled(!isEnabled)}>
          {isEnabled ? 'Pause' : 'Resume'}
        </Button>
        <RotateButton
          credential="secret"
          text="Events are signed with a new secret. Until the old secret expires, they are signed with both."
          isRunning={rotate.isRunning}
          onRotate={async (overlapSeconds) => {
            const rotated = await rotate.run({ id, overlapSeconds });
            if (rotated !== null) onSecret(rotated.rotateWebhookSecret.secret);
            return rotated !== null;
          }}
        >
          Rotate the secret
        </RotateButton>
        <DeleteButton
          noun="endpoint"
          name={url}
          text={`No more events are sent to ${url}. Its list of deliveries is deleted.`}
          mutation={deleteWebhookEndpointMutation}
          variables={{ id }}
          onDeleted={onChange}
        />
      </Group>
      {testId !== null && <TestDeliveryStatus key={testId} endpointId={id} deliveryId={testId} />}
      <WebhookEndpointModal
        key={`${url} ${types}`}
        opened={isEditing}
        onClose={editing.close}
        title="Edit the endpoint"
        action="Save"
        initial={{ url, types }}
        saving={update}
        onSave={async (settings, handleError) => {
          const input = { id, url: settings.url, types: [...settings.types] };
          const saved = await update.run({ input }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </>
  );
}

function EndpointState({
  endpoint: { isEnabled, isPaused, disabledReason },
}: {
  readonly endpoint: WebhookEndpoint;
}) {
  if (isEnabled) {
    return (
      <Badge variant="light" color="green">
        active
      </Badge>
    );
  }
  return (
    <>
      <Badge variant="light" color={isPaused ? 'gray' : 'red'}>
        {isPaused ? 'paused' : 'disabled'}
      </Badge>
      {!isPaused && (
        <Text size="sm" c="red">
          {disabledReason}
        </Text>
      )}
    </>
  );
}
