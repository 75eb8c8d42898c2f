import { Card, Group, Table, Text, Title } from '@mantine/core';
import classes from '../components/chart.module.css';
import { ChartTable } from '../components/chart-table.tsx';
import { type Chart, colorOf, DayPlot, dayAxis, formatValue } from './day-plot.tsx';

/** A chart of daily values. Below it, a table for screen readers contains the exact values. */
export function DayChart({ title, text, ...chart }: Chart & { title: string; text: string }) {
  return (
    <Card withBorder padding="md" role="group" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <Group gap="md" mb={4}>
        {chart.series.map((series) => (
          <Text key={series.label} size="xs">
            <span className={classes.key} style={{ background: colorOf(series) }} />
            {series.label}
          </Text>
        ))}
      </Group>
      <DayPlot {...chart} />
      <ChartTable label={`${title}, as a table`}>
        <DayTable {...chart} />
      </ChartTable>
    </Card>
  );
}

function DayTable({ days, axis = dayAxis, series, format }: Chart) {
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{axis.heading}</Table.Th>
          {series.map(({ label }) => (
            <Table.Th key={label} ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days
          .map((day, index) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {axis.full(day)}
              </Table.Th>
              {series.map(({ label, values }) => (
                <Table.Td key={label} ta="right">
                  {formatValue(values[index], format)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))
          .reverse()}
      </Table.Tbody>
    </Table>
  );
}
