import { Select } from '@mantine/core';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { labelsQuery } from './label-operations.ts';

/**
 * Selects one of the project's labels, or none. Renders nothing if the project has no labels.
 * @param isLabelVisible Whether the name of the field is shown above the field. Screen readers always read the name.
 */
export function LabelFilter({
  value,
  onChange,
  isLabelVisible,
}: {
  readonly value: string | null;
  readonly onChange: (labelId: string | null) => void;
  readonly isLabelVisible: boolean;
}) {
  const { id: projectId } = useProject();
  const { data, reload } = useFreshQuery(labelsQuery, { projectId });
  const labels = data?.labels ?? [];
  if (labels.length === 0 && value === null) return null;
  return (
    <Select
      {...(isLabelVisible ? { label: 'Label' } : { 'aria-label': 'Label', size: 'xs' })}
      placeholder={isLabelVisible ? 'Any' : 'Any label'}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any label' }}
      nothingFoundMessage="No label found"
      onDropdownOpen={reload}
      value={value}
      data={labels.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  );
}
