import type { Chat } from '../chat.ts';
import { type ChatState, stoppableMessageId } from '../chat-state.ts';
import { otherConversations } from '../other-conversations.ts';
import type { Settings } from '../settings.ts';
import { isOutOfHours } from '../team-hours.ts';
import { composerView } from './composer-view.ts';
import { conversationListView } from './conversation-list-view.ts';
import { button, element, icon, isSmallScreen, pageLanguage, setAttribute } from './dom.ts';
import { handoffForm } from './handoff-form.ts';
import { messageListView } from './message-list-view.ts';
import { satisfactionView } from './satisfaction-view.ts';

export interface PanelView {
  readonly root: HTMLElement;
  focus(): void;
  /** Scrolls to the newest message. */
  showLatest(): void;
  /** Scrolls to where the messages were before the panel was removed from the page. */
  restoreScroll(): void;
  update(state: ChatState): void;
  /** Marks the conversations that have unseen messages of the team. The button of their list shows the sum. */
  showUnread(counts: ReadonlyMap<string, number>, sum: number): void;
}

/** The panel with the messages, the composer and the handoff form. */
export function panelView(chat: Chat, settings: Settings, close: () => void): PanelView {
  const { title, texts, user } = settings;
  const log = messageListView(settings, {
    retry(item) {
      chat.retry(item);
      composer.focus();
    },
    rate: (item, rating) => void chat.rate(item, rating),
  });
  const composer = composerView(texts, {
    send: (message) => void chat.send(message),
    stop: chat.stop,
    onInput: settings.signalsTyping ? chat.onInput : () => {},
  });
  const newConversationButton = button(
    { class: 'icon', 'aria-label': texts.newConversation, title: texts.newConversation },
    () => {
      setListShown(false);
      chat.startNewConversation();
      composer.focus();
    },
    icon('plus'),
  );
  const conversations = conversationListView(texts, {
    list: chat.listConversations,
    select(id) {
      setListShown(false);
      void chat.openConversation(id).catch(chat.startNewConversation);
      composer.focus();
    },
    close() {
      setListShown(false);
      conversationsButton.focus();
    },
  });
  const unreadBadge = element('span', { class: 'badge', hidden: true });
  const conversationsButton = button(
    { class: 'icon', title: texts.yourConversations },
    () => {
      setListShown(conversations.root.hidden !== false);
      if (!conversations.root.hidden) void conversations.open();
    },
    icon('list'),
    unreadBadge,
  );
  const setListShown = (isShown: boolean) => {
    conversations.root.hidden = !isShown;
    log.root.hidden = isShown;
    footer.hidden = isShown || !form.root.hidden;
    setAttribute(conversationsButton, 'aria-expanded', String(isShown));
    if (!isShown) log.showLatest();
  };
  const closeButton = button(
    { class: 'icon', 'aria-label': texts.close, title: texts.close },
    close,
    icon('close'),
  );
  const handoffButton = button({ class: 'human' }, () => setFormShown(true), texts.talkToHuman);
  const status = element('p', { class: 'status', role: 'status', dir: 'auto' });
  const tryAgain = async () => {
    await chat.start();
    (composer.root.hidden ? retryButton : composer).focus();
  };
  const retryButton = button({ class: 'link' }, () => void tryAgain(), texts.tryAgain);
  let shownText = '';
  const satisfaction = satisfactionView(texts, {
    rate: chat.rateHandoff,
    dismiss() {
      chat.dismissSatisfaction();
      composer.focus();
    },
  });
  const footer = element(
    'div',
    { class: 'talk' },
    satisfaction.root,
    status,
    handoffButton,
    composer.root,
  );
  const form = handoffForm(settings, {
    request: chat.requestHandoff,
    close(isDone) {
      setFormShown(false);
      if (isDone) composer.focus();
      else handoffButton.focus();
    },
  });
  const setFormShown = (isShown: boolean) => {
    form.root.hidden = !isShown;
    footer.hidden = isShown;
    updateConversationButtons(chat.state);
    log.showLatest();
    if (isShown) form.open(handoffNotice(chat.state, texts));
  };
  // Hide the buttons while the handoff form is open, because the form belongs to the current conversation.
  const updateConversationButtons = (state: ChatState) => {
    const { items, answeringKey } = state;
    const hasList = user !== null || otherConversations(state).length > 0;
    newConversationButton.hidden = items.length === 0 || answeringKey !== null || !form.root.hidden;
    conversationsButton.hidden = !hasList || answeringKey !== null || !form.root.hidden;
    setAttribute(conversationsButton, 'aria-expanded', String(!conversations.root.hidden));
  };
  const heading = element(
    'h1',
    { id: 'title', dir: 'auto', lang: title !== texts.title && pageLanguage() },
    title,
  );
  const root = element(
    'section',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    element('header', {}, heading, conversationsButton, newConversationButton, closeButton),
    log.root,
    conversations.root,
    footer,
    form.root,
  );
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (!conversations.root.hidden) {
        setListShown(false);
        conversationsButton.focus();
      } else if (form.root.hidden) close();
      else {
        setFormShown(false);
        handoffButton.focus();
      }
    } else if (event.key === 'Tab') trapFocus(root, event);
  });
  return {
    root,
    showLatest: log.showLatest,
    restoreScroll: log.restoreScroll,
    focus: () => (matchMedia('(pointer: coarse)').matches ? closeButton : composer).focus(),
    update(state) {
      log.update(state);
      // The form belongs to a conversation. Close the form if another tab has left that conversation.
      if (state.status === null && !form.root.hidden) setFormShown(false);
      const canTalk = state.phase === 'ready' || state.phase === 'starting';
      composer.update({
        isBusy: state.answeringKey !== null,
        canStop: stoppableMessageId(state) !== null,
      });
      composer.root.hidden = !canTalk && state.phase !== 'new';
      const text = statusText(state, settings);
      if (text !== shownText) {
        status.replaceChildren(text, ...(state.phase === 'offline' ? [' ', retryButton] : []));
        shownText = text;
      }
      const isWithAssistant = state.status === 'OPEN' || state.status === 'RESOLVED';
      handoffButton.hidden = !isWithAssistant || !canTalk;
      handoffButton.classList.toggle('urged', isUnanswered(state));
      satisfaction.update(state.satisfaction);
      updateConversationButtons(state);
    },
    showUnread(counts, sum) {
      conversations.showUnread(counts);
      unreadBadge.textContent = String(sum);
      unreadBadge.hidden = sum === 0;
      const unread = sum === 0 ? '' : `, ${texts.newMessages(sum)}`;
      setAttribute(conversationsButton, 'aria-label', texts.yourConversations + unread);
    },
  };
}

function statusText(
  { phase, status, outOfHoursText, teamHours }: ChatState,
  { texts, user }: Settings,
): string {
  const hasOwnText = teamHours?.outOfHoursText !== null;
  if (phase === 'refused') return texts.refused;
  if (phase === 'unverified') return user === null ? texts.signIn : texts.refused;
  if (phase === 'offline') return texts.offline;
  if (status === 'HANDOFF_REQUESTED') {
    if (outOfHoursText === null) return texts.teamNotified;
    return hasOwnText ? outOfHoursText : texts.outOfHours;
  }
  if (status === 'RESOLVED') return texts.resolved;
  return status === 'HUMAN' ? texts.withTeam : '';
}

/**
 * Returns the notice that the team is out of hours, which a visitor must know before the request. Otherwise returns an
 * empty text.
 */
function handoffNotice({ teamHours }: ChatState, texts: Settings['texts']): string {
  return isOutOfHours(teamHours, new Date()) ? (teamHours?.outOfHoursText ?? texts.outOfHours) : '';
}

/** Returns whether the last answer failed or cites no source. */
function isUnanswered({ items, status }: ChatState): boolean {
  const last = items.at(-1);
  if (last?.role !== 'ASSISTANT' || status === 'RESOLVED') return false;
  return last.state === 'failed' || (last.state === 'done' && last.citations.length === 0);
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
