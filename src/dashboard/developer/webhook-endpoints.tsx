import {
  Badge,
  Button,
  Card,
  Group,
  Modal,
  MultiSelect,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { SecretOnce } from '../shell/secret-once.tsx';
import { useAction } from '../shell/use-action.ts';
import {
  createEndpointMutation,
  deleteEndpointMutation,
  endpointsQuery,
  rotateSecretMutation,
  updateEndpointMutation,
} from './webhook-operations.ts';

const endpointsOf = ({ webhookEndpoints }: ResultOf<typeof endpointsQuery>) => webhookEndpoints;
type Endpoint = ReturnType<typeof endpointsOf>['edges'][number]['node'];

const eventTypes = [
  'human.requested',
  'handoff.claimed',
  'handoff.resolved',
  'message.created',
  'document.ready',
  'document.failed',
];

/** Where events of the project are sent, signed. */
export function WebhookEndpoints() {
  const { id: projectId } = useProject();
  const [isMaking, making] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { nodes, error, isLoading, reload } = useConnection(
    endpointsQuery,
    { projectId },
    endpointsOf,
  );
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack>
      <Button onClick={making.open} w="fit-content">
        Add an endpoint
      </Button>
      {nodes.length === 0 && (
        <EmptyState
          title="No endpoints yet"
          text="Your system is told when somebody asks for a person, when a document is ready, and more."
        />
      )}
      {nodes.map((endpoint) => (
        <EndpointCard
          key={endpoint.id}
          endpoint={endpoint}
          onChange={reload}
          onSecret={setSecret}
        />
      ))}
      <CreateEndpointModal
        opened={isMaking}
        onClose={making.close}
        onSecret={(text) => {
          setSecret(text);
          reload();
        }}
      />
      <SecretOnce title="The signing secret" secret={secret} onClose={() => setSecret(null)} />
    </Stack>
  );
}

function EndpointCard({
  endpoint: { id, url, types, isEnabled, disabledReason },
  onChange,
  onSecret,
}: {
  readonly endpoint: Endpoint;
  readonly onChange: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const update = useAction(updateEndpointMutation, 'The endpoint was not changed');
  const rotate = useAction(rotateSecretMutation, 'The secret was not rotated');
  const remove = useAction(deleteEndpointMutation, 'The endpoint was not removed');
  return (
    <Card withBorder padding="md" component="section" aria-label={url}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <Group gap={4} mt={4}>
            {(types.length === 0 ? ['all events'] : types).map((type) => (
              <Badge key={type} variant="light" tt="none">
                {type}
              </Badge>
            ))}
          </Group>
          {disabledReason !== null && (
            <Text size="sm" c="red" mt={4}>
              {disabledReason}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Switch
            label="Enabled"
            checked={isEnabled}
            disabled={update.isRunning}
            onChange={async (event) => {
              const wanted = event.currentTarget.checked;
              if ((await update.run({ id, isEnabled: wanted })) !== null) onChange();
            }}
          />
          <Button
            size="xs"
            variant="default"
            loading={rotate.isRunning}
            onClick={async () => {
              const rotated = await rotate.run({ id });
              if (rotated !== null) onSecret(rotated.rotateWebhookSecret.secret);
            }}
          >
            Rotate the secret
          </Button>
          <Button
            size="xs"
            variant="light"
            color="red"
            loading={remove.isRunning}
            onClick={() =>
              modals.openConfirmModal({
                title: 'Remove this endpoint?',
                children: (
                  <Text size="sm">Nothing more is sent to it. Its deliveries are removed.</Text>
                ),
                labels: { confirm: 'Remove', cancel: 'Keep' },
                confirmProps: { color: 'red' },
                onConfirm: async () => {
                  if ((await remove.run({ id })) !== null) onChange();
                },
              })
            }
          >
            Remove
          </Button>
        </Group>
      </Group>
    </Card>
  );
}

function CreateEndpointModal({
  opened,
  onClose,
  onSecret,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const { id: projectId } = useProject();
  const create = useAction(createEndpointMutation, 'The endpoint was not added');
  const form = useForm({
    initialValues: { url: '', types: [] as string[] },
    validate: {
      url: (url) => (URL.canParse(url) ? null : 'Enter an address that begins with https://'),
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Add a webhook endpoint">
      <form
        onSubmit={form.onSubmit(async ({ url, types }) => {
          const made = await create.run({
            projectId,
            url,
            types: types.length === 0 ? null : types,
          });
          if (made === null) return;
          form.reset();
          onClose();
          onSecret(made.createWebhookEndpoint.secret);
        })}
      >
        <Stack>
          <TextInput label="Address" type="url" required {...form.getInputProps('url')} />
          <MultiSelect
            label="Events"
            description="None chosen: all of them."
            data={eventTypes}
            {...form.getInputProps('types')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isRunning}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
