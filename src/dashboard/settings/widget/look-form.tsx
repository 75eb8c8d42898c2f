import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { notifySuccess } from '../../components/error-messages.tsx';
import { showFieldErrors } from '../../components/field-errors.ts';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import type { UpdateAllowedOrigins } from './edit-origins.ts';
import { LookFields } from './look-fields.tsx';
import {
  type LookValues,
  lookErrorFields,
  lookInputOf,
  lookValidation,
  lookValuesOf,
  type Widget,
} from './look-values.ts';
import { updateWidgetMutation } from './widget-operations.ts';
import classes from './widget-preview.module.css';
import { WidgetPreview } from './widget-preview.tsx';

const saveFailure = 'The look was not saved';

/** The form with the look of the widget, beside its preview, or above it on narrow screens. */
export function LookForm({
  widget,
  onEditOrigins,
}: {
  readonly widget: Widget;
  readonly onEditOrigins: UpdateAllowedOrigins;
}) {
  const { id: projectId } = useProject();
  const update = useNotifyingMutation(updateWidgetMutation, saveFailure);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ initialValues: lookValuesOf(widget), validate: lookValidation });
  useUnsavedChanges(form.isDirty());
  const save = async (values: LookValues) => {
    setFailure(null);
    const input = { projectId, ...lookInputOf(values) };
    const saved = await update.run({ input }, (messages) => {
      if (!showFieldErrors(form, messages, lookErrorFields)) setFailure(messages.join('. '));
      return true;
    });
    if (saved === null) return;
    form.resetDirty(values);
    notifySuccess('Saved');
  };
  return (
    <section aria-labelledby="widget-look">
      <Title order={2} size="h4" id="widget-look" mb="sm">
        Look
      </Title>
      <div className={classes.beside}>
        <form onSubmit={form.onSubmit(save)} noValidate>
          <Stack gap="md">
            <LookFields form={form} />
            {failure !== null && (
              <Alert color="red" role="alert" title={saveFailure}>
                {failure}
              </Alert>
            )}
            <Group>
              <Button type="submit" loading={update.isRunning} disabled={!form.isDirty()}>
                Save the look
              </Button>
              {form.isDirty() && (
                <Button variant="default" onClick={form.reset}>
                  Discard changes
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <WidgetPreview widget={widget} values={form.values} onEdit={onEditOrigins} />
      </div>
    </section>
  );
}
