import {
  ActionIcon,
  Anchor,
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  Select,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDevices, IconId, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { formatCappedCount } from '../format/format-numbers.ts';
import { inboxAddress } from '../inbox/inbox-address.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject, useProjects } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { useSession } from '../session/session-gate.tsx';
import { signOut } from '../session/sign-out.ts';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import { guideTo, type SectionPath, sectionGroups } from './sections.ts';

const contentId = 'content';

/** The frame of every page: menu, project switch and account menu. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [isMenuOpen, menu] = useDisclosure(false);
  const [location] = useLocation();
  const { id } = useProject();
  const { canManage } = usePermissions();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
    >
      <a className="skip-link" href={`#${contentId}`}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm">
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
            />
            <Text fw={700} visibleFrom="sm">
              grounded-chat
            </Text>
            <ProjectSwitch />
          </Group>
          <Group wrap="nowrap" gap="xs">
            <ColorSchemeSwitch />
            <OperatorMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          {sectionGroups.map(({ title, sections }) => (
            <div key={title}>
              <Text size="xs" c="dimmed" px="sm" pt="xs">
                {title}
              </Text>
              {sections
                .filter(({ path }) => path !== 'start' || canManage)
                .map(({ path, label, Icon }) => (
                  <NavLink
                    key={path}
                    component={Link}
                    href={path === 'inbox' ? inboxAddress(id) : `/${id}/${path}`}
                    label={label}
                    leftSection={<Icon size={18} stroke={1.5} aria-hidden />}
                    rightSection={<SectionCount path={path} />}
                    py={6}
                    active={location.startsWith(`/${id}/${path}`)}
                    onClick={menu.close}
                  />
                ))}
            </div>
          ))}
        </AppShell.Section>
        <Group justify="space-between" px="sm" pt="xs">
          <Text size="xs" c="dimmed">
            {readVersion()}
          </Text>
          <Anchor href={guideTo(location.split('/').slice(2).join('/'))} target="_blank" size="xs">
            Guide to this page
          </Anchor>
        </Group>
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1}>
        <PageErrorBoundary key={location.split('/')[2]}>{children}</PageErrorBoundary>
      </AppShell.Main>
    </AppShell>
  );
}

/**
 * The number beside a page in the menu. *Inbox*: waiting handoffs plus the operator's own conversations with new
 * messages, as in the title of the browser tab. *Unanswered*: open questions.
 */
function SectionCount({ path }: { readonly path: SectionPath }) {
  const { counts, openQuestions } = useLiveInbox();
  if (path === 'inbox') return <MenuCount count={counts.waiting + counts.unread} text="need you" />;
  if (path === 'unanswered') return <MenuCount count={openQuestions ?? 0} text="open" />;
  return null;
}

function MenuCount({ count, text }: { readonly count: number; readonly text: string }) {
  if (count === 0) return null;
  const shown = formatCappedCount(count);
  return (
    <Badge size="sm" variant="light" aria-label={`${shown} ${text}`}>
      {shown}
    </Badge>
  );
}

/** The page contains the version of the service that has served it. */
function readVersion(): string {
  const { content = '' } =
    document.querySelector<HTMLMetaElement>('meta[name="service-version"]') ?? {};
  return `Version ${content}`;
}

function ProjectSwitch() {
  const projects = useProjects();
  const { id } = useProject();
  const [, navigate] = useLocation();
  return (
    <Select
      aria-label="Project"
      size="xs"
      allowDeselect={false}
      value={id}
      data={projects.map(({ id: value, name: label }) => ({ value, label }))}
      onChange={(chosen) => navigate(`/${chosen}`)}
    />
  );
}

function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme() === 'dark';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      aria-label={isDark ? 'Use light theme' : 'Use dark theme'}
    >
      {isDark ? <IconSun size={18} stroke={1.5} /> : <IconMoon size={18} stroke={1.5} />}
    </ActionIcon>
  );
}

function OperatorMenu() {
  const session = useSession();
  const { email } = useOperator();
  const { id } = useProject();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Your account">
          <IconUser size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item
          leftSection={<IconId size={16} />}
          component={Link}
          href={`/${id}/settings/members`}
        >
          Your name for visitors
        </Menu.Item>
        {session.list !== null && (
          <Menu.Item
            leftSection={<IconDevices size={16} />}
            component={Link}
            href={`/${id}/settings/sessions`}
          >
            Where you are signed in
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut(session)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
