import { Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSettledText } from '../shell/use-url-text.ts';
import { type DocumentFilter, orders, statuses } from './use-document-filter.ts';

const statusNames = { PROCESSING: 'Processing', READY: 'Ready', FAILED: 'Failed' };
const orderNames = {
  NEWEST: 'Newest first',
  OLDEST: 'Oldest first',
  NAME: 'By name',
  LARGEST: 'Largest first',
};

/** Names are searched once the typing pauses. */
export function DocumentFilters({
  filter,
  onChange,
}: {
  readonly filter: DocumentFilter;
  readonly onChange: (part: Partial<DocumentFilter>) => void;
}) {
  const { field } = useSettledText(filter.search, (search) => onChange({ search }));
  return (
    <Group gap="xs" role="search">
      <TextInput
        aria-label="Search in names"
        placeholder="Search in names"
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={255}
        {...field}
        flex="1 1 220px"
        maw={360}
      />
      <NativeSelect
        aria-label="Status"
        flex="1 1 130px"
        maw={180}
        value={filter.status ?? ''}
        data={[
          { value: '', label: 'All statuses' },
          ...statuses.map((value) => ({ value, label: statusNames[value] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: statuses.find((status) => status === value) ?? null })
        }
      />
      <NativeSelect
        aria-label="Order"
        flex="1 1 130px"
        maw={180}
        value={filter.order}
        data={orders.map((value) => ({ value, label: orderNames[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ order: orders.find((order) => order === value) ?? 'NEWEST' })
        }
      />
    </Group>
  );
}
