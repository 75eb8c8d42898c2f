import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useUrlParameter, useUrlTextField } from '../components/use-url-text-field.ts';
import {
  type ConversationStatus,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';

const ratings = { UP: 'Rated good', DOWN: 'Rated bad' } as const;
const periods = { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' } as const;
const periodDays: Record<keyof typeof periods, number> = { day: 1, week: 7, month: 30 };

const selectOptions = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

function parseOption<Name extends string>(
  names: Readonly<Record<Name, string>>,
  value: string | null,
) {
  return value !== null && Object.hasOwn(names, value) ? (value as Name) : null;
}

/** The filters of the list, stored in the URL. */
export function useConversationFilter() {
  const search = useUrlTextField('search');
  const endUser = useUrlTextField('user');
  const [statusText, setStatus] = useUrlParameter('status');
  const [ratingText, setRating] = useUrlParameter('rating');
  const [periodText, setPeriod] = useUrlParameter('period');
  const status: ConversationStatus | null = parseOption(conversationStatusLabels, statusText);
  const feedback = parseOption(ratings, ratingText);
  const period = parseOption(periods, periodText);
  return {
    variables: {
      search: search.committed,
      endUserId: endUser.committed,
      status,
      feedback,
      from: period && startOfPeriod(periodDays[period]),
      to: null,
    },
    isSet: [search.committed, endUser.committed, status, feedback, period].some(Boolean),
    search,
    endUser,
    period,
    setStatus,
    setRating,
    setPeriod,
    clear() {
      search.clear();
      endUser.clear();
      setStatus(null);
      setRating(null);
      setPeriod(null);
    },
  };
}

/**
 * Returns the time `days` ago, rounded down to the full hour, so that the query variables do not change with each
 * render.
 */
function startOfPeriod(days: number): string {
  const at = new Date(Date.now() - days * 86_400_000);
  at.setMinutes(0, 0, 0);
  return at.toISOString();
}

export function ConversationFilters({
  filter,
}: {
  readonly filter: ReturnType<typeof useConversationFilter>;
}) {
  const { search, endUser, variables, period } = filter;
  return (
    <SimpleGrid cols={{ base: 2, md: 3, lg: 6 }} spacing="sm" role="search">
      <TextInput
        label="Search in messages"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={255}
        {...search.field}
      />
      <TextInput label="End user" placeholder="Exact ID" maxLength={128} {...endUser.field} />
      <FilterSelect
        label="Status"
        names={conversationStatusLabels}
        value={variables.status}
        onChange={filter.setStatus}
      />
      <FilterSelect
        label="Feedback"
        names={ratings}
        value={variables.feedback}
        onChange={filter.setRating}
      />
      <FilterSelect
        label="Last message"
        names={periods}
        value={period}
        onChange={filter.setPeriod}
      />
      <Button
        variant="subtle"
        mt="auto"
        w="fit-content"
        px={0}
        style={{ visibility: filter.isSet ? undefined : 'hidden' }}
        onClick={filter.clear}
      >
        Clear filters
      </Button>
    </SimpleGrid>
  );
}

function FilterSelect({
  label,
  names,
  value,
  onChange,
}: {
  readonly label: string;
  readonly names: Readonly<Record<string, string>>;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}) {
  return (
    <Select
      label={label}
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      value={value}
      data={selectOptions(names)}
      onChange={onChange}
    />
  );
}
