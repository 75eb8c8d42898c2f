import type { ChatState } from '../chat-state.ts';
import type { Look } from '../look.ts';
import { otherConversations } from '../other-conversations.ts';
import type { Settings } from '../settings.ts';
import { button, element, icon, iconButton, setAttribute, setTextOfPage } from './dom.ts';

/** The logo and the title of the panel, with the buttons for conversations and the close button. */
export function panelHeader(
  { texts, user }: Settings,
  actions: { toggleList(): void; startNewConversation(): void; close(): void },
) {
  const heading = element('h1', { id: 'title', dir: 'auto' });
  let logo: HTMLElement | null = null;
  const unreadBadge = element('span', { class: 'badge', hidden: true });
  const listButton = button(
    { class: 'icon', title: texts.yourConversations, 'aria-expanded': 'false' },
    actions.toggleList,
    icon('list'),
    unreadBadge,
  );
  const newConversationButton = iconButton(
    texts.newConversation,
    'plus',
    actions.startNewConversation,
  );
  const closeButton = iconButton(texts.close, 'close', actions.close);
  return {
    root: element(
      'div',
      { class: 'header' },
      ...[heading, listButton, newConversationButton, closeButton],
    ),
    listButton,
    closeButton,
    setLook({ title, logoUrl }: Look) {
      setTextOfPage(heading, title, texts.title);
      if (logoUrl === (logo?.getAttribute('src') ?? null)) return;
      logo?.remove();
      logo = logoUrl === null ? null : logoView(logoUrl);
      if (logo !== null) heading.before(logo);
    },
    // Hide the buttons while the handoff form is open, because the form belongs to the current conversation.
    update(state: ChatState, isFormShown: boolean) {
      const { items, answeringKey } = state;
      const isBusy = answeringKey !== null || isFormShown;
      const hasList = user !== null || otherConversations(state).length > 0;
      newConversationButton.hidden = items.length === 0 || isBusy;
      listButton.hidden = !hasList || isBusy;
    },
    setListShown: (isShown: boolean) => setAttribute(listButton, 'aria-expanded', String(isShown)),
    /** Shows the number of unseen messages on the button of the list. */
    showUnread(count: number) {
      unreadBadge.textContent = String(count);
      unreadBadge.hidden = count === 0;
      const unread = count === 0 ? '' : `, ${texts.newMessages(count)}`;
      setAttribute(listButton, 'aria-label', texts.yourConversations + unread);
    },
  };
}

/**
 * The logo. The browser loads it when the panel opens, and does not send the address of the page. The logo is hidden if
 * it cannot be loaded.
 */
function logoView(src: string): HTMLElement {
  const root = element('img', {
    class: 'logo',
    alt: '',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    src,
  });
  root.addEventListener('error', () => {
    root.hidden = true;
  });
  return root;
}
