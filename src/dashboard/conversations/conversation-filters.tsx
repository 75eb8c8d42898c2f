import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LabelFilter } from '../labels/label-filter.tsx';
import type { ConversationFilter, UrlOption } from './conversation-filter.ts';

/** The fields of the filter. A phone shows only the search and a button, which shows the other fields. */
export function ConversationFilters({
  filter,
  children,
}: {
  readonly filter: ConversationFilter;
  /** Buttons next to the search. */
  readonly children?: ReactNode;
}) {
  const { search, endUser, count } = filter;
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="sm" role="search">
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Search in messages and names"
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={255}
          flex="1 1 12rem"
          maw={480}
          {...search.field}
        />
        <Button
          variant="default"
          hiddenFrom="sm"
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          Filters{count > 0 && ` (${count})`}
        </Button>
        {(count > 0 || search.committed) && (
          <Button variant="subtle" px="xs" onClick={filter.clear}>
            Clear filters
          </Button>
        )}
        {children}
      </Group>
      <SimpleGrid
        cols={{ base: 2, sm: 4, lg: 8 }}
        spacing="sm"
        visibleFrom={isOpen ? undefined : 'sm'}
      >
        <OptionFilter label="Status" option={filter.status} />
        <OptionFilter label="Confidence" option={filter.confidence} />
        <OptionFilter label="Feedback" option={filter.feedback} />
        <OptionFilter label="Handoff" option={filter.handoff} />
        <OptionFilter label="Channel" option={filter.channel} />
        <LabelFilter value={filter.labelId} onChange={filter.setLabel} isLabelVisible />
        <OptionFilter label="Last message" option={filter.period} />
        <TextInput label="End user" placeholder="Exact ID" maxLength={128} {...endUser.field} />
      </SimpleGrid>
    </Stack>
  );
}

function OptionFilter<Name extends string>({
  label,
  option: { names, value, set },
}: {
  readonly label: string;
  readonly option: UrlOption<Name>;
}) {
  return (
    <Select
      label={label}
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      value={value}
      data={Object.entries<string>(names).map(([value, label]) => ({ value, label }))}
      onChange={set}
    />
  );
}
