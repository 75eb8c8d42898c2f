import type { Chat } from '../chat.ts';
import type { ChatState } from '../chat-state.ts';
import type { Settings } from '../settings.ts';
import { createAnnouncer } from './announcer.ts';
import { button, element, icon, setAttribute } from './dom.ts';
import { panelView } from './panel-view.ts';
import { createStyleSheets } from './styles.ts';

export interface MountedWidget {
  open(): void;
  close(): void;
}

/** Adds the launcher and the chat to the page. A shadow root isolates their styles from those of the page. */
export function mountWidget(chat: Chat, settings: Settings): MountedWidget {
  const { texts } = settings;
  const host = element('div', { 'data-grounded-chat': true, lang: texts.language });
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = createStyleSheets(settings);

  const badge = element('span', { class: 'badge', hidden: true });
  const launcher = button({ class: 'launcher' }, () => toggle(), icon('chat'), badge);
  const panel = panelView(chat, settings, () => setOpen(false));
  const { region, announce } = createAnnouncer(settings.texts);
  let isOpen = false;
  let seenCount = 0;

  const showUnread = ({ items }: ChatState) => {
    const agentMessageCount = items.filter(
      ({ role, state }) => role === 'AGENT' && state === 'done',
    ).length;
    if (isOpen) seenCount = agentMessageCount;
    const unread = Math.max(0, agentMessageCount - seenCount);
    badge.textContent = String(unread);
    badge.hidden = unread === 0;
    const unreadText = unread === 0 ? '' : `, ${texts.newMessages(unread)}`;
    setAttribute(launcher, 'aria-label', isOpen ? texts.closeChat : texts.openChat + unreadText);
    setAttribute(launcher, 'aria-expanded', String(isOpen));
  };
  const setOpen = (open: boolean) => {
    if (open === isOpen) return;
    isOpen = open;
    panel.root.hidden = !open;
    setAttribute(host, 'data-open', open);
    showUnread(chat.state);
    if (!open) return launcher.focus();
    void chat.start();
    panel.focus();
  };
  const toggle = () => setOpen(!isOpen);

  chat.onChange((state) => {
    panel.update(state);
    showUnread(state);
    announce(state);
  });
  panel.update(chat.state);
  showUnread(chat.state);
  root.append(panel.root, launcher, region);
  document.body.append(host);
  return { open: () => setOpen(true), close: () => setOpen(false) };
}
