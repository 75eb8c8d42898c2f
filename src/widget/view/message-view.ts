import type { Citation, Rating } from '../api.ts';
import type { ChatItem } from '../chat-state.ts';
import type { Texts } from '../texts/language-texts.ts';
import { button, element, icon, pageLanguage } from './dom.ts';
import { link, richText } from './rich-text.ts';

export interface MessageActions {
  retry(item: ChatItem): void;
  rate(item: ChatItem, rating: Rating): void;
}

const speakerTextKeys = {
  USER: 'you',
  ASSISTANT: 'assistant',
  AGENT: 'team',
  SYSTEM: 'notice',
} as const;

/** Creates the list item of a message. The item cannot be updated: if the message changes, create a new item. */
export function messageView(item: ChatItem, texts: Texts, actions: MessageActions): HTMLElement {
  const { role, authorName, state, content, failure } = item;
  const name = element(
    'span',
    { class: role === 'AGENT' || role === 'ASSISTANT' ? 'speaker' : 'hidden', dir: 'auto' },
    authorName ?? texts[speakerTextKeys[role]],
  );
  const view = element('li', { class: `message ${role.toLowerCase()}` }, name);
  if (content !== '') view.append(...messageBody(item, texts));
  else if (state === 'done') view.append(element('p', { class: 'hint' }, texts.stopped));
  if (state === 'waiting' && role !== 'USER') view.append(typingIndicator(texts));
  if (failure !== null) {
    const retryButton =
      role === 'USER' ? button({ class: 'link' }, () => actions.retry(item), texts.tryAgain) : null;
    view.append(
      element('p', { class: 'failure' }, texts[failure], retryButton && ' ', retryButton),
    );
  }
  if (role === 'ASSISTANT' && state === 'done' && item.id !== null && item.citations.length > 0) {
    view.append(ratingView(item, texts, actions));
  }
  return view;
}

function typingIndicator({ searching }: Texts): HTMLElement {
  const dot = () => element('i');
  return element(
    'span',
    { class: 'dots', role: 'img', 'aria-label': searching },
    dot(),
    dot(),
    dot(),
  );
}

/**
 * Creates the text of a message and, for a complete answer, the sources. A click on a citation marker in the text opens
 * its source.
 */
function messageBody({ role, state, content, citations }: ChatItem, texts: Texts): HTMLElement[] {
  const text = element('div', { class: 'bubble', dir: 'auto', lang: pageLanguage() });
  if (state !== 'done' || role === 'USER') {
    text.append(content);
    return [text];
  }
  const sources = new Map(citations.map((citation) => [citation.number, citationView(citation)]));
  text.append(
    ...richText(content, (number) => citationMarkerView(number, sources.get(number), texts)),
  );
  if (sources.size === 0) return [text];
  return [
    text,
    element('ul', { class: 'sources', 'aria-label': texts.sources }, ...sources.values()),
  ];
}

function citationView({ number, documentName, quote, sourceUrl }: Citation): HTMLElement {
  const address = sourceUrl ?? '';
  const name = [
    element('span', { class: 'number' }, String(number)),
    element('bdi', {}, (quote === null && link(address, documentName)) || documentName),
  ];
  if (quote === null) return element('li', { class: 'bare' }, ...name);
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element('summary', {}, ...name),
      element('blockquote', { dir: 'auto', lang: pageLanguage() }, quote),
      // This link is not in the summary: a control inside another control cannot be reached with the keyboard.
      link(address, address),
    ),
  );
}

function citationMarkerView(
  number: number,
  source: HTMLElement | undefined,
  texts: Texts,
): Node | null {
  if (source === undefined) return null;
  const open = () => {
    const details = source.querySelector('details');
    if (details !== null) details.open = true;
    source.scrollIntoView({ block: 'nearest' });
    source.querySelector('summary')?.focus();
  };
  return button({ class: 'marker', 'aria-label': texts.source(number) }, open, String(number));
}

function ratingView(item: ChatItem, texts: Texts, { rate }: MessageActions): HTMLElement {
  const ratingButton = (rating: Rating, label: string, iconName: 'up' | 'down') =>
    button(
      {
        class: 'icon small',
        'aria-label': label,
        title: label,
        'aria-pressed': String(item.rating === rating),
      },
      () => rate(item, rating),
      icon(iconName),
    );
  return element(
    'div',
    { class: 'rating', role: 'group', 'aria-label': texts.didItHelp },
    ratingButton('UP', texts.helpful, 'up'),
    ratingButton('DOWN', texts.notHelpful, 'down'),
  );
}
