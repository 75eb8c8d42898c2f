import { Page } from '../shell/page.tsx';
import { PageTabs } from '../shell/page-tabs.tsx';
import { AnswerSettings } from './answers/answer-settings.tsx';
import { AssistantSettings } from './assistant/assistant-settings.tsx';
import { Members } from './members/members.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { WidgetSettings } from './widget/widget-settings.tsx';

export function SettingsPage() {
  return (
    <Page title="Settings">
      <PageTabs
        section="settings"
        tabs={[
          { path: 'assistant', label: 'Assistant', content: <AssistantSettings /> },
          { path: 'answers', label: 'Answers', content: <AnswerSettings /> },
          { path: 'widget', label: 'Widget', content: <WidgetSettings /> },
          { path: 'projects', label: 'Projects', content: <ProjectSettings /> },
          { path: 'members', label: 'Members', content: <Members /> },
        ]}
      />
    </Page>
  );
}
