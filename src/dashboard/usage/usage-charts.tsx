import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { Card, Stack, Title } from '@mantine/core';
import { saySize } from '../shell/say-size.ts';

interface Day {
  /** `2026-11-21`. */
  readonly day: string;
  readonly messages: number;
  readonly tokens: number;
  readonly storedBytes: number;
}

/** Messages, tokens and storage of each day. */
export function UsageCharts({ days }: { readonly days: readonly Day[] }) {
  const data = [...days];
  const common = { h: 200, data, dataKey: 'day', withLegend: false, tickLine: 'none' } as const;
  return (
    <Stack>
      <Chart title="Messages a day">
        <BarChart {...common} series={[{ name: 'messages', label: 'Messages', color: 'cyan.7' }]} />
      </Chart>
      <Chart title="Tokens a day">
        <BarChart {...common} series={[{ name: 'tokens', label: 'Tokens', color: 'indigo.6' }]} />
      </Chart>
      <Chart title="Storage">
        <AreaChart
          {...common}
          curveType="stepAfter"
          valueFormatter={saySize}
          series={[{ name: 'storedBytes', label: 'Stored', color: 'teal.7' }]}
        />
      </Chart>
    </Stack>
  );
}

function Chart({
  title,
  children,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
}) {
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}
