import { Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDebouncedTextField } from '../components/use-url-text-field.ts';
import { type DocumentFilter, documentOrders, documentStatuses } from './use-document-filter.ts';

const statusLabels = { PROCESSING: 'Processing', READY: 'Ready', FAILED: 'Failed' };
const orderLabels = {
  NEWEST: 'Newest first',
  OLDEST: 'Oldest first',
  NAME: 'By name',
  LARGEST: 'Largest first',
};

/** The filters of the document list. The search runs when typing pauses. */
export function DocumentFilters({
  filter,
  onChange,
}: {
  readonly filter: DocumentFilter;
  readonly onChange: (part: Partial<DocumentFilter>) => void;
}) {
  const { field } = useDebouncedTextField(filter.search, (search) => onChange({ search }));
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
          ...documentStatuses.map((value) => ({ value, label: statusLabels[value] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: documentStatuses.find((status) => status === value) ?? null })
        }
      />
      <NativeSelect
        aria-label="Order"
        flex="1 1 130px"
        maw={180}
        value={filter.order}
        data={documentOrders.map((value) => ({ value, label: orderLabels[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ order: documentOrders.find((order) => order === value) ?? 'NEWEST' })
        }
      />
    </Group>
  );
}
