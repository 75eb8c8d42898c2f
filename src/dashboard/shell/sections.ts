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

/** The pages of a project in the groups of the menu. `guide` is the address below `/docs` of the guide to a page. */
export const sectionGroups = [
  {
    title: 'Work',
    sections: [
      { path: 'inbox', label: 'Inbox', Icon: IconInbox, guide: 'guides/dashboard-for-agents' },
      {
        path: 'conversations',
        label: 'Conversations',
        Icon: IconMessages,
        guide: 'guides/dashboard-for-agents#look-something-up',
      },
    ],
  },
  {
    title: 'Improve',
    sections: [
      {
        path: 'unanswered',
        label: 'Unanswered',
        Icon: IconHelpCircle,
        guide: 'guides/dashboard-for-leads#improve-the-answers',
      },
      {
        path: 'knowledge',
        label: 'Knowledge',
        Icon: IconBook2,
        guide: 'guides/dashboard-for-leads#documents',
      },
      {
        path: 'playground',
        label: 'Playground',
        Icon: IconPlayerPlay,
        guide: 'guides/dashboard-for-leads#improve-the-answers',
      },
      { path: 'evaluation', label: 'Evaluation', Icon: IconChecklist, guide: 'guides/evaluation' },
    ],
  },
  {
    title: 'Measure',
    sections: [
      {
        path: 'analytics',
        label: 'Analytics',
        Icon: IconChartLine,
        guide: 'guides/dashboard-for-leads#read-the-analytics',
      },
      {
        path: 'usage',
        label: 'Usage',
        Icon: IconChartBar,
        guide: 'reference/limits#plans',
      },
    ],
  },
  {
    title: 'Administer',
    sections: [
      { path: 'developer', label: 'Developer', Icon: IconCode, guide: 'guides/rest-api' },
      {
        path: 'settings',
        label: 'Settings',
        Icon: IconSettings,
        guide: 'guides/dashboard-for-leads#pages',
      },
      {
        path: 'start',
        label: 'Get started',
        Icon: IconRocket,
        guide: 'guides/dashboard-for-leads#get-started',
      },
    ],
  },
] as const;

/** Guides to tabs, which explain more than the guide to their page. */
const guidesToTabs: Readonly<Record<string, string>> = {
  'settings/widget': 'guides/widget',
  'settings/assistant': 'guides/dashboard-for-leads#settings-of-the-assistant',
  'settings/models': 'guides/dashboard-for-leads#models',
  'settings/members': 'guides/dashboard-for-leads#invite-members',
  'settings/audit': 'guides/dashboard-for-leads#audit-log',
  'knowledge/sources': 'guides/sources',
  'developer/webhooks': 'guides/webhooks',
};

/** The pages of a project, in the order of the menu. */
export const sections = sectionGroups.flatMap(({ sections }) => [...sections]);

export type SectionPath = (typeof sections)[number]['path'];

/** Addresses below `/docs` of all guides that the dashboard links to. */
export const linkedGuides: readonly string[] = [
  ...sections.map(({ guide }) => guide),
  ...Object.values(guidesToTabs),
];

/** Returns the address of the guide to a page, for a path such as `settings/widget`. */
export function guideTo(path: string): string {
  const [page = '', tab = ''] = path.split('/');
  const section = sections.find(({ path }) => path === page);
  const guide = guidesToTabs[`${page}/${tab}`] ?? section?.guide;
  return guide === undefined ? '/docs' : `/docs/${guide}`;
}
