import { Badge, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure, notifySuccess } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { SecretOnce } from '../shell/secret-once.tsx';
import { Time } from '../shell/time.tsx';
import { useAction } from '../shell/use-action.ts';
import { apiKeysQuery, revokeApiKeyMutation, rotateApiKeyMutation } from './api-key-operations.ts';
import { CreateKeyModal } from './create-key-modal.tsx';
import { scopeNames } from './scopes.ts';

const keysOf = ({ apiKeys }: ResultOf<typeof apiKeysQuery>) => apiKeys;
type ApiKey = ReturnType<typeof keysOf>['edges'][number]['node'];

/** Keys of this project and those of the whole organization. */
export function ApiKeys() {
  const { id: projectId, organizationId } = useProject();
  const [isMaking, making] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    apiKeysQuery,
    { organizationId },
    keysOf,
  );
  const keys = nodes.filter((key) => key.projectId === null || key.projectId === projectId);
  const show = (text: string) => {
    setSecret(text);
    reload();
  };
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack>
      <Button onClick={making.open} w="fit-content">
        Make a key
      </Button>
      {keys.length === 0 ? (
        <EmptyState title="No keys yet" text="A key lets your server call the REST interface." />
      ) : (
        <Table.ScrollContainer minWidth={760}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Key</Table.Th>
                <Table.Th>Scopes</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>
                  <span className="visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} onSecret={show} onChange={reload} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
      <CreateKeyModal opened={isMaking} onClose={making.close} onSecret={show} />
      <SecretOnce title="The new key" secret={secret} onClose={() => setSecret(null)} />
    </Stack>
  );
}

function KeyRow({
  apiKey,
  onSecret,
  onChange,
}: {
  readonly apiKey: ApiKey;
  readonly onSecret: (secret: string) => void;
  readonly onChange: () => void;
}) {
  const { id, name, prefix, lastFour, scopes, projectId, lastUsedAt } = apiKey;
  const rotate = useAction(rotateApiKeyMutation, 'The key was not rotated');
  const revoke = useAction(revokeApiKeyMutation, 'The key was not revoked');
  const isUsable = stateOf(apiKey) === 'active';

  const askToRevoke = () =>
    modals.openConfirmModal({
      title: 'Revoke this key?',
      children: <Text size="sm">Requests with {name} are refused from now on.</Text>,
      labels: { confirm: 'Revoke', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        if ((await revoke.run({ id })) === null) return;
        notifySuccess(`${name} was revoked`);
        onChange();
      },
    });
  const askToRotate = () =>
    modals.openConfirmModal({
      title: 'Rotate this key?',
      children: <Text size="sm">A new key is made. The old one works for another 24 hours.</Text>,
      labels: { confirm: 'Rotate', cancel: 'Keep' },
      onConfirm: async () => {
        const rotated = await rotate.run({ id });
        if (rotated !== null) onSecret(rotated.rotateApiKey.secret);
      },
    });

  return (
    <Table.Tr>
      <Table.Td>
        {name}
        {projectId === null && (
          <Text size="xs" c="dimmed">
            whole organization
          </Text>
        )}
      </Table.Td>
      <Table.Td ff="monospace">
        {prefix}…{lastFour}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{scopes.map((scope) => scopeNames[scope]).join(', ')}</Text>
      </Table.Td>
      <Table.Td>{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} size="sm" />}</Table.Td>
      <Table.Td>
        <KeyState apiKey={apiKey} />
      </Table.Td>
      <Table.Td>
        {isUsable && (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <Button
              size="compact-xs"
              variant="default"
              onClick={askToRotate}
              aria-label={`Rotate ${name}`}
            >
              Rotate
            </Button>
            <Button
              size="compact-xs"
              variant="light"
              color="red"
              onClick={askToRevoke}
              aria-label={`Revoke ${name}`}
            >
              Revoke
            </Button>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const state = stateOf(apiKey);
  return (
    <>
      <Badge variant="light" color={state === 'active' ? 'green' : 'gray'}>
        {state}
      </Badge>
      {state === 'active' && apiKey.expiresAt !== null && (
        <Text size="xs" c="dimmed">
          until <Time at={apiKey.expiresAt} size="xs" span />
        </Text>
      )}
    </>
  );
}

function stateOf({ revokedAt, expiresAt }: ApiKey): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'active';
}
