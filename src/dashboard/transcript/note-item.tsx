import { Badge, Box, Group, Paper, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { RelativeTime } from '../components/relative-time.tsx';
import { graphql } from '../graphql/graphql.ts';
import { useAgentName } from '../project/use-agent-name.ts';
import { AgentName } from './agent-name.tsx';

export const noteFields = graphql(`
  fragment NoteFields on ConversationNote {
    id
    author
    content
    createdAt
  }
`);

export type TranscriptNote = ResultOf<typeof noteFields>;

/** An internal note in the transcript. The text is never parsed as markup. */
export function NoteItem({ note }: { readonly note: TranscriptNote }) {
  const nameOf = useAgentName();
  return (
    <Box component="li" style={{ listStyle: 'none', alignSelf: 'flex-end' }} maw="min(42rem, 92%)">
      <Group gap="xs" mb={4} justify="flex-end">
        <Badge size="sm" color="yellow" variant="light" tt="none">
          Internal note
        </Badge>
        <AgentName name={nameOf(note.author)} title={note.author} />
        <RelativeTime at={note.createdAt} size="xs" c="dimmed" />
      </Group>
      <Paper px="sm" py="xs" radius="lg" bg="var(--mantine-color-yellow-light)">
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {note.content}
        </Text>
      </Paper>
    </Box>
  );
}
