import type { ChatState } from '../chat-state.ts';
import type { Texts } from '../texts/language-texts.ts';
import { element } from './dom.ts';

/**
 * Announces new messages to screen readers. An answer is announced when it is complete, because a screen reader would
 * read a streaming answer in fragments. The visitor's own messages are announced only if sending fails. Messages that
 * are older than the page, or that come from another tab's conversation, are not announced.
 */
export function createAnnouncer(texts: Texts): {
  region: HTMLElement;
  announce(state: ChatState): void;
  say(text: string): void;
} {
  const region = element('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  let announcedKeys = new Set<number>();
  let isStarted = false;
  const say = (text: string) => {
    region.textContent = text;
  };
  return {
    region,
    say,
    announce({ items, phase }) {
      const finished = items.filter(
        ({ role, state }) => state === 'failed' || (state === 'done' && role !== 'USER'),
      );
      const unannounced = finished.filter(({ key }) => !announcedKeys.has(key));
      const isLoaded = announcedKeys.size === 0 && finished.length > 1;
      announcedKeys = new Set(finished.map(({ key }) => key));
      // Skip the messages that appear during the first phase `starting`, which loads the stored conversation.
      const shouldAnnounce = isStarted || phase !== 'starting';
      isStarted ||= phase === 'ready';
      if (!shouldAnnounce || isLoaded || unannounced.length === 0) return;
      const spoken = unannounced.map(
        ({ role, authorName, content, failure }) =>
          (role === 'AGENT' ? `${authorName ?? texts.team}: ` : '') +
          (failure === null ? stripCitationMarkers(content) || texts.stopped : texts[failure]),
      );
      say(spoken.join('. '));
    },
  };
}

function stripCitationMarkers(content: string): string {
  return content.replace(/\s?\[\d{1,3}\]/g, '');
}
