import { Badge, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { RelativeTime } from '../components/relative-time.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { AgentName } from './agent-name.tsx';
import { Citations, CitedText } from './citations.tsx';
import { ConfidenceBadge } from './confidence-badge.tsx';
import { DocumentFromReply } from './document-from-reply.tsx';
import { EventItem, type TranscriptEvent } from './event-item.tsx';
import { mergeTranscript } from './merge-transcript.ts';
import { NoteItem } from './note-item.tsx';
import { questionBefore } from './question-before.ts';
import { SmallTalkBadge } from './small-talk-badge.tsx';
import { type Source, SourceDrawer } from './source-drawer.tsx';
import { WhyThisAnswer } from './trace/why-this-answer.tsx';
import type { TranscriptMessage } from './transcript-message.ts';
import type { useTranscript } from './use-transcript.ts';

const roleLabels = { USER: 'End user', ASSISTANT: 'Assistant', AGENT: 'Team', SYSTEM: 'Service' };
const statusLabels = { GENERATING: 'answering…', STOPPED: 'stopped', FAILED: 'failed' };

/** The messages, internal notes and owner changes of a conversation, oldest first. Texts are never parsed as markup. */
export function Transcript({
  transcript: { messages, notes, events, hasEarlier, isLoadingEarlier, loadEarlier },
  children,
}: {
  readonly transcript: ReturnType<typeof useTranscript>;
  /** List items after the last message. */
  readonly children?: ReactNode;
}) {
  const [source, setSource] = useState<Source | null>(null);
  const { canWorkHandoffs } = usePermissions();
  const answeredBy = ({ id, role }: TranscriptMessage) =>
    canWorkHandoffs && role === 'AGENT' ? questionBefore(messages, id) : null;
  const isReopening = ({ id, type }: TranscriptEvent) =>
    type === 'TAKEN_OVER' &&
    events[events.findIndex((one) => one.id === id) - 1]?.type === 'RESOLVED';
  return (
    <>
      {hasEarlier && (
        <Button
          variant="subtle"
          size="xs"
          mx="auto"
          display="block"
          loading={isLoadingEarlier}
          onClick={loadEarlier}
        >
          Show earlier messages
        </Button>
      )}
      <div role="log" aria-label="Transcript">
        <Stack gap="md" component="ol" m={0} p={0}>
          {mergeTranscript({ messages, notes, events }, hasEarlier).map((entry) => {
            if (entry.type === 'note') return <NoteItem key={entry.note.id} note={entry.note} />;
            if (entry.type === 'event') {
              return (
                <EventItem
                  key={entry.event.id}
                  event={entry.event}
                  isReopening={isReopening(entry.event)}
                />
              );
            }
            return (
              <MessageItem
                key={entry.message.id}
                message={entry.message}
                question={answeredBy(entry.message)}
                onOpenSource={setSource}
              />
            );
          })}
          {children}
        </Stack>
      </div>
      <SourceDrawer source={source} onClose={() => setSource(null)} />
    </>
  );
}

function MessageItem({
  message,
  question,
  onOpenSource,
}: {
  readonly message: TranscriptMessage;
  /** The question that the agent's reply answers. Null if the reply cannot be made a document. */
  readonly question: TranscriptMessage | null;
  readonly onOpenSource: (source: Source) => void;
}) {
  const { role, author, authorName, status, content, createdAt } = message;
  const nameOf = useAgentName();
  const isFromEndUser = role === 'USER';
  const alignment = isFromEndUser ? 'flex-start' : 'flex-end';
  return (
    <Box component="li" style={{ listStyle: 'none', alignSelf: alignment }} maw="min(42rem, 92%)">
      <Group gap="xs" mb={4} justify={alignment}>
        {author === null ? (
          <Text size="xs" fw={600}>
            {roleLabels[role]}
          </Text>
        ) : (
          <AgentName name={authorName ?? nameOf(author)} title={author} />
        )}
        <RelativeTime at={createdAt} size="xs" c="dimmed" />
        {status !== 'COMPLETED' && (
          <Badge size="sm" color={status === 'FAILED' ? 'red' : 'gray'} variant="light" tt="none">
            {statusLabels[status]}
          </Badge>
        )}
      </Group>
      <Paper
        withBorder={!isFromEndUser}
        px="sm"
        py="xs"
        radius="lg"
        bg={
          role === 'AGENT'
            ? 'var(--mantine-primary-color-light)'
            : isFromEndUser
              ? 'var(--mantine-color-default-hover)'
              : undefined
        }
      >
        <CitedText content={content} citations={message.citations} onOpen={onOpenSource} />
        {role === 'ASSISTANT' && <AnswerDetails message={message} onOpenSource={onOpenSource} />}
      </Paper>
      {question !== null && <DocumentFromReply question={question} reply={content} />}
    </Box>
  );
}

function AnswerDetails({
  message: { id, status, confidence, latencyMs, citations, feedback, intent },
  onOpenSource,
}: {
  readonly message: TranscriptMessage;
  readonly onOpenSource: (source: Source) => void;
}) {
  return (
    <Stack gap={6} mt="xs">
      <Citations citations={citations} onOpen={onOpenSource} />
      <Group gap="xs">
        {intent !== null && <SmallTalkBadge />}
        {intent === null && confidence !== null && <ConfidenceBadge value={confidence} />}
        {feedback !== null && (
          <Badge
            size="sm"
            variant="light"
            tt="none"
            color={feedback.rating === 'UP' ? 'green' : 'red'}
          >
            {feedback.rating === 'UP' ? 'Rated good' : 'Rated bad'}
          </Badge>
        )}
        {latencyMs !== null && (
          <Text size="xs" c="dimmed">
            {(latencyMs / 1_000).toFixed(1)} s
          </Text>
        )}
        {status !== 'GENERATING' && <WhyThisAnswer messageId={id} />}
      </Group>
      {feedback?.comment != null && feedback.comment !== '' && (
        <Text size="xs" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          “{feedback.comment}”
        </Text>
      )}
    </Stack>
  );
}
