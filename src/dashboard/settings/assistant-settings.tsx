import { Button, Group, Skeleton, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ResultOf } from 'gql.tada';
import { useQuery } from 'urql';
import { LoadFailure, notifySuccess } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { BusinessHoursFields } from './business-hours-fields.tsx';
import { assistantQuery, updateProjectMutation } from './project-operations.ts';

type Assistant = NonNullable<ResultOf<typeof assistantQuery>['project']>['assistant'];

/** What the assistant is told and says by itself, and when the team is there. */
export function AssistantSettings() {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({ query: assistantQuery, variables: { projectId } });
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data?.project == null) return <Skeleton h={320} aria-label="Loading" />;
  return <AssistantForm assistant={data.project.assistant} />;
}

function AssistantForm({ assistant }: { readonly assistant: Assistant }) {
  const { id } = useProject();
  const { canManage } = usePermissions();
  const update = useAction(updateProjectMutation, 'The settings were not saved');
  const form = useForm({
    initialValues: {
      instructions: assistant.instructions ?? '',
      fallbackText: assistant.fallbackText ?? '',
      holdingText: assistant.holdingText ?? '',
      outOfHoursText: assistant.outOfHoursText ?? '',
      businessHours: assistant.businessHours,
    },
  });
  const submit = form.onSubmit(async ({ businessHours, ...texts }) => {
    const given = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : text]),
    );
    const saved = await update.run({ input: { id, assistant: { ...given, businessHours } } });
    if (saved === null) return;
    form.resetDirty();
    notifySuccess('Saved');
  });
  const text = (name: 'instructions' | 'fallbackText' | 'holdingText' | 'outOfHoursText') => ({
    autosize: true,
    minRows: 2,
    maxRows: 12,
    readOnly: !canManage,
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={submit}>
      <Stack maw={720}>
        <Textarea
          label="Instructions"
          description="Tone and rules for the assistant, such as whom it speaks for."
          {...text('instructions')}
        />
        <Textarea
          label="When the answer is not in the documents"
          description="Empty: a text of the service's own."
          {...text('fallbackText')}
        />
        <Textarea
          label="While somebody of the team has the conversation"
          description="Told once, as soon as the end user writes."
          {...text('holdingText')}
        />
        <BusinessHoursFields
          value={form.values.businessHours}
          isReadOnly={!canManage}
          onChange={(hours) => form.setFieldValue('businessHours', hours)}
        />
        {form.values.businessHours !== null && (
          <Textarea label="Outside of these hours" {...text('outOfHoursText')} />
        )}
        {canManage && (
          <Group>
            <Button type="submit" loading={update.isRunning} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
