import type { ChatItem, ChatState } from '../chat-state.ts';
import type { Look } from '../look.ts';
import type { Settings } from '../settings.ts';
import { element } from './dom.ts';
import { type MessageActions, messageView } from './message-view.ts';
import { welcomeView } from './welcome-view.ts';

export interface MessageListView {
  readonly root: HTMLElement;
  showLatest(): void;
  /** Scrolls to where the list was before it was removed from the page. */
  restoreScroll(): void;
  setLook(look: Look): void;
  update(state: ChatState): void;
}

/** If the visitor is this close to the end, in pixels, the list counts as not scrolled up. */
const endToleranceInPixels = 80;

/**
 * The list of messages. It scrolls to its end when a message is added, and when the list becomes smaller because a
 * status line or a question appears below it. It does not scroll if the visitor has scrolled up.
 */
export function messageListView(
  settings: Settings,
  actions: MessageActions & { ask(question: string): void },
): MessageListView {
  const { texts } = settings;
  const list = element('ul', { class: 'messages' });
  const welcome = welcomeView(settings, actions.ask);
  // This element is not in a live region: a screen reader would announce each pause of the agent.
  const typing = element('p', { class: 'typing', hidden: true }, texts.teamTyping);
  const root = element(
    'div',
    { class: 'log', role: 'region', 'aria-label': texts.conversation, tabindex: '0' },
    ...welcome.elements,
    list,
    typing,
  );
  let isAtEnd = true;
  let lastTop = 0;
  const showLatest = () => {
    isAtEnd = true;
    root.scrollTop = root.scrollHeight;
  };
  root.addEventListener(
    'scroll',
    () => {
      const { scrollHeight, scrollTop, clientHeight } = root;
      const isEnd = scrollHeight - scrollTop - clientHeight < endToleranceInPixels;
      // A smaller `scrollTop` means that the visitor has scrolled up. A list that only became smaller is not at its
      // end, either, but keeps its `scrollTop`.
      if (isEnd || scrollTop < lastTop) isAtEnd = isEnd;
      lastTop = scrollTop;
    },
    { passive: true },
  );
  new ResizeObserver(() => {
    if (isAtEnd) showLatest();
  }).observe(root);
  const shown = new Map<number, { item: ChatItem; view: HTMLElement }>();
  return {
    root,
    showLatest,
    restoreScroll() {
      if (isAtEnd) showLatest();
      else root.scrollTop = lastTop;
    },
    setLook: welcome.setLook,
    update(state) {
      const { items, isTeamTyping } = state;
      welcome.update(state);
      const isLonger = items.length > shown.size;
      const views = items.map((item) => {
        const previous = shown.get(item.key);
        if (previous !== undefined && isUnchanged(previous.item, item)) {
          previous.item = item;
          return previous.view;
        }
        const view = messageView(item, texts, actions);
        if (previous !== undefined) replaceKeepingFocus(previous.view, view);
        shown.set(item.key, { item, view });
        return view;
      });
      const keys = new Set(items.map(({ key }) => key));
      for (const [key, { view }] of shown) {
        if (keys.has(key)) continue;
        view.remove();
        shown.delete(key);
      }
      // Move only elements at the wrong position, because an element that is moved loses the focus.
      views.forEach((view, index) => {
        if (list.children[index] !== view) list.insertBefore(view, list.children[index] ?? null);
      });
      typing.hidden = !isTeamTyping;
      if (isAtEnd || isLonger) showLatest();
    },
  };
}

/** Returns whether both items look the same. Their position and id may differ. */
function isUnchanged(a: ChatItem, b: ChatItem): boolean {
  return (
    a.state === b.state &&
    a.content === b.content &&
    a.role === b.role &&
    a.rating === b.rating &&
    a.failure === b.failure &&
    (a.id === null) === (b.id === null) &&
    a.citations.length === b.citations.length
  );
}

/**
 * Replaces the element of a message. If a button in the old element had the focus, the button at the same index in the
 * new element gets the focus.
 */
function replaceKeepingFocus(old: HTMLElement, view: HTMLElement): void {
  const root = old.getRootNode();
  const focused = root instanceof ShadowRoot ? root.activeElement : null;
  const index =
    focused === null
      ? -1
      : [...old.querySelectorAll('button')].indexOf(focused as HTMLButtonElement);
  old.replaceWith(view);
  view.querySelectorAll('button')[index]?.focus();
}
