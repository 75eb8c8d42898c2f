import type { ChatState } from '../chat.ts';
import { element } from './element.ts';

/**
 * Tells screen readers what is new, once it is whole: an answer that streams in would be read in pieces. What was there
 * when the page was loaded is not news.
 */
export function announcer(): { region: HTMLElement; announce(state: ChatState): void } {
  const region = element('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  const told = new Set<number>();
  let hasBegun = false;
  return {
    region,
    announce({ items, phase, isAnswering }) {
      const whole = items.filter(
        ({ role, state }) => role !== 'USER' && state !== 'waiting' && state !== 'streaming',
      );
      const news = whole.filter(({ key }) => !told.has(key));
      for (const { key } of news) told.add(key);
      // The first transcript is old; an answer that is waited for is not.
      const isNews = hasBegun || isAnswering;
      hasBegun ||= phase === 'ready';
      if (!isNews || news.length === 0) return;
      region.textContent = news
        .map(
          ({ role, content, failure }) =>
            (role === 'AGENT' ? 'Our team: ' : '') + (failure ?? plain(content)),
        )
        .join('. ');
    },
  };
}

/** Without the markers of sources. */
function plain(content: string): string {
  return content.replace(/\s?\[\d{1,3}\]/g, '');
}
