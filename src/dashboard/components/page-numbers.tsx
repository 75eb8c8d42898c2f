import { Group, Pagination } from '@mantine/core';

/** Buttons that select a page of a list. Shows nothing if the list has only one page. */
export function PageNumbers({
  label,
  page,
  totalPages,
  onChange,
}: {
  /** Name of the navigation, for example "Pages of documents". */
  readonly label: string;
  readonly page: number;
  readonly totalPages: number;
  readonly onChange: (page: number) => void;
}) {
  if (totalPages <= 1) return null;
  return (
    <Group justify="center" component="nav" aria-label={label}>
      <Pagination
        total={totalPages}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `Go to the ${control} page` })}
        getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
      />
    </Group>
  );
}
