import { Badge, Box, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';
import { Citations } from '../knowledge/citations.tsx';
import { Time } from '../shell/time.tsx';
import { Confidence } from './confidence.tsx';

export const messageFields = graphql(`
  fragment MessageFields on Message {
    id
    role
    status
    content
    author
    confidence
    latencyMs
    createdAt
    citations {
      chunkId
      documentId
      documentName
      page
      quote
      score
      startOffset
    }
    feedback {
      rating
      comment
    }
  }
`);

export type TranscriptMessage = ResultOf<typeof messageFields>;

const speakers = { USER: 'End user', ASSISTANT: 'Assistant', AGENT: 'Team', SYSTEM: 'Service' };

/** What was said, oldest first. Texts are shown as they are: nothing in them becomes markup. */
export function Transcript({ messages }: { readonly messages: readonly TranscriptMessage[] }) {
  return (
    <Stack gap="sm" component="ol" role="log" aria-label="Transcript" m={0} p={0}>
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
    </Stack>
  );
}

function MessageItem({ message }: { readonly message: TranscriptMessage }) {
  const isTheirs = message.role === 'USER';
  return (
    <Box
      component="li"
      style={{ listStyle: 'none', alignSelf: isTheirs ? 'flex-start' : 'flex-end' }}
      maw="min(42rem, 92%)"
    >
      <Group gap="xs" mb={2} justify={isTheirs ? 'flex-start' : 'flex-end'}>
        <Text size="xs" fw={600}>
          {message.author ?? speakers[message.role]}
        </Text>
        <Time at={message.createdAt} size="xs" c="dimmed" />
        {message.status !== 'COMPLETED' && (
          <Badge size="xs" color={message.status === 'FAILED' ? 'red' : 'gray'} variant="light">
            {message.status.toLowerCase()}
          </Badge>
        )}
      </Group>
      <Paper withBorder p="sm" bg={isTheirs ? 'var(--mantine-color-default-hover)' : undefined}>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message.content}</Text>
        {message.role === 'ASSISTANT' && <AnswerFacts message={message} />}
      </Paper>
    </Box>
  );
}

function AnswerFacts({ message }: { readonly message: TranscriptMessage }) {
  const { confidence, citations, feedback } = message;
  return (
    <Stack gap={4} mt="xs">
      <Group gap="xs">
        {confidence !== null && <Confidence value={confidence} />}
        {feedback !== null && (
          <Tooltip label={feedback.comment ?? 'Without a comment'} disabled={!feedback.comment}>
            <Badge size="sm" variant="light" color={feedback.rating === 'UP' ? 'green' : 'red'}>
              {feedback.rating === 'UP' ? 'Rated good' : 'Rated bad'}
            </Badge>
          </Tooltip>
        )}
      </Group>
      <Citations citations={citations} />
    </Stack>
  );
}
