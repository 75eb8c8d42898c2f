import type { ConversationSummary } from '../api.ts';
import type { Texts } from '../texts/language-texts.ts';
import { button, element } from './dom.ts';

export interface ConversationListView {
  readonly root: HTMLElement;
  /** Shows the list, loads it, and gives it the focus. */
  open(): Promise<void>;
  /** Marks the conversations that have unseen messages of the team. */
  showUnread(counts: ReadonlyMap<string, number>): void;
}

/** The list of the visitor's conversations. It covers the messages while it is open. */
export function conversationListView(
  texts: Texts,
  {
    list,
    select,
    close,
  }: {
    list(): Promise<readonly ConversationSummary[]>;
    select(id: string): void;
    close(): void;
  },
): ConversationListView {
  const heading = element(
    'h2',
    { id: 'conversations-title', tabindex: '-1' },
    texts.yourConversations,
  );
  const items = element('ul', { 'aria-labelledby': 'conversations-title' });
  const failure = element('p', { class: 'failure', role: 'alert' });
  const root = element(
    'div',
    { class: 'log conversations', hidden: true },
    heading,
    failure,
    items,
    button({ class: 'link' }, close, texts.back),
  );
  const dates = new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium' });
  let unread: ReadonlyMap<string, number> = new Map();
  const marks = new Map<string, HTMLElement>();
  const showMarks = () => {
    for (const [id, mark] of marks) {
      const count = unread.get(id) ?? 0;
      mark.textContent = count === 0 ? '' : texts.newMessages(count);
    }
  };
  const itemOf = ({ id, title, lastMessageAt }: ConversationSummary) => {
    const mark = element('span', { class: 'new' });
    marks.set(id, mark);
    return element(
      'li',
      {},
      button(
        { class: 'conversation' },
        () => select(id),
        element('bdi', {}, title),
        element('span', { class: 'hint' }, dates.format(new Date(lastMessageAt))),
        mark,
      ),
    );
  };
  return {
    root,
    async open() {
      items.replaceChildren();
      marks.clear();
      failure.textContent = '';
      heading.focus();
      try {
        items.replaceChildren(...(await list()).map(itemOf));
        showMarks();
      } catch {
        failure.textContent = texts.conversationsFailed;
      }
    },
    showUnread(counts) {
      unread = counts;
      showMarks();
    },
  };
}
