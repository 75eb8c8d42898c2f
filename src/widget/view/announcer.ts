import type { ChatState } from '../chat.ts';
import type { Texts } from '../texts/texts.ts';
import { element } from './element.ts';

/**
 * Tells screen readers what is new, once it is whole: an answer that streams in would be read in pieces. Of what the
 * visitor says, that it was not sent. What was there when the page was loaded is not news.
 */
export function announcer(texts: Texts): { region: HTMLElement; announce(state: ChatState): void } {
  const region = element('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  let told = new Set<number>();
  let hasBegun = false;
  return {
    region,
    announce({ items, phase }) {
      const whole = items.filter(
        ({ role, state }) => state === 'failed' || (state === 'done' && role !== 'USER'),
      );
      const news = whole.filter(({ key }) => !told.has(key));
      told = new Set(whole.map(({ key }) => key));
      // The first transcript comes before the chat is ready.
      const isNews = hasBegun || phase !== 'starting';
      hasBegun ||= phase === 'ready';
      if (!isNews || news.length === 0) return;
      region.textContent = news
        .map(
          ({ role, content, failure }) =>
            (role === 'AGENT' ? `${texts.team}: ` : '') +
            (failure === null ? plain(content) || texts.stopped : texts[failure]),
        )
        .join('. ');
    },
  };
}

/** Without the markers of sources. */
function plain(content: string): string {
  return content.replace(/\s?\[\d{1,3}\]/g, '');
}
