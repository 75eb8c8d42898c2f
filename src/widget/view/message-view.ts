import type { Citation, Rating } from '../api.ts';
import type { Item } from '../chat.ts';
import type { Texts } from '../texts/texts.ts';
import { button, element, icon, pageLanguage } from './element.ts';
import { richText } from './rich-text.ts';

export interface MessageActions {
  retry(item: Item): void;
  rate(item: Item, rating: Rating): void;
}

const speakers = {
  USER: 'you',
  ASSISTANT: 'assistant',
  AGENT: 'team',
  SYSTEM: 'notice',
} as const;

/** One thing that was said, anew each time that it has changed. */
export function messageView(item: Item, texts: Texts, actions: MessageActions): HTMLElement {
  const { role, state, content, failure } = item;
  const name = element(
    'span',
    { class: role === 'AGENT' ? 'speaker' : 'hidden' },
    texts[speakers[role]],
  );
  const view = element('li', { class: `message ${role.toLowerCase()}` }, name);
  if (content !== '') view.append(...said(item, texts));
  else if (state === 'done') view.append(element('p', { class: 'hint' }, texts.stopped));
  if (state === 'waiting' && role !== 'USER') view.append(dots(texts));
  if (failure !== null) {
    const again =
      role === 'USER' ? button({ class: 'link' }, () => actions.retry(item), texts.tryAgain) : null;
    view.append(element('p', { class: 'failure' }, texts[failure], again && ' ', again));
  }
  if (role === 'ASSISTANT' && state === 'done' && item.id !== null && item.citations.length > 0) {
    view.append(ratingView(item, texts, actions));
  }
  return view;
}

function dots({ looking }: Texts): HTMLElement {
  const dot = () => element('i');
  return element(
    'span',
    { class: 'dots', role: 'img', 'aria-label': looking },
    dot(),
    dot(),
    dot(),
  );
}

/** The text and, once it is whole, its sources, to which the markers in it lead. */
function said({ role, state, content, citations }: Item, texts: Texts): HTMLElement[] {
  const text = element('div', { class: 'bubble', dir: 'auto', lang: pageLanguage() });
  if (state !== 'done' || role === 'USER') {
    text.append(content);
    return [text];
  }
  const sources = new Map(citations.map((citation) => [citation.number, sourceView(citation)]));
  text.append(...richText(content, (number) => markerView(number, sources.get(number), texts)));
  if (sources.size === 0) return [text];
  return [
    text,
    element('ul', { class: 'sources', 'aria-label': texts.sources }, ...sources.values()),
  ];
}

function sourceView({ number, documentName, quote }: Citation): HTMLElement {
  const name = [
    element('span', { class: 'number' }, String(number)),
    element('bdi', {}, documentName),
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
    ),
  );
}

function markerView(number: number, source: HTMLElement | undefined, texts: Texts): Node | null {
  if (source === undefined) return null;
  const open = () => {
    const details = source.querySelector('details');
    if (details !== null) details.open = true;
    source.scrollIntoView({ block: 'nearest' });
    source.querySelector('summary')?.focus();
  };
  return button({ class: 'marker', 'aria-label': texts.source(number) }, open, String(number));
}

function ratingView(item: Item, texts: Texts, { rate }: MessageActions): HTMLElement {
  const choice = (rating: Rating, label: string, picture: 'up' | 'down') =>
    button(
      {
        class: 'icon small',
        'aria-label': label,
        title: label,
        'aria-pressed': String(item.rating === rating),
      },
      () => rate(item, rating),
      icon(picture),
    );
  return element(
    'div',
    { class: 'rating', role: 'group', 'aria-label': texts.didItHelp },
    choice('UP', texts.helpful, 'up'),
    choice('DOWN', texts.notHelpful, 'down'),
  );
}
