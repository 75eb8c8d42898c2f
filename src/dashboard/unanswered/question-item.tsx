import { Anchor, Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { AnswerDocument } from './answer-document.tsx';
import { QuestionDecision } from './question-decision.tsx';
import { QuestionMenu } from './question-menu.tsx';
import type { UnansweredQuestion } from './unanswered-operations.ts';
import { useAnswerPreview } from './use-answer-preview.ts';

/**
 * An unanswered question, with three actions: write a document that answers the question, ask the question again, or
 * decide about the question.
 */
export function QuestionItem({
  question,
  others,
  onChange,
}: {
  readonly question: UnansweredQuestion;
  /** Questions that this question can be merged into. */
  readonly others: readonly UnansweredQuestion[];
  readonly onChange: () => void;
}) {
  const { canWriteKnowledge, canChat, canWorkHandoffs } = usePermissions();
  const [isWriting, writing] = useDisclosure(false);
  const [isDone, done] = useDisclosure(false);
  const preview = useAnswerPreview(question.question);
  const { questionId: id, question: text } = question;
  return (
    <Card withBorder component="li" padding="md">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div style={{ flex: '1 1 280px', minWidth: 0 }}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }} lineClamp={4}>
              {text}
            </Text>
            <QuestionStats question={question} />
            <QuestionDecision question={question} />
          </div>
          <Group gap="xs">
            {canChat && (
              <Button variant="default" size="xs" onClick={() => void preview.ask()}>
                Ask again
              </Button>
            )}
            {canWriteKnowledge && (
              <Button size="xs" onClick={writing.open}>
                Write the answer
              </Button>
            )}
            {canWorkHandoffs && !isDone && (
              <QuestionMenu question={question} others={others} onChange={onChange} />
            )}
          </Group>
        </Group>
        <AnswerDocument
          question={{ id, text }}
          preview={preview}
          isWriting={isWriting}
          onClose={writing.close}
          onDone={done.open}
        />
      </Stack>
    </Card>
  );
}

/** Shows how often, when and in which conversations the question was asked. */
function QuestionStats({
  question: { count, previousCount, badFeedbackCount, lastAskedAt, conversationIds },
}: {
  readonly question: UnansweredQuestion;
}) {
  const { id: projectId } = useProject();
  return (
    <Group gap="xs" mt={4}>
      <Badge variant="light" tt="none">
        asked {formatTimes(count)}
      </Badge>
      <Text size="sm" c="dimmed" component="span">
        {trendText(count, previousCount)}
      </Text>
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

/** Returns a text that compares the count with the count of the previous 30 days. */
function trendText(count: number, previousCount: number): string {
  if (previousCount === 0) return 'new in these 30 days';
  if (count === previousCount) return 'as often as in the 30 days before';
  const direction = count > previousCount ? 'up from' : 'down from';
  return `${direction} ${previousCount} in the 30 days before`;
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
