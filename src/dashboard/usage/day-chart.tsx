import { Card, Group, Table, Text, Title } from '@mantine/core';
import classes from './day-chart.module.css';
import { type Chart, colorOf, DayPlot, sayValue } from './day-plot.tsx';

/** A figure of each day, drawn, and as a table for those who do not see it or want to read it exactly. */
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
        {chart.series.map((one) => (
          <Text key={one.label} size="xs">
            <span className={classes.key} style={{ background: colorOf(one) }} />
            {one.label}
          </Text>
        ))}
      </Group>
      <DayPlot {...chart} />
      <details>
        <summary className={classes.summary}>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <section className={classes.table} tabIndex={0} aria-label={`${title}, as a table`}>
          <DayTable {...chart} />
        </section>
      </details>
    </Card>
  );
}

function DayTable({ days, series, say }: Chart) {
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day (UTC)</Table.Th>
          {series.map(({ label }) => (
            <Table.Th key={label} ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days
          .map((day, at) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {day}
              </Table.Th>
              {series.map(({ label, values }) => (
                <Table.Td key={label} ta="right">
                  {sayValue(values[at], say)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))
          .reverse()}
      </Table.Tbody>
    </Table>
  );
}
