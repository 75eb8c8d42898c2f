import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { askFirst } from '../shell/ask-first.tsx';
import { notifySuccess } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { Row } from '../shell/row-list.tsx';
import { Time } from '../shell/time.tsx';
import { useAction } from '../shell/use-action.ts';
import { EndpointModal } from './endpoint-modal.tsx';
import { sayEventTypes } from './event-types.ts';
import { RotateModal } from './rotate-modal.tsx';
import { TestOutcome } from './test-outcome.tsx';
import {
  deleteEndpointMutation,
  type Endpoint,
  rotateSecretMutation,
  sendTestMutation,
  updateEndpointMutation,
} from './webhook-operations.ts';

export function EndpointRow({
  endpoint,
  onChange,
  onSecret,
}: {
  readonly endpoint: Endpoint;
  readonly onChange: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const { id, url, types, isEnabled, previousSecretExpiresAt } = endpoint;
  const { id: projectId } = useProject();
  const [isEditing, editing] = useDisclosure(false);
  const [isRotating, rotating] = useDisclosure(false);
  const [testId, setTestId] = useState<string | null>(null);
  const update = useAction(updateEndpointMutation, 'The endpoint was not changed');
  const rotate = useAction(rotateSecretMutation, 'The secret was not rotated');
  const remove = useAction(deleteEndpointMutation, 'The endpoint was not deleted');
  const sendTest = useAction(sendTestMutation, 'The test event was not sent');

  const switchTo = async (wanted: boolean) => {
    if ((await update.run({ input: { id, isEnabled: wanted } })) === null) return;
    notifySuccess(wanted ? 'Events are sent to it again' : 'Nothing is sent to it now');
    onChange();
  };
  const askToDelete = () =>
    askFirst({
      title: 'Delete this endpoint?',
      text: `Nothing more is sent to ${url}, and the list of what was sent is deleted with it.`,
      confirm: 'Delete',
      onConfirm: async () => {
        if ((await remove.run({ id })) === null) return;
        notifySuccess('The endpoint was deleted');
        onChange();
      },
    });
  const action = { size: 'xs', variant: 'default' } as const;
  return (
    <Row>
      <Group gap="xs">
        <Text fw={600}>{url}</Text>
        <EndpointState endpoint={endpoint} />
      </Group>
      <Text size="sm">Gets {sayEventTypes(types)}</Text>
      {previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > Date.now() && (
        <Text size="xs" c="dimmed">
          Signed with the old secret as well, which ends{' '}
          <Time at={previousSecretExpiresAt} size="xs" span />
        </Text>
      )}
      <Text
        size="xs"
        component={Link}
        href={`/${projectId}/developer/deliveries?endpoint=${id}`}
        c="dimmed"
        td="underline"
      >
        What was sent to it
      </Text>
      <Group gap="xs" mt="sm">
        {isEnabled && (
          <Button
            {...action}
            loading={sendTest.isRunning}
            onClick={async () => {
              const sent = await sendTest.run({ endpointId: id });
              if (sent !== null) setTestId(sent.sendTestWebhook.id);
            }}
          >
            Send a test event
          </Button>
        )}
        <Button {...action} onClick={editing.open} aria-label={`Edit ${url}`}>
          Edit
        </Button>
        <Button {...action} loading={update.isRunning} onClick={() => switchTo(!isEnabled)}>
          {isEnabled ? 'Pause' : 'Resume'}
        </Button>
        <Button {...action} onClick={rotating.open}>
          Rotate the secret
        </Button>
        <Button
          size="xs"
          variant="light"
          color="red"
          loading={remove.isRunning}
          onClick={askToDelete}
          aria-label={`Delete ${url}`}
        >
          Delete
        </Button>
      </Group>
      {testId !== null && <TestOutcome key={testId} endpointId={id} deliveryId={testId} />}
      <EndpointModal
        key={`${url} ${types}`}
        opened={isEditing}
        onClose={editing.close}
        title="Edit the endpoint"
        action="Save"
        initial={{ url, types }}
        isRunning={update.isRunning}
        onSave={async (settings, tell) => {
          const input = { id, url: settings.url, types: [...settings.types] };
          const saved = await update.run({ input }, tell);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
      <RotateModal
        opened={isRotating}
        onClose={rotating.close}
        what="secret"
        isRunning={rotate.isRunning}
        text="Messages are signed with a new secret from now on, and with the old one as well for a while."
        onRotate={async (overlapSeconds) => {
          const rotated = await rotate.run({ id, overlapSeconds });
          if (rotated === null) return;
          rotating.close();
          onSecret(rotated.rotateWebhookSecret.secret);
        }}
      />
    </Row>
  );
}

function EndpointState({
  endpoint: { isEnabled, disabledReason },
}: {
  readonly endpoint: Endpoint;
}) {
  if (isEnabled) {
    return (
      <Badge variant="light" color="green">
        active
      </Badge>
    );
  }
  const isPaused = disabledReason === 'Disabled by hand';
  return (
    <>
      <Badge variant="light" color={isPaused ? 'gray' : 'red'}>
        {isPaused ? 'paused' : 'stopped'}
      </Badge>
      {!isPaused && (
        <Text size="sm" c="red">
          {disabledReason}
        </Text>
      )}
    </>
  );
}
