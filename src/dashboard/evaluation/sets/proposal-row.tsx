import { Anchor, Badge, Checkbox, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useRouter } from 'wouter';
import { LongText } from '../../components/long-text.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Row } from '../../components/row-list.tsx';
import { useProject } from '../../project/project.tsx';
import type { ProposalChoice, QuestionProposal } from './proposal-operations.ts';

/** A proposed question with its answer. If it is selected, the operator enters the expected answer. */
export function ProposalRow({
  proposal,
  number,
  choice,
  onChange,
}: {
  readonly proposal: QuestionProposal;
  /** Number of the question on the page, for names of its parts. */
  readonly number: number;
  /** Null if the question is not selected. */
  readonly choice: ProposalChoice | null;
  readonly onChange: (choice: ProposalChoice | null) => void;
}) {
  const { question, answer, humanReply } = proposal;
  const select = (isSelected: boolean) => onChange(isSelected ? newChoice(proposal) : null);
  return (
    <Row>
      <Stack gap="xs">
        <Checkbox
          label={
            <Text size="sm" fw={600} dir="auto" lineClamp={6}>
              {question}
            </Text>
          }
          checked={choice !== null}
          onChange={(event) => select(event.currentTarget.checked)}
        />
        <Facts proposal={proposal} />
        {answer !== null && (
          <Quote title="The assistant answered" text={answer} label={`Answer ${number}`} />
        )}
        {humanReply !== null && (
          <Quote title="An agent replied" text={humanReply} label={`Reply ${number}`} />
        )}
        {choice !== null && <Expectation choice={choice} onChange={onChange} />}
      </Stack>
    </Row>
  );
}

/** Returns the first choice for a question: it should be answered, in any way. */
export function newChoice({ conversationId, question }: QuestionProposal): ProposalChoice {
  return { conversationId, question, mustRefuse: false, expected: '' };
}

const reasons = {
  UNANSWERED: { text: 'Not answered', color: 'orange' },
  RATED_DOWN: { text: 'Rated bad', color: 'red' },
  CLAIMED: { text: 'Taken over', color: 'blue' },
  RESOLVED: { text: 'Resolved by an agent', color: 'green' },
} as const;

function Facts({
  proposal: { reason, count, askedAt, conversationId },
}: {
  readonly proposal: QuestionProposal;
}) {
  const { id: projectId } = useProject();
  const { base } = useRouter();
  const { text, color } = reasons[reason];
  return (
    <Group gap="xs">
      <Badge size="sm" variant="light" color={color} tt="none">
        {text}
      </Badge>
      {count > 1 && (
        <Text size="sm" c="dimmed" component="span">
          asked {count} times
        </Text>
      )}
      <RelativeTime at={askedAt} size="sm" c="dimmed" />
      {/* In a new tab, so that the selection is not lost. */}
      <Anchor
        href={`${base}/${projectId}/conversations/${conversationId}`}
        target="_blank"
        rel="noreferrer"
        size="sm"
      >
        Open the conversation
      </Anchor>
    </Group>
  );
}

function Quote({
  title,
  text,
  label,
}: {
  readonly title: string;
  readonly text: string;
  /** Name of the text for screen readers, unique in the list. */
  readonly label: string;
}) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <LongText label={label} maxHeight={72}>
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      </LongText>
    </div>
  );
}

function Expectation({
  choice,
  onChange,
}: {
  readonly choice: ProposalChoice;
  readonly onChange: (choice: ProposalChoice) => void;
}) {
  const { question, mustRefuse, expected } = choice;
  return (
    <Stack gap="xs">
      <Radio.Group
        aria-label={`What the assistant must do: ${question}`}
        value={mustRefuse ? 'refuse' : 'answer'}
        onChange={(value) => onChange({ ...choice, mustRefuse: value === 'refuse' })}
      >
        <Group gap="md">
          <Radio size="sm" value="answer" label="Should be answered" />
          <Radio size="sm" value="refuse" label="Must refuse" />
        </Group>
      </Radio.Group>
      {!mustRefuse && (
        <Textarea
          label="Expected texts"
          description="Optional, one per line. Separate alternatives by |."
          placeholder="A key phrase of the right answer, for example from the reply"
          autosize
          minRows={1}
          maxRows={6}
          dir="auto"
          value={expected}
          onChange={(event) => onChange({ ...choice, expected: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
