import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useConnection } from '../graphql/use-connection.ts';
import { CopyText } from '../shell/copy-text.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { RowList } from '../shell/row-list.tsx';
import { SecretOnce } from '../shell/secret-once.tsx';
import { apiKeysQuery, keysOf, type NewKey } from './api-key-operations.ts';
import { CreateKeyModal } from './create-key-modal.tsx';
import { exampleRequest } from './example-request.ts';
import { KeyRow } from './key-row.tsx';
import { type KeyState, keyState } from './key-state.ts';

/** Other projects' keys may fill a page. */
const wantedRows = 20;

/** Keys of this project and those of the whole organization. */
export function ApiKeys() {
  const { id: projectId, organizationId } = useProject();
  const [isMaking, making] = useDisclosure(false);
  const [isEndedShown, setIsEndedShown] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    apiKeysQuery,
    { organizationId },
    keysOf,
  );
  const known = nodes.filter((key) => key.projectId === null || key.projectId === projectId);
  const now = Date.now();
  const of = (...states: KeyState[]) => known.filter((key) => states.includes(keyState(key, now)));
  const ended = of('revoked', 'expired');
  const shown = [...of('active'), ...of('replaced'), ...(isEndedShown ? ended : [])];
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that has come
  useEffect(() => {
    if (hasMore && known.length < wantedRows) loadMore();
  }, [nodes]);

  const show = (key: NewKey) => {
    setMade(key);
    reload();
  };
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={560}>
          A key lets a server of yours call the REST interface. It is valid for this project, or for
          the whole organization.
        </Text>
        <Button onClick={making.open}>Make a key</Button>
      </Group>
      {shown.length > 0 && (
        <RowList label="API keys">
          {shown.map((key) => (
            <KeyRow key={key.id} apiKey={key} onMade={show} onChange={reload} />
          ))}
        </RowList>
      )}
      {shown.length === 0 && (
        <EmptyState
          title={ended.length === 0 ? 'No keys yet' : 'No key is valid'}
          text="Make one to ask your first question over HTTP: the request to paste comes with it."
        />
      )}
      <Group>
        {ended.length > 0 && (
          <Checkbox
            label={`Show revoked and expired keys (${ended.length})`}
            checked={isEndedShown}
            onChange={(event) => setIsEndedShown(event.currentTarget.checked)}
          />
        )}
        {hasMore && (
          <Button variant="default" onClick={loadMore}>
            Show more
          </Button>
        )}
      </Group>
      <CreateKeyModal opened={isMaking} onClose={making.close} onMade={show} />
      <SecretOnce
        title="Your new API key"
        secret={made?.secret ?? null}
        onClose={() => setMade(null)}
      >
        {made !== null && (
          <>
            <Text size="sm">Try it:</Text>
            <CopyText
              label="Request"
              text={exampleRequest({
                secret: made.secret,
                scopes: made.apiKey.scopes,
                projectId: made.apiKey.projectId === null ? projectId : null,
              })}
            />
          </>
        )}
      </SecretOnce>
    </Stack>
  );
}
