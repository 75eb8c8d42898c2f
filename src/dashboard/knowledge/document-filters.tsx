import { Button, Collapse, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { fileFormats } from '../../extract/file-formats.ts';
import { useDebouncedTextField } from '../components/use-url-text-field.ts';
import { languageLabelOf } from './language-label.ts';
import {
  type DocumentFilter,
  documentLanguages,
  documentOrders,
  documentStatuses,
  documentTypes,
  noFilter,
} from './use-document-filter.ts';

const statusLabels = { PROCESSING: 'Processing', READY: 'Ready', FAILED: 'Failed' };
const orderLabels = {
  NEWEST: 'Newest first',
  OLDEST: 'Oldest first',
  NAME: 'By name',
  LARGEST: 'Largest first',
};

interface FilterProps {
  readonly filter: DocumentFilter;
  readonly sources: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (part: Partial<DocumentFilter>) => void;
}

/** The filters of the document list. The search runs when typing pauses. */
export function DocumentFilters(props: FilterProps) {
  const { filter, onChange } = props;
  const { field } = useDebouncedTextField(filter.search, (search) => onChange({ search }));
  const activeCount = [
    filter.source,
    filter.tag,
    filter.type,
    filter.language,
    filter.warnings,
  ].filter(Boolean);
  const [isOpen, more] = useDisclosure(activeCount.length > 0);
  const moreId = useId();
  return (
    <search>
      <Group gap="xs">
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
        <Button
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={moreId}
          onClick={more.toggle}
        >
          {activeCount.length === 0 ? 'More filters' : `More filters (${activeCount.length})`}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={moreId}>
        <MoreFilters {...props} />
      </Collapse>
    </search>
  );
}

function MoreFilters({ filter, sources, onChange }: FilterProps) {
  const { source, tag, type, language, warnings } = filter;
  const { field } = useDebouncedTextField(tag, (tag) => onChange({ tag }));
  const isKnownSource = source === '' || sources.some(({ id }) => id === source);
  return (
    <Group gap="xs" pt="xs">
      <NativeSelect
        aria-label="Source"
        flex="1 1 150px"
        maw={240}
        value={source}
        data={[
          { value: '', label: 'All sources' },
          ...(isKnownSource ? [] : [{ value: source, label: 'Another source' }]),
          ...sources.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => onChange({ source: currentTarget.value })}
      />
      <TextInput
        aria-label="Tag"
        placeholder="Tag"
        maxLength={100}
        {...field}
        flex="1 1 130px"
        maw={200}
      />
      <NativeSelect
        aria-label="Type"
        flex="1 1 110px"
        maw={150}
        value={type ?? ''}
        data={[
          { value: '', label: 'All types' },
          ...documentTypes.map((value) => ({ value, label: fileFormats[value].label })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ type: documentTypes.find((type) => type === value) ?? null })
        }
      />
      <NativeSelect
        aria-label="Language"
        flex="1 1 130px"
        maw={160}
        value={language ?? ''}
        data={[
          { value: '', label: 'All languages' },
          ...documentLanguages.map((value) => ({ value, label: languageLabelOf(value) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ language: documentLanguages.find((language) => language === value) ?? null })
        }
      />
      <NativeSelect
        aria-label="Warnings"
        flex="1 1 220px"
        maw={230}
        value={warnings ?? ''}
        data={[
          { value: '', label: 'With and without warnings' },
          { value: 'with', label: 'With warnings' },
          { value: 'without', label: 'Without warnings' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ warnings: value === 'with' || value === 'without' ? value : null })
        }
      />
      <Button variant="subtle" onClick={() => onChange(noFilter)}>
        Clear filters
      </Button>
    </Group>
  );
}
