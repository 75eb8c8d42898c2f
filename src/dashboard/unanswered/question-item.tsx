import { Anchor, Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { WriteDocumentModal } from '../knowledge/write-document-modal.tsx';
import { Chat } from '../playground/chat.ts';
import { useSession } from '../session/session-gate.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { AskedAgain } from './asked-again.tsx';
import type { Question } from './unanswered-operations.ts';
import { WrittenDocument } from './written-document.tsx';

/** A question, where it was asked, and the way from there to its answer. */
export function QuestionItem({ question }: { readonly question: Question }) {
  const session = useSession();
  const { id: projectId } = useProject();
  const { canWriteKnowledge, canChat } = usePermissions();
  const [isWriting, writing] = useDisclosure(false);
  const [written, setWritten] = useState<{ id: string; name: string } | null>(null);
  const [chat] = useState(() => new Chat(session, projectId));
  const askAgain = () => {
    chat.startAnew();
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
            <Asked question={question} />
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
        {written !== null && (
          <WrittenDocument document={written} onAsk={canChat ? askAgain : null} />
        )}
        <AskedAgain chat={chat} />
      </Stack>
      <WriteDocumentModal
        opened={isWriting}
        onClose={writing.close}
        onCreated={setWritten}
        name={nameFor(question.question)}
        content={`# ${question.question.replace(/\s+/g, ' ')}\n\n`}
      />
    </Card>
  );
}

/** How often, when and where it was asked. */
function Asked({
  question: { count, badFeedbackCount, lastAskedAt, conversationIds },
}: {
  readonly question: Question;
}) {
  const { id: projectId } = useProject();
  return (
    <Group gap="xs" mt={4}>
      <Badge variant="light" tt="none">
        asked {sayTimes(count)}
      </Badge>
      {badFeedbackCount > 0 && (
        <Badge variant="light" color="red" tt="none">
          rated bad {sayTimes(badFeedbackCount)}
        </Badge>
      )}
      <Time at={lastAskedAt} size="sm" c="dimmed" />
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

function sayTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Names of documents are shorter than questions may be, and some signs do ill in them. */
function nameFor(question: string): string {
  const name = question.replace(/[\s/\\]+/g, ' ').replace(/[\s.?!。？！]+$/u, '');
  return [...name].slice(0, 120).join('').trim();
}
