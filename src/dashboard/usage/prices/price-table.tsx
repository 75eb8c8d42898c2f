import { Card, Group, Table } from '@mantine/core';
import { ScrolledTable } from '../../components/chart-table.tsx';
import { EditDeleteActions } from '../../components/edit-delete-actions.tsx';
import { formatPrice } from '../../format/format-amount.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { deletePriceMutation, type Price } from './price-operations.ts';
import { describeTokens, firstDayOf, kindTexts } from './price-texts.ts';

/** All prices, by model and kind, latest first. */
export function PriceTable({
  prices,
  onEdit,
  onChange,
}: {
  readonly prices: readonly Price[];
  readonly onEdit: (price: Price) => void;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  return (
    <Card withBorder padding="md">
      <ScrolledTable label="Prices, table">
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Model</Table.Th>
              <Table.Th>Tokens</Table.Th>
              <Table.Th ta="right">Per million</Table.Th>
              <Table.Th>Valid from</Table.Th>
              {canManage && <Table.Th>Actions</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {prices.map((price) => (
              <Table.Tr key={`${describeTokens(price)} ${price.validFrom}`}>
                <Table.Th scope="row" fw={400} miw={140} style={{ overflowWrap: 'anywhere' }}>
                  {price.model}
                </Table.Th>
                <Table.Td>{kindTexts[price.kind]}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {formatPrice(price.perMillion, price.currency)}
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{firstDayOf(price)}</Table.Td>
                {canManage && (
                  <Table.Td>
                    <PriceActions {...{ price, onEdit, onChange }} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrolledTable>
    </Card>
  );
}

function PriceActions({
  price,
  onEdit,
  onChange,
}: {
  readonly price: Price;
  readonly onEdit: (price: Price) => void;
  readonly onChange: () => void;
}) {
  const { organizationId } = useProject();
  const { model, kind, validFrom } = price;
  return (
    <Group gap="xs" wrap="nowrap">
      <EditDeleteActions
        noun="price"
        name={`${describeTokens(price)}, ${firstDayOf(price)}`}
        text={`The price of ${describeTokens(price)} from ${firstDayOf(price)} no longer applies, also to the past. The price before it applies again, if there is one.`}
        mutation={deletePriceMutation}
        variables={{ input: { organizationId, model, kind, validFrom } }}
        onDeleted={onChange}
        onEdit={() => onEdit(price)}
      />
    </Group>
  );
}
