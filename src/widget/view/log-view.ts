import type { ChatState, Item } from '../chat.ts';
import type { Settings } from '../settings.ts';
import { element, pageLanguage } from './element.ts';
import { type MessageActions, messageView } from './message-view.ts';

export interface LogView {
  readonly root: HTMLElement;
  update(state: ChatState): void;
}

/** The conversation, which follows its end as long as the visitor has not scrolled up. */
export function logView({ greeting, texts }: Settings, actions: MessageActions): LogView {
  const list = element('ul', { class: 'messages' });
  const welcome = element(
    'p',
    { class: 'greeting', dir: 'auto', lang: greeting !== texts.greeting && pageLanguage() },
    greeting,
  );
  const root = element(
    'div',
    { class: 'log', role: 'region', 'aria-label': texts.conversation, tabindex: '0' },
    welcome,
    list,
  );
  const shown = new Map<number, { item: Item; view: HTMLElement }>();
  return {
    root,
    update({ items }) {
      const isAtEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 80;
      const isLonger = items.length > shown.size;
      const views = items.map((item) => {
        const known = shown.get(item.key);
        if (known !== undefined && isSame(known.item, item)) {
          known.item = item;
          return known.view;
        }
        const view = messageView(item, texts, actions);
        if (known !== undefined) replaceKeepingFocus(known.view, view);
        shown.set(item.key, { item, view });
        return view;
      });
      const keys = new Set(items.map(({ key }) => key));
      for (const [key, { view }] of shown) {
        if (keys.has(key)) continue;
        view.remove();
        shown.delete(key);
      }
      // What stands at its place is left there, or it would lose the focus.
      views.forEach((view, index) => {
        if (list.children[index] !== view) list.insertBefore(view, list.children[index] ?? null);
      });
      if (isAtEnd || isLonger) root.scrollTop = root.scrollHeight;
    },
  };
}

/** Nothing that is shown has changed; the service may have told a place, or a name. */
function isSame(a: Item, b: Item): boolean {
  return (
    a.state === b.state &&
    a.content === b.content &&
    a.role === b.role &&
    a.rating === b.rating &&
    a.failure === b.failure &&
    (a.id === null) === (b.id === null) &&
    a.citations.length === b.citations.length
  );
}

/** Of the same message: its button at the same place has the focus then. */
function replaceKeepingFocus(old: HTMLElement, view: HTMLElement): void {
  const root = old.getRootNode();
  const focused = root instanceof ShadowRoot ? root.activeElement : null;
  const index =
    focused === null
      ? -1
      : [...old.querySelectorAll('button')].indexOf(focused as HTMLButtonElement);
  old.replaceWith(view);
  view.querySelectorAll('button')[index]?.focus();
}
