import { Badge, Code, Group, Text } from '@mantine/core';
import { confirmAction } from '../../components/confirm-action.tsx';
import { DangerButton } from '../../components/danger-button.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RotateButton } from '../../components/rotate-button.tsx';
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

interface KeyProps {
  readonly apiKey: ApiKey;
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onChange: () => void;
}

export function ApiKeyRow({ apiKey, onCreated, onChange }: KeyProps) {
  const { name, prefix, lastFour, projectId, createdBy, createdAt, lastUsedAt } = apiKey;
  const state = apiKeyState(apiKey, Date.now());
  return (
    <Row
      actions={
        <KeyActions apiKey={apiKey} state={state} onCreated={onCreated} onChange={onChange} />
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
    </Row>
  );
}

function KeyActions({
  apiKey: { id, name },
  state,
  onCreated,
  onChange,
}: KeyProps & { readonly state: ApiKeyState }) {
  const rotate = useNotifyingMutation(rotateApiKeyMutation, 'The key was not rotated');
  const revoke = useNotifyingMutation(revokeApiKeyMutation, 'The key was not revoked');
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
    <>
      {state === 'active' && (
        <RotateButton
          credential="key"
          text="Creates a new key with the same name, scopes, filter and expiry."
          isRunning={rotate.isRunning}
          onRotate={async (overlapSeconds) => {
            const rotated = await rotate.run({ id, overlapSeconds });
            if (rotated !== null) onCreated(rotated.rotateApiKey);
            return rotated !== null;
          }}
          aria-label={`Rotate ${name}`}
        >
          Rotate
        </RotateButton>
      )}
      {(state === 'active' || state === 'replaced') && (
        <DangerButton label={`Revoke ${name}`} isRunning={revoke.isRunning} onClick={confirmRevoke}>
          Revoke
        </DangerButton>
      )}
    </>
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
