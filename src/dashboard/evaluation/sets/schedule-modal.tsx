import { Modal, NumberInput, Select, SimpleGrid, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifySuccess } from '../../components/error-messages.tsx';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { figureTexts, isLowerBetter } from '../runs/figure-texts.ts';
import { boundField, boundNames, boundsInput, enteredBounds } from './bound-fields.ts';
import { type SetSchedule, scheduleQuestionSetMutation } from './set-operations.ts';

interface ModalProps {
  readonly setId: string;
  readonly schedule: SetSchedule | null;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** The form for the schedule of a set. */
export function ScheduleModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Schedule" size="lg">
      <ScheduleForm {...props} />
    </Modal>
  );
}

const intervals = [
  { value: '', label: 'Only by hand' },
  { value: '24', label: 'Every day' },
  { value: '168', label: 'Every week' },
  { value: 'hours', label: 'Another number of hours' },
];

/** Form fields by the field names of the service. */
const formFields = {
  'schedule.everyHours': 'hours',
  ...Object.fromEntries(boundNames.map((name) => [`schedule.bounds.${name}`, `bounds.${name}`])),
};

function ScheduleForm({ setId, schedule, onClose, onChange }: ModalProps) {
  const save = useNotifyingMutation(scheduleQuestionSetMutation, 'The schedule was not saved');
  const current = schedule === null ? '' : String(schedule.everyHours);
  const isKnown = intervals.some(({ value }) => value === current);
  const form = useForm({
    initialValues: {
      interval: isKnown ? current : 'hours',
      hours: (schedule?.everyHours ?? 12) as number | string,
      bounds: enteredBounds(schedule?.bounds),
    },
    validate: {
      hours: (hours, { interval }) =>
        interval === 'hours' && typeof hours !== 'number' ? 'Enter a number of hours' : null,
    },
  });
  const { interval } = form.values;
  const submit = form.onSubmit(async ({ hours, bounds }) => {
    const everyHours = Number(interval === 'hours' ? hours : interval);
    const entered = interval === '' ? null : { everyHours, bounds: boundsInput(bounds) };
    const saved = await save.run({ id: setId, schedule: entered }, (messages) =>
      showFieldErrors(form, messages, formFields),
    );
    if (saved === null) return;
    notifySuccess('The schedule was saved');
    onChange();
    onClose();
  });
  return (
    <ModalForm onSubmit={submit} submitLabel="Save" saving={save} onCancel={onClose}>
      <Select
        label="Ask the questions"
        data={intervals}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps('interval')}
      />
      {interval === 'hours' && (
        <NumberInput
          label="Hours between two runs"
          min={1}
          max={720}
          allowDecimal={false}
          clampBehavior="strict"
          {...form.getInputProps('hours')}
        />
      )}
      {interval !== '' && (
        <>
          <Text size="sm">
            Bounds of the figures. If a run is outside a bound, or fails, webhooks receive
            evaluation.regressed. Empty: no bound.
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {boundNames.map((name) => (
              <NumberInput
                key={name}
                label={figureTexts[name].label}
                placeholder={isLowerBetter(name) ? 'at most' : 'at least'}
                min={0}
                max={boundField(name).max}
                suffix={boundField(name).suffix}
                clampBehavior="strict"
                {...form.getInputProps(`bounds.${name}`)}
              />
            ))}
          </SimpleGrid>
        </>
      )}
    </ModalForm>
  );
}
