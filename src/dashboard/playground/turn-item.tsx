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
import { Confidence } from '../conversations/confidence.tsx';
import { Citations, CitedText } from '../knowledge/citations.tsx';
import { useProject } from '../shell/project.tsx';
import { sayDuration } from '../shell/say-duration.ts';
import type { Turn } from './chat.ts';

/** A question and its answer, with all that the answer goes by. */
export function TurnItem({ turn, onRetry }: { readonly turn: Turn; readonly onRetry: () => void }) {
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
      <Answer turn={turn} onRetry={onRetry} />
    </Stack>
  );
}

/** An answer as far as it has come. */
export function Answer({ turn, onRetry }: { readonly turn: Turn; readonly onRetry: () => void }) {
  const { content, citations, state, failure } = turn;
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
        {content !== '' && <CitedText content={content} citations={citations} />}
        {state === 'answering' && <Loader size="xs" type="dots" aria-label="Answering" />}
        {failure !== null && (
          <Alert color="red" role="alert" title="The answer broke off">
            <Stack align="flex-start" gap="xs">
              <Text size="sm">{failure}</Text>
              <Button size="xs" variant="default" onClick={onRetry}>
                Ask again
              </Button>
            </Stack>
          </Alert>
        )}
        <Citations citations={citations} />
        <Facts turn={turn} />
      </Stack>
    </Card>
  );
}

function Facts({ turn }: { readonly turn: Turn }) {
  const { id: projectId } = useProject();
  const { confidence, latencyMs, firstTextMs, wholeMs, state, citations } = turn;
  if (confidence === null && state !== 'stopped') return null;
  const isUnknown = state === 'done' && citations.length === 0;
  return (
    <>
      {isUnknown && (
        <Text size="sm" c="dimmed">
          Nothing in the documents answers this. It is collected under{' '}
          <Anchor component={Link} href={`/${projectId}/unanswered`} size="sm">
            Unanswered
          </Anchor>
          , where you can write what is missing.
        </Text>
      )}
      <Group gap="xs" mih={20}>
        {confidence !== null && <Confidence value={confidence} />}
        {firstTextMs !== null && (
          <Tooltip label="From your question to the first of the answer, as it was in this browser">
            <Badge size="sm" variant="light" color="gray" tt="none" tabIndex={0}>
              first text {sayDuration(firstTextMs)}
            </Badge>
          </Tooltip>
        )}
        {wholeMs !== null && (
          <Tooltip
            label={`From your question to the end of the answer, ${sayDuration(latencyMs ?? 0)} of them in the service`}
          >
            <Badge size="sm" variant="light" color="gray" tt="none" tabIndex={0}>
              whole {sayDuration(wholeMs)}
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
