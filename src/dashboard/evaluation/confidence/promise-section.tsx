import { Button, Stack, Text, Title } from '@mantine/core';
import { confirmAction } from '../../components/confirm-action.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { Row, RowList } from '../../components/row-list.tsx';
import { formatCount, formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { updateProjectMutation } from '../../settings/project-operations.ts';
import type { ConfidencePromise, ProjectConfidence, ThresholdEffect } from './confidence-query.ts';
import { ThresholdCurve } from './threshold-curve.tsx';

/** Lets a lead choose the confidence threshold by the share of wrong answers that it must not exceed. */
export function PromiseSection({
  confidence,
  onChange,
}: {
  readonly confidence: ProjectConfidence;
  readonly onChange: () => void;
}) {
  const { current, promises, answers } = confidence;
  return (
    <Stack component="section" gap="xs" aria-labelledby="promises">
      <Title order={3} size="h5" id="promises">
        Confidence threshold by promise
      </Title>
      <Text size="sm" c="dimmed">
        Each threshold below keeps its promise with 95 % certainty, for questions like those that
        were measured. A stricter promise refuses more questions.
      </Text>
      <Text size="sm">
        {current.threshold === 0
          ? 'Now there is no confidence threshold. '
          : `Now the confidence threshold is ${formatPercent(current.threshold)}. `}
        {current.answers > 0 && describeEffect(current)}
      </Text>
      <ThresholdCurve confidence={confidence} />
      <RowList label="Promises">
        {promises.map((promise) => (
          <PromiseRow
            key={promise.maxWrong}
            promise={promise}
            answers={answers}
            current={current}
            onChange={onChange}
          />
        ))}
      </RowList>
    </Stack>
  );
}

function PromiseRow({
  promise: { maxWrong, answersNeeded, kept },
  answers,
  current,
  onChange,
}: {
  readonly promise: ConfidencePromise;
  /** Number of all answers that were measured. */
  readonly answers: number;
  readonly current: ThresholdEffect;
  readonly onChange: () => void;
}) {
  const { id } = useProject();
  const { canManage } = usePermissions();
  const update = useNotifyingMutation(updateProjectMutation, 'The threshold was not changed');
  const share = formatPercent(maxWrong);
  const use = (threshold: number) =>
    confirmAction({
      title: 'Change the confidence threshold?',
      text: `From now on the assistant answers from a confidence of ${formatPercent(threshold)}, and sends the fallback answer below.`,
      confirm: 'Change',
      onConfirm: async () => {
        const assistant = { confidenceThreshold: threshold };
        if ((await update.run({ input: { id, assistant } })) === null) return;
        notifySuccess('The confidence threshold was changed');
        onChange();
      },
    });
  const isUsed = kept?.threshold === current.threshold;
  return (
    <Row
      actions={
        kept !== null &&
        canManage && (
          <Button
            size="xs"
            variant="default"
            disabled={isUsed}
            loading={update.isRunning}
            aria-label={`Use the threshold for at most ${share} wrong answers`}
            onClick={() => use(kept.threshold)}
          >
            {isUsed ? 'In use' : 'Use'}
          </Button>
        )
      }
    >
      <Text fw={600}>At most {share} of the given answers are wrong</Text>
      <Text size="sm" c="dimmed">
        {kept !== null
          ? `Confidence threshold ${formatPercent(kept.threshold)}. ${describeEffect(kept)}`
          : answers < answersNeeded
            ? `Needs at least ${formatCountOf(answersNeeded, 'answer')}, all of them right.`
            : 'These answers show no confidence threshold that keeps it.'}
      </Text>
    </Row>
  );
}

function describeEffect({
  answers,
  wrong,
  wrongAtMost,
  answerable,
  answerableRefused,
  questions,
  questionsRefused,
}: ThresholdEffect): string {
  return [
    `${formatCount(wrong)} of ${formatCountOf(answers, 'answer')} wrong: ${formatPercent(wrong / answers)}, at most ${formatPercent(wrongAtMost)}.`,
    answerable > 0 &&
      `Refuses ${formatCount(answerableRefused)} of ${formatCountOf(answerable, 'question')} of the sets that the documents answer (${formatPercent(answerableRefused / answerable)}).`,
    questions > 0 &&
      `Refuses ${formatCount(questionsRefused)} of ${formatCountOf(questions, 'question')} of end users (${formatPercent(questionsRefused / questions)}).`,
  ]
    .filter(Boolean)
    .join(' ');
}
