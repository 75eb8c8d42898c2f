type Child = Node | string | null;

/** Creates an element. Strings become text nodes, never markup. Attributes with the value false are omitted. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(node, attribute, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

export function setAttribute(element: Element, name: string, value: string | boolean): void {
  if (value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : value);
}

/** Returns the language of the host page, for texts that visitors, agents and the assistant write. */
export function pageLanguage(): string {
  return document.documentElement.lang;
}

/** Shows a text, which is in the language of the host page, or else the default, which is in that of the widget. */
export function setTextOfPage(node: HTMLElement, text: string | null, byDefault: string): void {
  const shown = text ?? byDefault;
  if (node.textContent !== shown) node.textContent = shown;
  setAttribute(node, 'lang', text !== null && pageLanguage());
}

/** Returns whether the chat covers the page. Must use the same limit as the styles. */
export function isSmallScreen(): boolean {
  return matchMedia('(max-width: 480px)').matches;
}

/** Creates a button that does not submit a form. */
export function button(
  attributes: Readonly<Record<string, string | boolean>>,
  onClick: (event: MouseEvent) => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const node = element('button', { type: 'button', ...attributes }, ...children);
  node.addEventListener('click', onClick);
  return node;
}

/** Creates a button that shows only an icon. */
export function iconButton(
  label: string,
  name: keyof typeof iconPaths,
  onClick: () => void,
): HTMLButtonElement {
  return button({ class: 'icon', 'aria-label': label, title: label }, onClick, icon(name));
}

/** Creates a form field. `below` is shown below the input. */
export function field(label: string, input: HTMLElement, below: Child = null): HTMLElement {
  const labelElement = element('label', { for: input.id }, label);
  return element('div', { class: 'field' }, labelElement, input, below);
}

const iconPaths = {
  chat: 'M4 5.5A1.5 1.5 0 0 1 5.5 4h13A1.5 1.5 0 0 1 20 5.5v9a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 4v-4h-1A1.5 1.5 0 0 1 4 14.5z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M5 12h13M12.5 6l6 6-6 6',
  stop: 'M7 7h10v10H7z',
  plus: 'M12 6v12M6 12h12',
  list: 'M5 7h14M5 12h14M5 17h9',
  up: 'M8 11v8H5v-8zM8 11l4-7c1.4 0 2.2 1 2 2.4L13.5 10H18a1.5 1.5 0 0 1 1.5 1.8l-1.1 5.7A1.9 1.9 0 0 1 16.5 19H8',
  down: 'M16 13V5h3v8zM16 13l-4 7c-1.4 0-2.2-1-2-2.4l.5-3.600H6a1.5 1.5 0 0 1-1.5-1.8l1.1-5.7A1.9 1.9 0 0 1 7.5 5H16',
} as const;

/** Creates an icon that is hidden from screen readers. The element around it needs a text or a label. */
export function icon(name: keyof typeof iconPaths): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  setAttribute(svg, 'viewBox', '0 0 24 24');
  setAttribute(svg, 'aria-hidden', 'true');
  setAttribute(path, 'd', iconPaths[name]);
  svg.append(path);
  return svg;
}
