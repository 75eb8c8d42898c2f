import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useUrlParameter, useUrlText } from '../shell/use-url-text.ts';
import { type ConversationStatus, statusNames } from './statuses.ts';

const ratings = { UP: 'Rated good', DOWN: 'Rated bad' } as const;
const periods = { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' } as const;
const periodDays: Record<keyof typeof periods, number> = { day: 1, week: 7, month: 30 };

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

function oneOf<Name extends string>(names: Readonly<Record<Name, string>>, value: string | null) {
  return value !== null && Object.hasOwn(names, value) ? (value as Name) : null;
}

/** What the address says is to be listed. */
export function useConversationFilter() {
  const search = useUrlText('search');
  const endUser = useUrlText('user');
  const [statusText, setStatus] = useUrlParameter('status');
  const [ratingText, setRating] = useUrlParameter('rating');
  const [periodText, setPeriod] = useUrlParameter('period');
  const status: ConversationStatus | null = oneOf(statusNames, statusText);
  const feedback = oneOf(ratings, ratingText);
  const period = oneOf(periods, periodText);
  return {
    variables: {
      search: search.settled,
      endUserId: endUser.settled,
      status,
      feedback,
      from: period && beginOf(periodDays[period]),
      to: null,
    },
    isSet: [search.settled, endUser.settled, status, feedback, period].some(Boolean),
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

/** At the full hour, so that the same list is asked for from one moment to the next. */
function beginOf(days: number): string {
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
      <TextInput label="End user" placeholder="Id, exactly" maxLength={128} {...endUser.field} />
      <Choice
        label="Status"
        names={statusNames}
        value={variables.status}
        onChange={filter.setStatus}
      />
      <Choice
        label="Feedback"
        names={ratings}
        value={variables.feedback}
        onChange={filter.setRating}
      />
      <Choice label="Last message" names={periods} value={period} onChange={filter.setPeriod} />
      <Button
        variant="subtle"
        mt="auto"
        w="fit-content"
        px={0}
        style={{ visibility: filter.isSet ? undefined : 'hidden' }}
        onClick={filter.clear}
      >
        Clear the filters
      </Button>
    </SimpleGrid>
  );
}

function Choice({
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
      data={options(names)}
      onChange={onChange}
    />
  );
}
