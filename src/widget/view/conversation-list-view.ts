import type { ConversationSummary } from '../api.ts';
import type { Texts } from '../texts/texts.ts';
import { button, element } from './dom.ts';

export interface ConversationListView {
  readonly root: HTMLElement;
  /** Loads and shows the list, and focuses it. */
  open(): Promise<void>;
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
  const itemOf = ({ id, title, lastMessageAt }: ConversationSummary) =>
    element(
      'li',
      {},
      button(
        { class: 'conversation' },
        () => select(id),
        element('bdi', {}, title),
        element('span', { class: 'hint' }, dates.format(new Date(lastMessageAt))),
      ),
    );
  return {
    root,
    async open() {
      items.replaceChildren();
      failure.textContent = '';
      heading.focus();
      try {
        items.replaceChildren(...(await list()).map(itemOf));
      } catch {
        failure.textContent = texts.conversationsFailed;
      }
    },
  };
}
