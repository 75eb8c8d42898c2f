import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { ShowMoreButton } from '../../components/show-more-button.tsx';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { type AuditAction, actionLabels, auditLogOf, auditLogQuery } from './audit-operations.ts';

const actions = (Object.entries(actionLabels) as [AuditAction, string][]).map(([value, label]) => ({
  value,
  label,
}));

/** The audit log of the organization, newest entry first. Only owners see it. */
export function AuditLog() {
  const { organizationId } = useProject();
  const [action, setAction] = useState<AuditAction | null>(null);
  const [actorText, setActorText] = useState('');
  const [fromDay, setFromDay] = useState('');
  const [toDay, setToDay] = useState('');
  const [actor] = useDebouncedValue(actorText.trim(), 300);
  const variables = {
    organizationId,
    action,
    actor: actor === '' ? null : actor,
    from: startOfDay(fromDay, 0),
    to: startOfDay(toDay, 1),
  };
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    auditLogQuery,
    variables,
    auditLogOf,
  );
  const isFiltered = action !== null || actor !== '' || fromDay !== '' || toDay !== '';
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        Changes to keys, members, webhooks and settings, exports, erasures and sign-ins in this
        organization. Entries cannot be changed.
      </Text>
      <Group align="flex-end">
        <Select
          label="Action"
          placeholder="All actions"
          clearable
          searchable
          flex="1 1 14rem"
          maw={320}
          data={actions}
          value={action}
          onChange={setAction}
        />
        <TextInput
          label="Actor"
          placeholder="Email address, or name of a key"
          flex="1 1 14rem"
          maw={320}
          maxLength={300}
          value={actorText}
          onChange={({ currentTarget }) => setActorText(currentTarget.value)}
        />
        <DayInput label="From" value={fromDay} onChange={setFromDay} />
        <DayInput label="To" value={toDay} onChange={setToDay} />
        <Button variant="default" onClick={reload}>
          Refresh
        </Button>
      </Group>
      {error !== undefined ? (
        <LoadFailure error={error} onRetry={reload} />
      ) : isLoading ? (
        <Skeleton h={240} aria-label="Loading" />
      ) : nodes.length === 0 ? (
        <EmptyState
          title="No entries"
          text={isFiltered ? 'No entry matches the filters.' : 'Nothing has been recorded yet.'}
        />
      ) : (
        <AuditEntries entries={nodes} />
      )}
      {hasMore && <ShowMoreButton onClick={loadMore} />}
    </Stack>
  );
}

function DayInput({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}) {
  return (
    <TextInput
      type="date"
      label={label}
      w={150}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/**
 * Returns the start of the day that is `plusDays` after `day`, in the operator's time zone. Returns null if `day` is
 * not valid.
 */
function startOfDay(day: string, plusDays: number): string | null {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + plusDays);
  return date.toISOString();
}
