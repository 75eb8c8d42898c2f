import { Button, Skeleton, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure, notifyFailure, notifyProblem } from '../../components/error-messages.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { AllowedDomains } from './allowed-domains.tsx';
import type { UpdateAllowedOrigins } from './edit-origins.ts';
import { LookForm } from './look-form.tsx';
import { WidgetIdentity } from './widget-identity.tsx';
import { updateWidgetMutation, widgetQuery } from './widget-operations.ts';
import { WidgetScriptTag } from './widget-script-tag.tsx';

/** Settings of the chat widget for websites. */
export function WidgetSettings() {
  const { canManage } = usePermissions();
  if (canManage) return <WidgetForm />;
  return (
    <EmptyState
      title="For owners and admins"
      text="Owners and admins set up the widget. Ask one of them to add it to your website."
    />
  );
}

const updateFailure = 'The widget was not changed';

function WidgetForm() {
  const { id: projectId } = useProject();
  const client = useClient();
  const { data, error, reload } = useFreshQuery(widgetQuery, { projectId });
  const [isLoadingOrigins, setIsLoadingOrigins] = useState(false);
  const update = useNotifyingMutation(updateWidgetMutation, updateFailure);
  if (data?.project == null) {
    return error === undefined ? (
      <Skeleton h={320} aria-label="Loading" />
    ) : (
      <LoadFailure error={error} onRetry={reload} />
    );
  }
  const { widget } = data.project;
  const change = async (
    input: { isEnabled?: boolean; allowedOrigins?: string[]; isIdentityRequired?: boolean },
    onInvalid = (reason: string) => notifyProblem(updateFailure, `Allowed domains: ${reason}`),
  ) => {
    const changed = await update.run({ input: { projectId, ...input } }, (messages) => {
      const origin = fieldErrors(messages, { allowedOrigins: 'origin' })?.origin;
      if (origin !== undefined) onInvalid(origin);
      return origin !== undefined;
    });
    if (changed !== null) reload();
    return changed !== null;
  };
  /**
   * Applies a change to the stored list of domains. Reads the list first, so that the changes of other operators are
   * not lost.
   */
  const editOrigins: UpdateAllowedOrigins = async (changeOrigins, onInvalid) => {
    setIsLoadingOrigins(true);
    const read = await client.query(widgetQuery, { projectId }, { requestPolicy: 'network-only' });
    setIsLoadingOrigins(false);
    if (read.error !== undefined) notifyFailure(updateFailure, read.error);
    const origins = read.data?.project?.widget?.allowedOrigins;
    return origins !== undefined && change({ allowedOrigins: changeOrigins(origins) }, onInvalid);
  };
  if (widget === null) {
    return (
      <EmptyState
        title="Chat for your website"
        text="Add one line of HTML, and visitors can chat with the assistant of this project."
      >
        <Button loading={update.isRunning} onClick={() => change({})}>
          Set up the widget
        </Button>
      </EmptyState>
    );
  }
  const { isEnabled, allowedOrigins, publishableKey } = widget;
  return (
    <Stack gap="xl">
      <Stack maw={720} gap="xl">
        <Switch
          label="Answer visitors"
          description="When this is off, the chat is unavailable on all websites."
          checked={isEnabled}
          disabled={update.isRunning}
          onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
        />
        <AllowedDomains
          origins={allowedOrigins}
          isBusy={isLoadingOrigins || update.isRunning}
          onEdit={editOrigins}
        />
        <WidgetScriptTag publishableKey={publishableKey} onRotated={reload} />
      </Stack>
      <LookForm widget={widget} onEditOrigins={editOrigins} />
      <Stack maw={720}>
        <WidgetIdentity
          widget={widget}
          isBusy={update.isRunning}
          onRequire={(isIdentityRequired) => change({ isIdentityRequired })}
          onRotated={reload}
        />
      </Stack>
    </Stack>
  );
}
