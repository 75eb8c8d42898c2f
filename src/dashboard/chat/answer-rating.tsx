import { Group } from '@mantine/core';
import {
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
} from '@tabler/icons-react';
import { IconButton } from '../components/icon-button.tsx';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import type { Rating } from './chat.ts';

const giveFeedbackMutation = graphql(`
  mutation RateAnswer($input: GiveFeedbackInput!) {
    giveFeedback(input: $input) {
      rating
    }
  }
`);

const choices = [
  { value: 'UP', label: 'Helpful', color: 'green', Icon: IconThumbUp, Pressed: IconThumbUpFilled },
  {
    value: 'DOWN',
    label: 'Not helpful',
    color: 'red',
    Icon: IconThumbDown,
    Pressed: IconThumbDownFilled,
  },
] as const;

/** Rates an answer, as end users do in the widget. A second choice replaces the first. */
export function AnswerRating({
  messageId,
  rating,
  onRated,
}: {
  readonly messageId: string;
  readonly rating: Rating | null;
  readonly onRated: (rating: Rating) => void;
}) {
  const { id: projectId } = useProject();
  const { run, isRunning } = useNotifyingMutation(giveFeedbackMutation, 'The rating was not saved');
  const rate = async (chosen: Rating) => {
    if (isRunning || chosen === rating) return;
    const saved = await run({ input: { projectId, messageId, rating: chosen } });
    if (saved !== null) onRated(saved.giveFeedback.rating);
  };
  return (
    <Group gap={4} role="group" aria-label="Rate this answer">
      {choices.map(({ value, label, color, Icon, Pressed }) => {
        const isPressed = rating === value;
        return (
          <IconButton
            key={value}
            label={label}
            aria-pressed={isPressed}
            {...(isPressed && { variant: 'light', color })}
            onClick={() => void rate(value)}
          >
            {isPressed ? <Pressed size={16} aria-hidden /> : <Icon size={16} aria-hidden />}
          </IconButton>
        );
      })}
    </Group>
  );
}
