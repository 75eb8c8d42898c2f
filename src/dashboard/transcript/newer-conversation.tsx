import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { useProject } from '../project/project.tsx';
import type { useTranscript } from './use-transcript.ts';

/** Links to a newer conversation of the same end user. Shows nothing if there is none. */
export function NewerConversation({
  conversation: { newerConversation: newer },
}: {
  readonly conversation: NonNullable<ReturnType<typeof useTranscript>['conversation']>;
}) {
  const { id: projectId } = useProject();
  if (newer === null) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      The end user has since started another conversation:{' '}
      <Anchor component={Link} href={`/${projectId}/conversations/${newer.id}`} size="sm">
        <bdi>{newer.title}</bdi>
      </Anchor>{' '}
      <RelativeTime at={newer.createdAt} size="xs" span />
    </Text>
  );
}
