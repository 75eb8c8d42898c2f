import { usePermissions } from '../project/use-permissions.ts';
import { useSession } from '../session/session-gate.tsx';
import { Page } from '../shell/page.tsx';
import { PageTabs } from '../shell/page-tabs.tsx';
import { AnswerSettings } from './answers/answer-settings.tsx';
import { AssistantSettings } from './assistant/assistant-settings.tsx';
import { AuditLog } from './audit/audit-log.tsx';
import { Members } from './members/members.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { SavedReplies } from './saved-replies/saved-replies.tsx';
import { Sessions } from './sessions/sessions.tsx';
import { WidgetSettings } from './widget/widget-settings.tsx';

export function SettingsPage() {
  const { list } = useSession();
  const { canWorkHandoffs, isOwner } = usePermissions();
  return (
    <Page title="Settings">
      <PageTabs
        section="settings"
        tabs={[
          { path: 'assistant', label: 'Assistant', content: <AssistantSettings /> },
          { path: 'answers', label: 'Answers', content: <AnswerSettings /> },
          { path: 'widget', label: 'Widget', content: <WidgetSettings /> },
          ...(canWorkHandoffs
            ? [{ path: 'replies', label: 'Saved replies', content: <SavedReplies /> }]
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
