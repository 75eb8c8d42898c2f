import type { Chat } from '../chat.ts';
import type { ChatState } from '../chat-state.ts';
import type { Look } from '../look.ts';
import type { Settings } from '../settings.ts';
import { isOutOfHours } from '../team-hours.ts';
import { conversationListView } from './conversation-list-view.ts';
import { element, isSmallScreen } from './dom.ts';
import { handoffForm } from './handoff-form.ts';
import { messageListView } from './message-list-view.ts';
import { panelHeader } from './panel-header.ts';
import { talkView } from './talk-view.ts';

export interface PanelView {
  readonly root: HTMLElement;
  focus(): void;
  /** Scrolls to the newest message. */
  showLatest(): void;
  /** Scrolls to where the messages were before the panel was removed from the page. */
  restoreScroll(): void;
  setLook(look: Look): void;
  update(state: ChatState): void;
  /** Marks the conversations that have unseen messages of the team. The button of their list shows the sum. */
  showUnread(counts: ReadonlyMap<string, number>, sum: number): void;
}

/** The panel with the messages, the composer and the handoff form. */
export function panelView(chat: Chat, settings: Settings, close: () => void): PanelView {
  const header = panelHeader(settings, {
    toggleList: () => setListShown(list.root.hidden !== false),
    startNewConversation() {
      closeList(talk);
      chat.startNewConversation();
    },
    close,
  });
  const log = messageListView(settings, {
    ask(question) {
      void chat.send(question);
      talk.focus();
    },
    retry(item) {
      chat.retry(item);
      talk.focus();
    },
    rate: (item, rating) => void chat.rate(item, rating),
  });
  const list = conversationListView(settings.texts, {
    list: chat.listConversations,
    select(id) {
      closeList(talk);
      void chat.openConversation(id).catch(chat.startNewConversation);
    },
    close: () => closeList(header.listButton),
  });
  const talk = talkView(chat, settings, () => setFormShown(true));
  const form = handoffForm(settings, {
    request: chat.requestHandoff,
    close: (isDone) => closeForm(isDone ? talk : talk.handoffButton),
  });
  const root = element(
    'section',
    {
      class: 'panel',
      role: 'dialog',
      'aria-labelledby': 'title',
      'aria-describedby': 'ai',
      hidden: true,
    },
    ...[header.root, log.root, list.root, talk.root, form.root],
  );
  const setListShown = (isShown: boolean) => {
    list.root.hidden = !isShown;
    log.root.hidden = isShown;
    talk.root.hidden = isShown || !form.root.hidden;
    header.setListShown(isShown);
    if (isShown) void list.open();
    else log.showLatest();
  };
  const setFormShown = (isShown: boolean) => {
    form.root.hidden = !isShown;
    talk.root.hidden = isShown;
    header.update(chat.state, isShown);
    log.showLatest();
    if (isShown) form.open(handoffNotice(chat.state, settings.texts));
  };
  const closeList = (focusTarget: { focus(): void }) => {
    setListShown(false);
    focusTarget.focus();
  };
  const closeForm = (focusTarget: { focus(): void }) => {
    setFormShown(false);
    focusTarget.focus();
  };
  handlePanelKeys(root, () => {
    if (!list.root.hidden) closeList(header.listButton);
    else if (form.root.hidden) close();
    else closeForm(talk.handoffButton);
  });
  return {
    root,
    showLatest: log.showLatest,
    restoreScroll: log.restoreScroll,
    focus: () => (matchMedia('(pointer: coarse)').matches ? header.closeButton : talk).focus(),
    setLook(look) {
      header.setLook(look);
      log.setLook(look);
    },
    update(state) {
      log.update(state);
      // The form belongs to a conversation. Close the form if another tab has left that conversation.
      if (state.status === null && !form.root.hidden) setFormShown(false);
      talk.update(state);
      header.update(state, !form.root.hidden);
    },
    showUnread(counts, sum) {
      list.showUnread(counts);
      header.showUnread(sum);
    },
  };
}

/**
 * Returns the notice that the team is out of hours, which a visitor must know before the request. Otherwise returns an
 * empty text.
 */
function handoffNotice({ teamHours }: ChatState, texts: Settings['texts']): string {
  return isOutOfHours(teamHours, new Date()) ? (teamHours?.outOfHoursText ?? texts.outOfHours) : '';
}

/** Handles Escape, which then does nothing on the page around the panel, and Tab. */
function handlePanelKeys(root: HTMLElement, onEscape: () => void): void {
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') trapFocus(root, event);
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onEscape();
  });
}

/** Keeps the focus in the panel on small screens, where the panel covers the page. */
function trapFocus(root: HTMLElement, event: KeyboardEvent): void {
  if (!isSmallScreen()) return;
  const focusable = [
    ...root.querySelectorAll<HTMLElement>('button, textarea, input, summary, a, [tabindex]'),
  ].filter((candidate) => candidate.checkVisibility() && !candidate.hasAttribute('disabled'));
  const active = (root.getRootNode() as ShadowRoot).activeElement;
  const [edge, next] = event.shiftKey
    ? [focusable.at(0), focusable.at(-1)]
    : [focusable.at(-1), focusable.at(0)];
  if (active !== edge) return;
  event.preventDefault();
  next?.focus();
}
