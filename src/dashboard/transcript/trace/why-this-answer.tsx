import { Alert, Button, Drawer, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { isNotFound } from '../../graphql/is-not-found.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { StepTimes } from './step-times.tsx';
import { type Trace, traceQuery } from './trace-query.ts';
import { describeCall, describeFiltered, explain } from './trace-texts.ts';
import { TracedPassages } from './traced-passages.tsx';

/** A button that opens how an answer came about, for those who may read it: agents and above. */
export function WhyThisAnswer({ messageId }: { readonly messageId: string }) {
  const { canWorkHandoffs } = usePermissions();
  const [isOpen, setIsOpen] = useState(false);
  if (!canWorkHandoffs) return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
        Why this answer?
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="right"
        size="lg"
        title="Why this answer?"
        closeButtonProps={{ 'aria-label': 'Close' }}
        styles={{ title: { fontWeight: 600 } }}
      >
        <LoadedTrace messageId={messageId} />
      </Drawer>
    </>
  );
}

function LoadedTrace({ messageId }: { readonly messageId: string }) {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: traceQuery,
    variables: { messageId, projectId },
  });
  if (isNotFound(error)) {
    return (
      <Text c="dimmed" role="status">
        Nothing is known of how this answer came about. Answers from before an upgrade have no
        trace, and the service may store only a share of them.
      </Text>
    );
  }
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined) return <Skeleton h={240} aria-label="Loading" />;
  return <TraceDetails trace={data.answerTrace} />;
}

function TraceDetails({ trace }: { readonly trace: Trace }) {
  const { question, hits, modelCalls, filtered, timings } = trace;
  const searched = [
    ['Understood as', question.rewritten],
    ['Spelling corrected', question.corrected],
    ['Translated', question.translated],
  ] as const;
  return (
    <Stack gap="lg">
      {explain(trace).map(({ text, advice }) => (
        <Alert key={text} color="gray" title={text}>
          {advice}
        </Alert>
      ))}
      <Part title="Question">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {question.asked}
        </Text>
        {searched.map(
          ([label, text]) =>
            text !== null && (
              <Text key={label} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Text span size="sm" c="dimmed">
                  {label}:{' '}
                </Text>
                {text}
              </Text>
            ),
        )}
      </Part>
      {hits.length > 0 && (
        <Part title="Passages">
          <TracedPassages hits={hits} />
        </Part>
      )}
      <Part title="Time">
        <StepTimes timings={timings} />
      </Part>
      {modelCalls.length > 0 && (
        <Part title="Models">
          {modelCalls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id, and their order never changes
            <Text key={index} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {call.model} {describeCall(call)}
            </Text>
          ))}
        </Part>
      )}
      {filtered.length > 0 && (
        <Part title="Removed from the answer">
          {filtered.map((part) => (
            <Text key={part.kind} size="sm">
              {describeFiltered(part)}
            </Text>
          ))}
        </Part>
      )}
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" gap={4} aria-labelledby={id}>
      <Title order={3} size="h6" id={id}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}
