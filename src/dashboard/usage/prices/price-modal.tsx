import { Autocomplete, Modal, NumberInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from 'urql';
import { notifySuccess } from '../../components/error-messages.tsx';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import {
  modelNamesQuery,
  type PriceKind,
  setPriceMutation,
  type UsedModel,
} from './price-operations.ts';
import { firstDayOf, kindTexts, priceKinds } from './price-texts.ts';

export interface PriceValues {
  readonly model: string;
  readonly kind: PriceKind;
  readonly perMillion: number;
  readonly validFrom: string;
}

const fields = {
  model: 'model',
  kind: 'kind',
  perMillion: 'perMillion',
  currency: 'currency',
  validFrom: 'day',
};

/** The form for a price. A price of the same model, kind and day is replaced. */
export function PriceModal({
  initial,
  currency,
  used,
  onClose,
  onChange,
}: {
  /** The values to start with. A price with a day is edited: it keeps its model, kind and day. */
  readonly initial: Partial<PriceValues>;
  /** Currency of the other prices. Null without prices. */
  readonly currency: string | null;
  /** Models that are suggested, those without a price first. */
  readonly used: readonly UsedModel[];
  readonly onClose: () => void;
  readonly onChange: () => void;
}) {
  const { organizationId } = useProject();
  const suggestions = useModelNames(used);
  const { validFrom } = initial;
  const isEdited = validFrom !== undefined;
  const failure = `The price was not ${isEdited ? 'changed' : 'added'}`;
  const set = useNotifyingMutation(setPriceMutation, failure);
  const form = useForm({
    initialValues: {
      model: initial.model ?? '',
      kind: initial.kind ?? 'INPUT',
      perMillion: initial.perMillion ?? ('' as number | ''),
      currency: currency ?? '',
      day: firstDayOf({ validFrom: validFrom ?? new Date().toISOString() }),
    },
    validate: {
      model: (model) => (model.trim() === '' ? 'Enter the name of a model' : null),
      perMillion: (price) => (price === '' ? 'Enter a price' : null),
      currency: (code) =>
        /^[A-Za-z]{3}$/.test(code.trim()) ? null : 'Enter three letters, such as EUR',
      day: (day) => (day === '' ? 'Enter a day' : null),
    },
  });
  const submit = form.onSubmit(async ({ model, kind, perMillion, currency, day }) => {
    const input = {
      organizationId,
      model: model.trim(),
      kind,
      perMillion: Number(perMillion),
      currency: currency.trim().toUpperCase(),
      validFrom: `${day}T00:00:00Z`,
    };
    const saved = await set.run({ input }, (messages) => showFieldErrors(form, messages, fields));
    if (saved === null) return;
    notifySuccess('Saved');
    onChange();
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={isEdited ? 'Edit the price' : 'Add a price'}>
      <ModalForm
        onSubmit={submit}
        submitLabel={isEdited ? 'Save' : 'Add'}
        saving={set}
        onCancel={onClose}
      >
        <Autocomplete
          label="Model"
          description="The name under which the service counts its tokens"
          data={suggestions}
          limit={20}
          maxLength={200}
          withAsterisk
          readOnly={isEdited}
          data-autofocus={initial.model === undefined || undefined}
          {...form.getInputProps('model')}
        />
        <Select
          label="Tokens"
          data={priceKinds.map((kind) => ({ value: kind, label: kindTexts[kind] }))}
          allowDeselect={false}
          readOnly={isEdited}
          {...form.getInputProps('kind')}
        />
        <NumberInput
          label="Price of a million tokens"
          min={0}
          max={1_000_000}
          decimalScale={6}
          withAsterisk
          hideControls
          data-autofocus={initial.model !== undefined || undefined}
          {...form.getInputProps('perMillion')}
        />
        <TextInput
          label="Currency"
          description={
            currency === null
              ? 'Such as EUR or USD. All prices of the organization have the same one'
              : 'All prices of the organization have the same one'
          }
          maxLength={3}
          withAsterisk
          readOnly={currency !== null}
          {...form.getInputProps('currency')}
        />
        <TextInput
          type="date"
          label="First day (UTC)"
          description="A day in the past also changes the cost of the past"
          withAsterisk
          readOnly={isEdited}
          {...form.getInputProps('day')}
        />
      </ModalForm>
    </Modal>
  );
}

/** Returns names of models: those that the project used and have no price, those with a price, and the installed ones. */
function useModelNames(used: readonly UsedModel[]): string[] {
  const { id: projectId } = useProject();
  const [{ data }] = useQuery({ query: modelNamesQuery, variables: { projectId } });
  const unpriced = used.filter(({ cost }) => cost === null);
  const installed = (data?.installedModels ?? []).flatMap(({ kind, name }) =>
    name === null || kind === 'OCR' ? [] : [name],
  );
  return [...new Set([...[...unpriced, ...used].map(({ model }) => model), ...installed])];
}
