import { Alert, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { formatAmount } from '../../format/format-amount.ts';
import { StepTimes } from './step-times.tsx';
import type { Trace } from './trace-query.ts';
import { describeCall, describeFiltered, explain } from './trace-texts.ts';
import { TracedPassages } from './traced-passages.tsx';

/** How an answer came about. Without a trace, says why there is none. */
export function TraceDetails({
  trace,
  cost = null,
}: {
  readonly trace: Trace | null;
  /** What the answer cost. Null without prices. */
  readonly cost?: Parameters<typeof formatAmount>[0] | null;
}) {
  if (trace === null) {
    return (
      <Text c="dimmed" role="status">
        Nothing is known of how this answer came about. Answers from before an upgrade have no
        trace, and the service may store only a share of them.
      </Text>
    );
  }

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
      {cost !== null && <Text size="sm">Cost: {formatAmount(cost)}</Text>}
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
