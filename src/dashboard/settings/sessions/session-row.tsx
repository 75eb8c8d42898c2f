import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { CombinedError } from 'urql';
import { DangerButton } from '../../components/danger-button.tsx';
import { notifyFailure, notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Row } from '../../components/row-list.tsx';
import { describeBrowser } from '../../format/describe-browser.ts';
import type { ListedSession, SessionList } from '../../session/session.ts';

export function SessionRow({
  session: { id, userAgent, createdAt, lastUsedAt, isCurrent },
  list,
  onEnd,
}: {
  readonly session: ListedSession;
  readonly list: SessionList;
  readonly onEnd: () => void;
}) {
  const [isEnding, setEnding] = useState(false);
  const browser = describeBrowser(userAgent);
  const end = async () => {
    setEnding(true);
    await list.end(id).then(
      () => notifySuccess(`${browser} was signed out`),
      (error: CombinedError) => notifyFailure('The session was not ended', error),
    );
    setEnding(false);
    onEnd();
  };
  return (
    <Row
      actions={
        isCurrent ? (
          <Badge variant="light">This browser</Badge>
        ) : (
          <DangerButton label={`Sign out ${browser}`} isRunning={isEnding} onClick={end}>
            Sign out
          </DangerButton>
        )
      }
    >
      <Text size="sm" fw={600}>
        {browser}
      </Text>
      <Group gap={4} c="dimmed" fz="sm">
        Last used
        <RelativeTime at={lastUsedAt} inherit />· signed in
        <RelativeTime at={createdAt} inherit />
      </Group>
    </Row>
  );
}
