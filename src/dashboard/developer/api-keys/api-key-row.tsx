import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { confirmAction } from '../../components/confirm-action.tsx';
import { DangerButton } from '../../components/danger-button.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RotateModal } from '../../components/rotate-modal.tsx';
import { Row } from '../../components/row-list.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import {
  type ApiKey,
  type CreatedApiKey,
  revokeApiKeyMutation,
  rotateApiKeyMutation,
} from './api-key-operations.ts';
import { allScopes, scopes as scopeTexts } from './api-key-scopes.ts';
import { type ApiKeyState, apiKeyState } from './api-key-state.ts';

const colors = { active: 'green', replaced: 'yellow', revoked: 'gray', expired: 'gray' } as const;

export function ApiKeyRow({
  apiKey,
  onCreated,
  onChange,
}: {
  readonly apiKey: ApiKey;
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onChange: () => void;
}) {
  const { id, name, prefix, lastFour, projectId, createdBy, createdAt, lastUsedAt } = apiKey;
  const [isRotating, rotating] = useDisclosure(false);
  const rotate = useNotifyingMutation(rotateApiKeyMutation, 'The key was not rotated');
  const revoke = useNotifyingMutation(revokeApiKeyMutation, 'The key was not revoked');
  const state = apiKeyState(apiKey, Date.now());

  const confirmRevoke = () =>
    confirmAction({
      title: 'Revoke this key?',
      text: `Requests with ${name} will be rejected. This cannot be undone.`,
      confirm: 'Revoke',
      onConfirm: async () => {
        if ((await revoke.run({ id })) === null) return;
        notifySuccess(`${name} was revoked`);
        onChange();
      },
    });

  return (
    <Row
      actions={
        <>
          {state === 'active' && (
            <Button
              size="xs"
              variant="default"
              onClick={rotating.open}
              aria-label={`Rotate ${name}`}
            >
              Rotate
            </Button>
          )}
          {(state === 'active' || state === 'replaced') && (
            <DangerButton
              label={`Revoke ${name}`}
              isRunning={revoke.isRunning}
              onClick={confirmRevoke}
            >
              Revoke
            </DangerButton>
          )}
        </>
      }
    >
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <Badge variant="light" color={colors[state]}>
          {state}
        </Badge>
        {projectId === null && <Badge variant="default">Whole organization</Badge>}
      </Group>
      <Group gap={6} my={6}>
        <Code>
          {prefix}…{lastFour}
        </Code>
        <Text size="sm">{formatScopes(apiKey.scopes)}</Text>
      </Group>
      {apiKey.filter != null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Only documents with <Code>{JSON.stringify(apiKey.filter)}</Code>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        Created <RelativeTime at={createdAt} size="xs" span /> by {createdBy} ·{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <RelativeTime at={lastUsedAt} size="xs" span />
          </>
        )}{' '}
        · <KeyExpiry apiKey={apiKey} state={state} />
      </Text>
      <RotateModal
        opened={isRotating}
        onClose={rotating.close}
        credential="key"
        isRunning={rotate.isRunning}
        text="Creates a new key with the same name, scopes, filter and expiry."
        onRotate={async (overlapSeconds) => {
          const rotated = await rotate.run({ id, overlapSeconds });
          if (rotated === null) return;
          rotating.close();
          onCreated(rotated.rotateApiKey);
        }}
      />
    </Row>
  );
}

function KeyExpiry({ apiKey, state }: { readonly apiKey: ApiKey; readonly state: ApiKeyState }) {
  const at = state === 'replaced' || state === 'revoked' ? apiKey.revokedAt : apiKey.expiresAt;
  if (at === null) return 'does not expire';
  const stateVerbs = {
    active: 'expires',
    replaced: 'stops working',
    revoked: 'revoked',
    expired: 'expired',
  };
  return (
    <>
      {stateVerbs[state]} <RelativeTime at={at} size="xs" span />
    </>
  );
}

function formatScopes(scopes: ApiKey['scopes']): string {
  if (allScopes.every((scope) => scopes.includes(scope))) return 'all scopes';
  return scopes.map((scope) => scopeTexts[scope].name).join(', ');
}
