import { Button, Combobox, Group, useCombobox } from '@mantine/core';
import { IconCheck, IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { LoadFailure } from '../components/error-messages.tsx';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { LabelBadge, LabelBadges } from './label-badges.tsx';
import { type Label, labelsQuery, maxLabelLength } from './label-operations.ts';
import { useConversationLabels } from './use-conversation-labels.ts';

/** Value of the option that creates a label. It is not the id of a label. */
const newLabel = 'new';

/** The labels of a conversation. Agents also have a list in which they add, remove and find labels by keyboard. */
export function LabelPicker({
  conversationId,
  labels,
  onChange,
}: {
  readonly conversationId: string;
  readonly labels: readonly Label[];
  /** Called after a change. Also called after a failure, because the label may have been deleted. */
  readonly onChange: () => void;
}) {
  const { canWorkHandoffs } = usePermissions();
  return (
    <Group gap={6}>
      <LabelBadges labels={labels} />
      {canWorkHandoffs && (
        <LabelMenu conversationId={conversationId} labels={labels} onChange={onChange} />
      )}
    </Group>
  );
}

function LabelMenu(target: Parameters<typeof LabelPicker>[0]) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const change = useConversationLabels(target);
  return (
    <Combobox
      store={combobox}
      width={210}
      position="bottom-start"
      withinPortal={false}
      onOptionSubmit={(value) => {
        setSearch('');
        void (value === newLabel ? change.create(search.trim()) : change.toggle(value));
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconTag size={14} aria-hidden />}
          loading={change.isRunning}
          onClick={() => combobox.toggleDropdown()}
        >
          Labels…
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Find a label"
          placeholder="Find a label"
          maxLength={maxLabelLength}
          dir="auto"
          value={search}
          onChange={({ currentTarget: { value } }) => {
            setSearch(value);
            combobox.updateSelectedOptionIndex();
          }}
        />
        {combobox.dropdownOpened && (
          <LabelOptions search={search.trim()} selected={target.labels} />
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

function LabelOptions({
  search,
  selected,
}: {
  readonly search: string;
  readonly selected: readonly Label[];
}) {
  const { id: projectId } = useProject();
  const { canManage } = usePermissions();
  const { data, error, reload } = useFreshQuery(labelsQuery, { projectId });
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  const labels = data?.labels ?? [];
  const part = search.toLowerCase();
  const found = labels.filter(({ name }) => name.toLowerCase().includes(part));
  const isKnown = labels.some(({ name }) => name.toLowerCase() === part);
  const canCreate = canManage && data !== undefined && search !== '' && !isKnown;
  const selectedIds = new Set(selected.map(({ id }) => id));
  return (
    <Combobox.Options aria-label="Labels" mah={240} style={{ overflowY: 'auto' }}>
      {found.map((label) => (
        <Combobox.Option key={label.id} value={label.id} active={selectedIds.has(label.id)}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <LabelBadge label={label} />
            {selectedIds.has(label.id) && <IconCheck size={16} aria-label="Added" />}
          </Group>
        </Combobox.Option>
      ))}
      {canCreate && <Combobox.Option value={newLabel}>Create “{search}”</Combobox.Option>}
      {data !== undefined && found.length === 0 && !canCreate && (
        <Combobox.Empty>{labels.length === 0 ? 'No labels yet' : 'No label found'}</Combobox.Empty>
      )}
    </Combobox.Options>
  );
}
