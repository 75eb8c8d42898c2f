import { Tabs } from '@mantine/core';
import { Page } from '../shell/page.tsx';
import { AssistantSettings } from './assistant-settings.tsx';
import { Members } from './members.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { WidgetSettings } from './widget-settings.tsx';

export function SettingsPage() {
  return (
    <Page title="Settings">
      <Tabs defaultValue="assistant" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="assistant">Assistant</Tabs.Tab>
          <Tabs.Tab value="widget">Widget</Tabs.Tab>
          <Tabs.Tab value="projects">Projects</Tabs.Tab>
          <Tabs.Tab value="members">Members</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="assistant">
          <AssistantSettings />
        </Tabs.Panel>
        <Tabs.Panel value="widget">
          <WidgetSettings />
        </Tabs.Panel>
        <Tabs.Panel value="projects">
          <ProjectSettings />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
