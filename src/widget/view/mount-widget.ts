import type { Chat } from '../chat.ts';
import type { ChatState } from '../chat-state.ts';
import { type Look, mergeLooks, plainLook } from '../look.ts';
import {
  countUnseenElsewhere,
  teamPositionsOf,
  unseenPositions,
  withSeenPosition,
} from '../other-conversations.ts';
import type { ProjectLook } from '../project-look.ts';
import type { Settings } from '../settings.ts';
import type { VisitorStateStore } from '../visitor-state-store.ts';
import { createAnnouncer } from './announcer.ts';
import { button, element, icon, isSmallScreen, setAttribute } from './dom.ts';
import { keepOnPage } from './keep-on-page.ts';
import { type PanelView, panelView } from './panel-view.ts';
import { createStyleSheets } from './styles.ts';

export interface MountedWidget {
  open(): void;
  close(): void;
  /** Opens the chat without the focus and without a visit. */
  openPreview(): void;
  /** Removes the widget from the page. */
  dispose(): void;
}

/**
 * Adds the launcher and the chat to the page, where they stay if a script replaces the body. A shadow root separates
 * their styles from the styles of the page. If the chat was open on the previous page, it opens again, except on small
 * screens, where it would cover the page. The launcher is hidden until the look of the project is known.
 */
export function mountWidget(
  chat: Chat,
  settings: Settings,
  projectLook: ProjectLook,
  visit: VisitorStateStore,
): MountedWidget {
  const { texts } = settings;
  const host = element('div', { 'data-grounded-chat': true, lang: texts.language });
  const root = host.attachShadow({ mode: 'open' });
  const styles = createStyleSheets(settings);
  root.adoptedStyleSheets = styles.sheets;

  const launcher = launcherView(texts, () => setOpen(!isOpen));
  const panel = panelView(chat, settings, () => setOpen(false));
  const { region, announce, say } = createAnnouncer(texts);
  const disposal = new AbortController();
  let isOpen = false;
  let announcedElsewhere = 0;

  const showUnread = (state: ChatState) => {
    const { conversationId: id, items } = state;
    const { seenPositions: seen, hasUnseen } = visit.read();
    const unseen = id === null ? [] : unseenPositions(teamPositionsOf(items), seen[id]);
    const isSeen = isOpen && document.visibilityState === 'visible';
    if (isSeen && id !== null && unseen.length > 0) {
      visit.update({ seenPositions: withSeenPosition(seen, id, Math.max(...unseen)) });
    }
    const elsewhere = countUnseenElsewhere(state, seen);
    const unreadElsewhere = [...elsewhere.values()].reduce((sum, count) => sum + count, 0);
    panel.showUnread(elsewhere, unreadElsewhere);
    if (isOpen && unreadElsewhere > announcedElsewhere) say(texts.newElsewhere(unreadElsewhere));
    announcedElsewhere = unreadElsewhere;
    const unseenCount = (isSeen ? 0 : unseen.length) + unreadElsewhere;
    if (state.phase === 'ready' && hasUnseen !== unseenCount > 0) {
      visit.update({ hasUnseen: unseenCount > 0 });
    }
    launcher.update(isOpen, isOpen ? unseenCount - unreadElsewhere : unseenCount);
  };
  const show = (open: boolean, isPreview = false) => {
    isOpen = open;
    panel.root.hidden = !open;
    setAttribute(host, 'data-open', open);
    showUnread(chat.state);
    if (!open) return;
    if (!isPreview) void chat.start();
    panel.showLatest();
  };
  const setOpen = (open: boolean) => {
    if (open === isOpen) return;
    visit.update({ isOpen: open });
    show(open);
    if (open) panel.focus();
    else launcher.root.focus();
  };

  chat.onChange((state) => {
    panel.update(state);
    showUnread(state);
    announce(state);
  });
  const updateUnread = () => showUnread(chat.state);
  visit.onOtherTab(updateUnread);
  document.addEventListener('visibilitychange', updateUnread, { signal: disposal.signal });
  projectLook.follow((look) => showLook(look, settings, { host, launcher, styles, panel }));
  panel.update(chat.state);
  showUnread(chat.state);
  root.append(panel.root, launcher.root, region);
  const removeFromPage = keepOnPage(host, root, panel.restoreScroll);
  if (visit.read().isOpen && !isSmallScreen()) show(true);
  return {
    open: () => setOpen(true),
    close: () => setOpen(false),
    openPreview: () => show(true, true),
    dispose() {
      disposal.abort();
      removeFromPage();
    },
  };
}

function showLook(
  ofProject: Look | null,
  settings: Settings,
  parts: {
    readonly host: HTMLElement;
    readonly launcher: ReturnType<typeof launcherView>;
    readonly styles: ReturnType<typeof createStyleSheets>;
    readonly panel: PanelView;
  },
): void {
  const look = mergeLooks(settings.look, ofProject ?? plainLook);
  parts.launcher.root.hidden = ofProject === null;
  parts.styles.setLook(look);
  parts.panel.setLook(look);
  setAttribute(parts.host, 'data-left', look.position === 'LEFT');
}

/** The button that opens and closes the chat, with the number of unseen messages. */
function launcherView(texts: Settings['texts'], toggle: () => void) {
  const badge = element('span', { class: 'badge', hidden: true });
  const root = button({ class: 'launcher' }, toggle, icon('chat'), badge);
  return {
    root,
    update(isOpen: boolean, unread: number) {
      badge.textContent = String(unread);
      badge.hidden = unread === 0;
      const unreadText = unread === 0 ? '' : `, ${texts.newMessages(unread)}`;
      setAttribute(root, 'aria-label', isOpen ? texts.closeChat : texts.openChat + unreadText);
      setAttribute(root, 'aria-expanded', String(isOpen));
    },
  };
}
