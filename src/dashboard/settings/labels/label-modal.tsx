import { ColorSwatch, Group, Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { EditModalProps } from '../../components/edit-modal-props.ts';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import { labelColors, labelShade } from '../../labels/label-colors.ts';
import { type LabelColor, maxLabelLength } from '../../labels/label-operations.ts';

interface LabelValues {
  readonly name: string;
  readonly color: LabelColor;
}

const colorOptions = Object.entries(labelColors).map(([value, name]) => ({
  value,
  label: name.charAt(0).toUpperCase() + name.slice(1),
}));
const swatch = (color: string) =>
  `var(--mantine-color-${labelColors[color as LabelColor]}-${labelShade})`;

/** The form for a label. */
export function LabelModal({
  opened,
  onClose,
  initial,
  saving,
  onSave,
}: EditModalProps<LabelValues>) {
  const form = useForm({
    initialValues: { name: initial?.name ?? '', color: initial?.color ?? ('GRAY' as LabelColor) },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async (values) => {
    const isSaved = await onSave(values, (messages) =>
      showFieldErrors(form, messages, { name: 'name', color: 'color' }),
    );
    if (isSaved) close();
  });
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={initial === null ? 'Add a label' : 'Edit the label'}
    >
      <ModalForm
        onSubmit={submit}
        submitLabel={initial === null ? 'Add' : 'Save'}
        saving={saving}
        onCancel={close}
      >
        <TextInput
          label="Name"
          maxLength={maxLabelLength}
          dir="auto"
          withAsterisk
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label="Color"
          allowDeselect={false}
          data={colorOptions}
          renderOption={({ option }) => (
            <Group gap="xs">
              <ColorSwatch size={12} color={swatch(option.value)} />
              {option.label}
            </Group>
          )}
          leftSection={<ColorSwatch size={12} color={swatch(form.values.color)} />}
          {...form.getInputProps('color')}
        />
      </ModalForm>
    </Modal>
  );
}
