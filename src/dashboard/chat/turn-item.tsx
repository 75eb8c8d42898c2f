import {
  Alert,
  Anchor,
  Badge,
  Button,
  Card,
  Group,
  Loader,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { Link } from 'wouter';
import { formatDuration } from '../format/format-duration.ts';
import { useProject } from '../project/project.tsx';
import { Citations, CitedText } from '../transcript/citations.tsx';
import { ConfidenceBadge } from '../transcript/confidence-badge.tsx';
import { CorrectedQuestion } from '../transcript/corrected-question.tsx';
import { SmallTalkBadge } from '../transcript/small-talk-badge.tsx';
import { WhyThisAnswer } from '../transcript/trace/why-this-answer.tsx';
import { AnswerRating } from './answer-rating.tsx';
import type { Rating, Turn } from './chat.ts';

interface TurnProps {
  readonly turn: Turn;
  readonly onRetry: () => void;
  /** Called after the rating was stored. */
  readonly onRated: (rating: Rating) => void;
}

/** A question and its answer, with sources, confidence, latency and the operator's rating. */
export function TurnItem(props: TurnProps) {
  const { turn } = props;
  return (
    <Stack gap="xs" component="li" style={{ listStyle: 'none' }}>
      <Card
        padding="sm"
        bg="var(--mantine-primary-color-light)"
        maw="min(92%, 42rem)"
        style={{ alignSelf: 'flex-end' }}
        aria-label="Question"
      >
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{turn.question}</Text>
      </Card>
      <AnswerCard {...props} />
    </Stack>
  );
}

/** A complete or partial answer. */
function AnswerCard({ turn, onRetry, onRated }: TurnProps) {
  const { content, citations, correctedQuestion, state, failure, messageId, rating } = turn;
  return (
    <Card
      withBorder
      padding="sm"
      maw="min(92%, 42rem)"
      style={{ alignSelf: 'flex-start' }}
      aria-busy={state === 'answering'}
      aria-label="Answer"
    >
      <Stack gap="xs">
        {correctedQuestion !== null && <CorrectedQuestion text={correctedQuestion} />}
        {content !== '' && (
          // Until the answer is complete, `citations` contains all retrieved passages. Citation markers do not refer to
          // these passages.
          <CitedText content={content} citations={state === 'done' ? citations : []} />
        )}
        {state === 'answering' && <Loader size="xs" type="dots" aria-label="Answering" />}
        {failure !== null && (
          <Alert color="red" role="alert" title="The answer was interrupted">
            <Stack align="flex-start" gap="xs">
              <Text size="sm">{failure}</Text>
              <Button size="xs" variant="default" onClick={onRetry}>
                Ask again
              </Button>
            </Stack>
          </Alert>
        )}
        <Citations citations={citations} />
        <AnswerMetrics turn={turn} />
        {state === 'done' && messageId !== null && (
          <Group gap="xs">
            <AnswerRating messageId={messageId} rating={rating} onRated={onRated} />
            <WhyThisAnswer messageId={messageId} />
          </Group>
        )}
      </Stack>
    </Card>
  );
}

function AnswerMetrics({ turn }: { readonly turn: Turn }) {
  const { id: projectId } = useProject();
  const { confidence, latencyMs, firstTokenMs, totalMs, state, citations, intent } = turn;
  const isSmallTalk = intent !== null;
  if (confidence === null && state !== 'stopped') return null;
  const isUnanswered = state === 'done' && citations.length === 0 && !isSmallTalk;
  return (
    <>
      {isUnanswered && (
        <Text size="sm" c="dimmed">
          The documents do not answer this question. If end users ask it, it is listed under{' '}
          <Anchor component={Link} href={`/${projectId}/unanswered`} inherit underline="always">
            Unanswered
          </Anchor>
          , where you can add the answer.
        </Text>
      )}
      <Group gap="xs" mih={20}>
        {isSmallTalk && <SmallTalkBadge />}
        {confidence !== null && !isSmallTalk && <ConfidenceBadge value={confidence} />}
        {firstTokenMs !== null && (
          <Tooltip label="Time from your question to the first token, measured in this browser">
            <Badge size="sm" variant="light" color="gray" tt="none" tabIndex={0}>
              First token {formatDuration(firstTokenMs)}
            </Badge>
          </Tooltip>
        )}
        {totalMs !== null && (
          <Tooltip
            label={`Time from your question to the end of the answer. The service took ${formatDuration(latencyMs ?? 0)}.`}
          >
            <Badge size="sm" variant="light" color="gray" tt="none" tabIndex={0}>
              Total {formatDuration(totalMs)}
            </Badge>
          </Tooltip>
        )}
        {state === 'stopped' && (
          <Badge size="sm" variant="light" color="gray" tt="none">
            Stopped
          </Badge>
        )}
      </Group>
    </>
  );
}
