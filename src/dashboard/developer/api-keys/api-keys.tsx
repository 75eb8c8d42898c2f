import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { CopyableText } from '../../components/copyable-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { OneTimeSecretModal } from '../../components/one-time-secret-modal.tsx';
import { RowList } from '../../components/row-list.tsx';
import { ShowMoreButton } from '../../components/show-more-button.tsx';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import { apiKeysOf, apiKeysQuery, type CreatedApiKey } from './api-key-operations.ts';
import { ApiKeyRow } from './api-key-row.tsx';
import { type ApiKeyState, apiKeyState } from './api-key-state.ts';
import { CreateApiKeyModal } from './create-api-key-modal.tsx';
import { exampleRequest } from './example-request.ts';

/**
 * The list loads further pages until it has this many keys of the project, because a page may contain only keys of
 * other projects.
 */
const minVisibleRows = 20;

/** The API keys that are valid for this project: its own keys and those for all projects of the organization. */
export function ApiKeys() {
  const { id: projectId, organizationId } = useProject();
  const [isCreating, createModal] = useDisclosure(false);
  const [isInactiveShown, setIsInactiveShown] = useState(false);
  const [createdKey, setCreatedKey] = useState<CreatedApiKey | null>(null);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    apiKeysQuery,
    { organizationId },
    apiKeysOf,
  );
  const projectKeys = nodes.filter((key) => key.projectId === null || key.projectId === projectId);
  const now = Date.now();
  const keysInState = (...states: ApiKeyState[]) =>
    projectKeys.filter((key) => states.includes(apiKeyState(key, now)));
  const inactiveKeys = keysInState('revoked', 'expired');
  const visibleKeys = [
    ...keysInState('active'),
    ...keysInState('replaced'),
    ...(isInactiveShown ? inactiveKeys : []),
  ];
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per loaded page
  useEffect(() => {
    if (hasMore && projectKeys.length < minVisibleRows) loadMore();
  }, [nodes]);

  const showCreated = (key: CreatedApiKey) => {
    setCreatedKey(key);
    reload();
  };
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={560}>
          An API key lets your server call the REST API. It is valid for this project or for the
          whole organization.
        </Text>
        <Button onClick={createModal.open}>Create a key</Button>
      </Group>
      {visibleKeys.length > 0 && (
        <RowList label="API keys">
          {visibleKeys.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} onCreated={showCreated} onChange={reload} />
          ))}
        </RowList>
      )}
      {visibleKeys.length === 0 && (
        <EmptyState
          title={inactiveKeys.length === 0 ? 'No keys yet' : 'No active keys'}
          text="Create a key to ask your first question over HTTP. You get a request to paste into a shell."
        />
      )}
      <Group>
        {inactiveKeys.length > 0 && (
          <Checkbox
            label={`Show revoked and expired keys (${inactiveKeys.length})`}
            checked={isInactiveShown}
            onChange={(event) => setIsInactiveShown(event.currentTarget.checked)}
          />
        )}
        {hasMore && <ShowMoreButton onClick={loadMore} />}
      </Group>
      <CreateApiKeyModal opened={isCreating} onClose={createModal.close} onCreated={showCreated} />
      <CreatedKeyModal created={createdKey} onClose={() => setCreatedKey(null)} />
    </Stack>
  );
}

/** The secret of a new key, and a request to try it. */
function CreatedKeyModal({
  created,
  onClose,
}: {
  readonly created: CreatedApiKey | null;
  readonly onClose: () => void;
}) {
  const { id } = useProject();
  return (
    <OneTimeSecretModal title="Your new API key" secret={created?.secret ?? null} onClose={onClose}>
      {created !== null && (
        <>
          <Text size="sm">Try it:</Text>
          <CopyableText
            label="Request"
            text={exampleRequest({
              secret: created.secret,
              scopes: created.apiKey.scopes,
              projectId: created.apiKey.projectId === null ? id : null,
            })}
          />
        </>
      )}
    </OneTimeSecretModal>
  );
}
