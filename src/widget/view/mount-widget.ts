import type { Chat, ChatState } from '../chat.ts';
import type { Settings } from '../settings.ts';
import { announcer } from './announcer.ts';
import { button, element, icon, setAttribute } from './element.ts';
import { panelView } from './panel-view.ts';
import { styleSheets } from './styles.ts';

export interface MountedWidget {
  open(): void;
  close(): void;
}

/** Puts the button and the chat on the page, in a shadow root: neither's styles reach the other. */
export function mountWidget(chat: Chat, settings: Settings): MountedWidget {
  const { texts } = settings;
  const host = element('div', { 'data-grounded-chat': true, lang: texts.language });
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = styleSheets(settings);

  const badge = element('span', { class: 'badge', hidden: true });
  const launcher = button({ class: 'launcher' }, () => toggle(), icon('chat'), badge);
  const panel = panelView(chat, settings, () => setOpen(false));
  const { region, announce } = announcer(settings.texts);
  let isOpen = false;
  let seen = 0;

  const showUnread = ({ items }: ChatState) => {
    const said = items.filter(({ role, state }) => role === 'AGENT' && state === 'done').length;
    if (isOpen) seen = said;
    const unread = Math.max(0, said - seen);
    badge.textContent = String(unread);
    badge.hidden = unread === 0;
    const news = unread === 0 ? '' : `, ${texts.newMessages(unread)}`;
    setAttribute(launcher, 'aria-label', isOpen ? texts.closeChat : texts.openChat + news);
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
