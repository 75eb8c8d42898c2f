import { lazy } from 'react';
import { usePermissions } from '../project/use-permissions.ts';
import { useSession } from '../session/session-gate.tsx';
import { Page } from '../shell/page.tsx';
import { PageTabs } from '../shell/page-tabs.tsx';
import { AssistantSettings } from './assistant/assistant-settings.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { Sessions } from './sessions/sessions.tsx';

/** The other tabs are separate scripts, loaded when a tab is opened. */
const AnswerSettings = lazy(async () => ({
  default: (await import('./answers/answer-settings.tsx')).AnswerSettings,
}));
const AuditLog = lazy(async () => ({ default: (await import('./audit/audit-log.tsx')).AuditLog }));
const Members = lazy(async () => ({ default: (await import('./members/members.tsx')).Members }));
const Models = lazy(async () => ({ default: (await import('./models/models.tsx')).Models }));
const SavedReplies = lazy(async () => ({
  default: (await import('./saved-replies/saved-replies.tsx')).SavedReplies,
}));
const Labels = lazy(async () => ({ default: (await import('./labels/labels.tsx')).Labels }));
const WidgetSettings = lazy(async () => ({
  default: (await import('./widget/widget-settings.tsx')).WidgetSettings,
}));

export function SettingsPage() {
  const { list } = useSession();
  const { canManage, canWorkHandoffs, isOwner } = usePermissions();
  return (
    <Page title="Settings">
      <PageTabs
        section="settings"
        tabs={[
          { path: 'assistant', label: 'Assistant', content: <AssistantSettings /> },
          { path: 'answers', label: 'Answers', content: <AnswerSettings /> },
          ...(canManage ? [{ path: 'models', label: 'Models', content: <Models /> }] : []),
          { path: 'widget', label: 'Widget', content: <WidgetSettings /> },
          ...(canWorkHandoffs
            ? [
                { path: 'replies', label: 'Saved replies', content: <SavedReplies /> },
                { path: 'labels', label: 'Labels', content: <Labels /> },
              ]
            : []),
          { path: 'projects', label: 'Projects', content: <ProjectSettings /> },
          { path: 'members', label: 'Members', content: <Members /> },
          ...(list === null
            ? []
            : [{ path: 'sessions', label: 'Sessions', content: <Sessions list={list} /> }]),
          ...(isOwner ? [{ path: 'audit', label: 'Audit log', content: <AuditLog /> }] : []),
        ]}
      />
    </Page>
  );
}
