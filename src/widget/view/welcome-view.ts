import type { ChatState } from '../chat-state.ts';
import { type Look, plainLook } from '../look.ts';
import type { Settings } from '../settings.ts';
import { button, element, pageLanguage, setTextOfPage } from './dom.ts';

/** The elements above the messages: the AI notice, the greeting and, before the first message, the starter questions. */
export function welcomeView({ texts }: Settings, ask: (question: string) => void) {
  const notice = element('p', { id: 'ai', class: 'ai', dir: 'auto' });
  const greeting = element('p', { class: 'greeting', dir: 'auto' });
  const starters = element('div', { class: 'starters' });
  let look = plainLook;
  let noticeOfVisit: string | null = null;
  const showNotice = () => {
    const own = look.aiNotice === undefined ? noticeOfVisit : look.aiNotice;
    setTextOfPage(notice, own, texts.aiNotice);
  };
  return {
    elements: [notice, greeting, starters],
    setLook(changed: Look) {
      look = changed;
      showNotice();
      setTextOfPage(greeting, look.greeting, texts.greeting);
      const questions = (look.starterQuestions ?? []).map((question) =>
        button({ dir: 'auto', lang: pageLanguage() }, () => ask(question), question),
      );
      starters.replaceChildren(...questions);
    },
    update({ items, phase, aiNotice }: ChatState) {
      noticeOfVisit = aiNotice;
      showNotice();
      starters.hidden = items.length > 0 || (phase !== 'new' && phase !== 'ready');
    },
  };
}
