import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { askFirst } from '../shell/ask-first.tsx';
import { notifySuccess } from '../shell/failure.tsx';
import { Row } from '../shell/row-list.tsx';
import { Time } from '../shell/time.tsx';
import { useAction } from '../shell/use-action.ts';
import {
  type ApiKey,
  type NewKey,
  revokeApiKeyMutation,
  rotateApiKeyMutation,
} from './api-key-operations.ts';
import { type KeyState, keyState } from './key-state.ts';
import { RotateModal } from './rotate-modal.tsx';
import { allScopes, scopes as scopeTexts } from './scopes.ts';

const colors = { active: 'green', replaced: 'yellow', revoked: 'gray', expired: 'gray' } as const;

export function KeyRow({
  apiKey,
  onMade,
  onChange,
}: {
  readonly apiKey: ApiKey;
  readonly onMade: (key: NewKey) => void;
  readonly onChange: () => void;
}) {
  const { id, name, prefix, lastFour, projectId, createdBy, createdAt, lastUsedAt } = apiKey;
  const [isRotating, rotating] = useDisclosure(false);
  const rotate = useAction(rotateApiKeyMutation, 'The key was not rotated');
  const revoke = useAction(revokeApiKeyMutation, 'The key was not revoked');
  const state = keyState(apiKey, Date.now());

  const askToRevoke = () =>
    askFirst({
      title: 'Revoke this key?',
      text: `Requests with ${name} are refused from now on. This cannot be undone.`,
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
            <Button
              size="xs"
              variant="light"
              color="red"
              loading={revoke.isRunning}
              onClick={askToRevoke}
              aria-label={`Revoke ${name}`}
            >
              Revoke
            </Button>
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
        <Text size="sm">{sayScopes(apiKey.scopes)}</Text>
      </Group>
      <Text size="xs" c="dimmed">
        Made <Time at={createdAt} size="xs" span /> by {createdBy} ·{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Time at={lastUsedAt} size="xs" span />
          </>
        )}{' '}
        · <Validity apiKey={apiKey} state={state} />
      </Text>
      <RotateModal
        opened={isRotating}
        onClose={rotating.close}
        what="key"
        isRunning={rotate.isRunning}
        text="A new key takes its place, with the same name, scopes and expiry."
        onRotate={async (overlapSeconds) => {
          const rotated = await rotate.run({ id, overlapSeconds });
          if (rotated === null) return;
          rotating.close();
          onMade(rotated.rotateApiKey);
        }}
      />
    </Row>
  );
}

function Validity({ apiKey, state }: { readonly apiKey: ApiKey; readonly state: KeyState }) {
  const at = state === 'replaced' || state === 'revoked' ? apiKey.revokedAt : apiKey.expiresAt;
  if (at === null) return 'does not expire';
  const words = { active: 'expires', replaced: 'ends', revoked: 'revoked', expired: 'expired' };
  return (
    <>
      {words[state]} <Time at={at} size="xs" span />
    </>
  );
}

function sayScopes(scopes: ApiKey['scopes']): string {
  if (allScopes.every((scope) => scopes.includes(scope))) return 'all scopes';
  return scopes.map((scope) => scopeTexts[scope].name).join(', ');
}
