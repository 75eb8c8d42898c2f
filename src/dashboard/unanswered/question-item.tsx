import { Anchor, Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { Chat } from '../chat/chat.ts';
import { RelativeTime } from '../components/relative-time.tsx';
import { WriteDocumentModal } from '../knowledge/write-document-modal.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { useSession } from '../session/session-gate.tsx';
import { LatestAnswer } from './latest-answer.tsx';
import type { UnansweredQuestion } from './unanswered-operations.ts';
import { WrittenDocument } from './written-document.tsx';

/** An unanswered question, with actions to write a document that answers it and to ask it again. */
export function QuestionItem({ question }: { readonly question: UnansweredQuestion }) {
  const session = useSession();
  const { id: projectId } = useProject();
  const { canWriteKnowledge, canChat } = usePermissions();
  const [isWriting, writing] = useDisclosure(false);
  const [createdDocument, setCreatedDocument] = useState<{ id: string; name: string } | null>(null);
  const [chat] = useState(() => new Chat(session, projectId));
  const askAgain = () => {
    chat.startNewConversation();
    void chat.ask(question.question.slice(0, 4_000));
  };
  return (
    <Card withBorder component="li" padding="md">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div style={{ flex: '1 1 280px', minWidth: 0 }}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }} lineClamp={4}>
              {question.question}
            </Text>
            <QuestionStats question={question} />
          </div>
          <Group gap="xs">
            {canChat && (
              <Button variant="default" size="xs" onClick={askAgain}>
                Ask again
              </Button>
            )}
            {canWriteKnowledge && (
              <Button size="xs" onClick={writing.open}>
                Write the answer
              </Button>
            )}
          </Group>
        </Group>
        {createdDocument !== null && (
          <WrittenDocument document={createdDocument} onAsk={canChat ? askAgain : null} />
        )}
        <LatestAnswer chat={chat} />
      </Stack>
      <WriteDocumentModal
        opened={isWriting}
        onClose={writing.close}
        onCreated={setCreatedDocument}
        name={documentNameFor(question.question)}
        content={`# ${question.question.replace(/\s+/g, ' ')}\n\n`}
      />
    </Card>
  );
}

/** Shows how often, when and in which conversations the question was asked. */
function QuestionStats({
  question: { count, badFeedbackCount, lastAskedAt, conversationIds },
}: {
  readonly question: UnansweredQuestion;
}) {
  const { id: projectId } = useProject();
  return (
    <Group gap="xs" mt={4}>
      <Badge variant="light" tt="none">
        asked {formatTimes(count)}
      </Badge>
      {badFeedbackCount > 0 && (
        <Badge variant="light" color="red" tt="none">
          rated bad {formatTimes(badFeedbackCount)}
        </Badge>
      )}
      <RelativeTime at={lastAskedAt} size="sm" c="dimmed" />
      <Text size="sm" c="dimmed" component="span">
        in{' '}
        {conversationIds.map((id, index) => [
          index > 0 && ', ',
          <Anchor key={id} component={Link} href={`/${projectId}/conversations/${id}`} size="sm">
            {index === 0 ? 'the latest conversation' : `${index + 1}`}
          </Anchor>,
        ])}
      </Text>
    </Group>
  );
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Returns a document name for a question: no slashes, no final punctuation, at most 120 characters. */
function documentNameFor(question: string): string {
  const name = question.replace(/[\s/\\]+/g, ' ').replace(/[\s.?!。？！]+$/u, '');
  return [...name].slice(0, 120).join('').trim();
}
