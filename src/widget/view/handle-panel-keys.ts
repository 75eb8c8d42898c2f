import { isSmallScreen } from './dom.ts';

/** Handles Escape, which then does nothing on the page around the panel, and Tab. */
export function handlePanelKeys(root: HTMLElement, onEscape: () => void): void {
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') trapFocus(root, event);
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onEscape();
  });
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
