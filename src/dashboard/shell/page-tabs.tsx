import { Tabs } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useLocation } from 'wouter';
import { useProject } from '../project/project.tsx';
import { PageLoader } from './page-loader.tsx';
import type { SectionPath } from './sections.ts';

/** Tabs that each have a URL. A URL without a tab shows the first tab. */
export function PageTabs({
  section,
  tabs,
}: {
  readonly section: SectionPath;
  readonly tabs: readonly {
    readonly path: string;
    readonly label: string;
    readonly content: ReactNode;
  }[];
}) {
  const { id } = useProject();
  const [location, navigate] = useLocation();
  const page = `/${id}/${section}`;
  const [first] = tabs;
  const open = tabs.find(({ path }) => location === `${page}/${path}`) ?? first;
  return (
    <Tabs
      value={open?.path ?? null}
      onChange={(path) => navigate(path === first?.path ? page : `${page}/${path}`)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map(({ path, label }) => (
          <Tabs.Tab key={path} value={path}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ path, content }) => (
        <Tabs.Panel key={path} value={path}>
          <Suspense fallback={<PageLoader />}>{content}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
