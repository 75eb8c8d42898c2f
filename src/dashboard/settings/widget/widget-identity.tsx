import { Button, Code, Group, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { OneTimeSecretModal } from '../../components/one-time-secret-modal.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RotateButton } from '../../components/rotate-button.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { rotateIdentitySecretMutation } from './widget-operations.ts';

/**
 * Creates and rotates the secret that signs the ids of signed-in visitors. Also sets whether the widget requires signed
 * ids.
 */
export function WidgetIdentity({
  widget,
  isBusy,
  onRequire,
  onRotated,
}: {
  readonly widget: {
    readonly isIdentityRequired: boolean;
    readonly identitySecretCreatedAt: string | null;
    readonly previousIdentitySecretExpiresAt: string | null;
  };
  readonly isBusy: boolean;
  readonly onRequire: (isIdentityRequired: boolean) => void;
  readonly onRotated: () => void;
}) {
  const { id: projectId } = useProject();
  const rotate = useNotifyingMutation(rotateIdentitySecretMutation, 'The secret was not created');
  const [secret, setSecret] = useState<string | null>(null);
  const { identitySecretCreatedAt: createdAt, previousIdentitySecretExpiresAt: expiresAt } = widget;
  const create = async (overlapSeconds: number) => {
    const created = await rotate.run({ projectId, overlapSeconds });
    if (created === null) return false;
    setSecret(created.rotateWidgetIdentitySecret.secret);
    onRotated();
    return true;
  };
  return (
    <section aria-labelledby="widget-identity">
      <Title order={2} size="h4" id="widget-identity" mb={4}>
        Signed-in visitors
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Your back end signs the id of a user with a secret. Verified users find their conversations
        on every device, and agents see who writes.
      </Text>
      {createdAt === null ? (
        <Button variant="default" loading={rotate.isRunning} onClick={() => create(0)}>
          Create an identity secret
        </Button>
      ) : (
        <>
          <Group mb="sm">
            <Text size="sm">
              Secret created <RelativeTime at={createdAt} size="sm" span />
              {expiresAt !== null && new Date(expiresAt) > new Date() && (
                <>
                  . The old one expires <RelativeTime at={expiresAt} size="sm" span />
                </>
              )}
            </Text>
            <RotateButton
              size="compact-sm"
              credential="secret"
              text="Replace the secret on your server until the old one expires. Then ids that are signed with the old secret are refused."
              isRunning={rotate.isRunning}
              onRotate={create}
            >
              Rotate the secret…
            </RotateButton>
          </Group>
          <Switch
            label="Only verified users may chat"
            description="Anonymous visitors are asked to sign in."
            checked={widget.isIdentityRequired}
            disabled={isBusy}
            onChange={(event) => onRequire(event.currentTarget.checked)}
          />
        </>
      )}
      <OneTimeSecretModal title="Identity secret" secret={secret} onClose={() => setSecret(null)}>
        <Text size="sm">Sign the id of the user on your server, for example in Node:</Text>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {`createHmac('sha256', secret).update(userId).digest('hex')`}
        </Code>
      </OneTimeSecretModal>
    </section>
  );
}
