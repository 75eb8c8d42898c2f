import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import { StatCard } from '../../usage/stat-card.tsx';
import { describeAgreement } from './describe-agreement.ts';
import { type FigureName, figureTexts } from './figure-texts.ts';
import { ReliabilityDiagram } from './reliability-diagram.tsx';
import type { Agreement, Figures } from './run-operations.ts';

/** The figures of a run, each with the number of questions behind it, and the reliability diagram. */
export function RunFigures({
  figures,
  agreement,
}: {
  readonly figures: Figures;
  readonly agreement: Agreement | null;
}) {
  return (
    <>
      <Stack component="section" gap="xs" aria-labelledby="figures">
        <Title order={3} size="h5" id="figures">
          Figures
        </Title>
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
          {(Object.keys(figureTexts) as FigureName[]).map((name) => (
            <FigureCard key={name} name={name} figures={figures} />
          ))}
        </SimpleGrid>
        {agreement !== null && <Text size="sm">{describeAgreement(agreement)}</Text>}
      </Stack>
      <ReliabilityDiagram bins={figures.reliability} />
    </>
  );
}

function FigureCard({ name, figures }: { readonly name: FigureName; readonly figures: Figures }) {
  const { label, text, format } = figureTexts[name];
  const value = figures[name];
  return (
    <StatCard label={label} headingOrder={4} value={value === null ? '–' : format(value)}>
      {value === null ? 'no question asks for it' : formatCountOf(figures.n[name], 'question')}
      {name === 'calibrationError' && describeInterval(figures)}
      <br />
      {text}
    </StatCard>
  );
}

function describeInterval({ calibrationErrorLow: low, calibrationErrorHigh: high }: Figures) {
  return low === null || high === null
    ? ''
    : `, 95 % interval ${formatPercent(low)} to ${formatPercent(high)}`;
}
