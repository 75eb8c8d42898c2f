import { Anchor, Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { statusNames } from './statuses.ts';
import { messageFields, Transcript } from './transcript.tsx';

const conversationQuery = graphql(
  `
    query Conversation($projectId: ID!, $conversationId: ID!) {
      transcript(projectId: $projectId, conversationId: $conversationId) {
        id
        title
        status
        endUserId
        messages {
          ...MessageFields
        }
      }
    }
  `,
  [messageFields],
);

export function ConversationPanel({ conversationId }: { readonly conversationId: string }) {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: conversationQuery,
    variables: { projectId, conversationId },
    requestPolicy: 'cache-and-network',
  });
  const conversation = data?.transcript;
  return (
    <Stack maw={860}>
      <Anchor component={Link} href={`/${projectId}/conversations`} size="sm">
        <IconArrowLeft size={14} aria-hidden /> All conversations
      </Anchor>
      {conversation === undefined ? (
        error === undefined ? (
          <Skeleton h={320} aria-label="Loading" />
        ) : (
          <LoadFailure error={error} onRetry={reload} />
        )
      ) : (
        <>
          <Group>
            <Title order={2} size="h4">
              {conversation.title}
            </Title>
            <Badge variant="light" tt="none">
              {statusNames[conversation.status]}
            </Badge>
            {conversation.endUserId !== null && <Text c="dimmed">{conversation.endUserId}</Text>}
          </Group>
          <Transcript messages={conversation.messages} />
        </>
      )}
    </Stack>
  );
}
