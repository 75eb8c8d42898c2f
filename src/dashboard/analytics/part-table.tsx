import { Card, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ScrolledTable } from '../components/chart-table.tsx';

/** A table whose first column names the rows. All other columns are numbers. */
export function PartTable({
  title,
  text,
  emptyText,
  columns,
  rows,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly emptyText: string;
  readonly columns: readonly string[];
  /** The name of each row, which is unique, and its values. */
  readonly rows: readonly (readonly [name: string, ...values: ReactNode[]])[];
}) {
  return (
    <Card withBorder padding="md" role="group" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {rows.length === 0 ? (
        <Text size="sm" mt="sm">
          {emptyText}
        </Text>
      ) : (
        <ScrolledTable label={`${title}, table`}>
          <Table fz="xs" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                {columns.map((column, index) => (
                  <Table.Th key={column} ta={index === 0 ? undefined : 'right'}>
                    {column}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([name, ...values]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400} miw={110} style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Table.Th>
                  {values.map((value, index) => (
                    <Table.Td key={columns[index + 1]} ta="right">
                      {value}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrolledTable>
      )}
    </Card>
  );
}
