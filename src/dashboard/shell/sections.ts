import {
  IconBook2,
  IconChartBar,
  IconChartLine,
  IconChecklist,
  IconCode,
  IconHelpCircle,
  IconInbox,
  IconMessages,
  IconPlayerPlay,
  IconRocket,
  IconSettings,
} from '@tabler/icons-react';

/** The pages of a project, in the order of the menu. */
export const sections = [
  { path: 'inbox', label: 'Inbox', Icon: IconInbox },
  { path: 'conversations', label: 'Conversations', Icon: IconMessages },
  { path: 'unanswered', label: 'Unanswered', Icon: IconHelpCircle },
  { path: 'knowledge', label: 'Knowledge', Icon: IconBook2 },
  { path: 'playground', label: 'Playground', Icon: IconPlayerPlay },
  { path: 'evaluation', label: 'Evaluation', Icon: IconChecklist },
  { path: 'developer', label: 'Developer', Icon: IconCode },
  { path: 'analytics', label: 'Analytics', Icon: IconChartLine },
  { path: 'usage', label: 'Usage', Icon: IconChartBar },
  { path: 'settings', label: 'Settings', Icon: IconSettings },
  { path: 'start', label: 'Get started', Icon: IconRocket },
] as const;

export type SectionPath = (typeof sections)[number]['path'];
