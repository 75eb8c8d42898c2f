import { namesOf } from './html-names.ts';
import { countCharacters } from './html-text-lengths.ts';
import { findHtmlElements, type HtmlElement } from './html-tree.ts';
import { frameNames, isHidden, isOmitted } from './html-visibility.ts';
import { visibleText } from './html-visible-text.ts';

/**
 * Maximum number of passes over the tree. Several passes are needed for nested panels, and for panels that come before
 * their controls.
 */
const maxRounds = 4;
/** Maximum length of a tab's name, because each panel of the tab repeats the name. A longer text is not a name. */
const maxTabNameLength = 200;
/** Values of Bootstrap's `data-toggle` for menus, dialogs and tooltips. */
const popupToggles = /^(?:dropdown|modal|offcanvas|popover|tooltip)$/;

/**
 * Name of the tab for each panel, or '' if the control is not a tab. The key is the id of the panel, or is derived from
 * the id of the tab.
 */
type Panels = Map<string, string>;

/**
 * Makes panels visible that a reader can open: accordions, tabs, and the answers in a list of questions. A button with
 * a question becomes text. The panel of a tab gets the name of the tab as its first text. Menus, dialogs and panels
 * without a control stay hidden. Changes the tree.
 */
export function openPanels(root: HtmlElement): void {
  nameTabsByOrder(root);
  const panels: Panels = new Map();
  let known = -1;
  for (let round = 0; round < maxRounds && panels.size > known; round += 1) {
    known = panels.size;
    openChildren(root, panels);
  }
}

function openChildren(parent: HtmlElement, panels: Panels, isInDetails = false): void {
  let hasTerm = false;
  let isEmptyHeading = /^h[1-6]$/.test(parent.name) && visibleText(parent) === '';
  parent.children.forEach((child, index) => {
    if (typeof child === 'string' || frameNames.has(child.name)) return;
    addPanels(child, panels);
    const isAnswer = child.name === 'dd' && hasTerm;
    hasTerm ||= child.name === 'dt' && !isHidden(child);
    const isFolded = isHidden(child) && (isInDetails || isFoldable(child));
    let opened = isAnswer || isFolded || isPanel(child, panels) ? show(child, panels) : child;
    if (isButton(child) && (isEmptyHeading || isExpandable(child))) {
      opened = { ...child, name: 'span' };
      isEmptyHeading &&= visibleText(opened) === '';
    }
    if (opened !== child) parent.children[index] = opened;
    const isDetails = isInDetails || child.name === 'details';
    if (!isOmitted(opened)) openChildren(opened, panels, isDetails);
  });
}

/** Whether the class or id says that a reader can unfold the element. */
function isFoldable(element: HtmlElement): boolean {
  const names = namesOf(element);
  return (
    names.some((name) => foldableName.test(name)) && !names.some((name) => popupName.test(name))
  );
}

const foldableName =
  /(?:^|-)(?:expand|expander|expandable|collapse|collapsible|accordion|spoiler|toggle|faq|answer)(?:-|$)/;
const popupName =
  /(?:^|-)(?:nav|navbar|menu|modal|popup|dropdown|cookies?|consent|banner|search|tooltip|login)(?:-|$)/;

/** Gives panels whose tabs name no ids the names of their tabs: the first tab opens the first panel. */
function nameTabsByOrder(root: HtmlElement): void {
  const isList = (child: HtmlElement | string): child is HtmlElement =>
    typeof child !== 'string' && child.attributes.role === 'tablist';
  const isUnnamed = ({ attributes }: HtmlElement) =>
    attributes.role === 'tabpanel' && attributes['aria-labelledby'] === undefined;
  const parents = findHtmlElements(root, ({ children }) => children.some(isList), maxTabs);
  const lengths: ReadonlyMap<HtmlElement, number> =
    parents.length === 0 ? new Map() : countCharacters(root);
  for (const parent of parents) {
    const list = parent.children.find(isList);
    const tabs = list === undefined ? [] : findHtmlElements(list, isTab, maxTabs);
    const opened = findHtmlElements(parent, isUnnamed, maxTabs);
    if (tabs.length !== opened.length || tabs.some((tab) => controlledIds(tab).length > 0))
      continue;
    for (const [index, tab] of tabs.entries()) {
      if ((lengths.get(tab) ?? 0) > maxTabNameLength) continue;
      const title: HtmlElement = { name: 'p', attributes: {}, children: [visibleText(tab)] };
      opened[index]?.children.unshift(title);
    }
  }
}

/** Maximum number of groups of tabs, and of tabs in a group. */
const maxTabs = 100;

function isButton(element: HtmlElement): boolean {
  return element.name === 'button' && !isHidden(element) && !isTab(element);
}

/** Whether the attributes of the element show that it opens and closes a panel. */
function isExpandable(element: HtmlElement): boolean {
  return element.attributes['aria-expanded'] !== undefined && controlledIds(element).length > 0;
}

function addPanels(element: HtmlElement, panels: Panels): void {
  if (isHidden(element)) return;
  const name = isTab(element) ? visibleText(element) : '';
  const label = name.length > maxTabNameLength ? '' : name;
  for (const id of controlledIds(element)) if (!panels.has(id)) panels.set(id, label);
  const { id } = element.attributes;
  if (label !== '' && id !== undefined) panels.set(labelledBy(id), label);
}

const labelledBy = (id: string) => `labelled by ${id}`;

/** Returns the ids of the elements that become visible when a reader clicks the control. */
function controlledIds({ name, attributes }: HtmlElement): string[] {
  const toggle = attributes['data-bs-toggle'] ?? attributes['data-toggle'];
  if (attributes['aria-haspopup'] !== undefined || popupToggles.test(toggle ?? '')) return [];
  const target = attributes['data-bs-target'] ?? attributes['data-target'];
  const href = name === 'a' && toggle !== undefined ? attributes.href : undefined;
  const anchors = [target, href].flatMap((anchor) => /^#(\S+)$/.exec(anchor ?? '')?.[1] ?? []);
  return [
    ...(attributes['aria-controls'] ?? '').split(/\s+/).filter((id) => id !== ''),
    ...anchors,
  ];
}

function isTab({ attributes }: HtmlElement): boolean {
  return attributes.role === 'tab';
}

function isPanel({ attributes }: HtmlElement, panels: Panels): boolean {
  return attributes.role === 'tabpanel' || panels.has(attributes.id ?? '');
}

/**
 * Returns a visible copy of a panel that starts with the name of its tab. The copy has no id, so that it is not opened
 * again.
 */
function show({ name, attributes, children }: HtmlElement, panels: Panels): HtmlElement {
  const { id = '', 'aria-labelledby': tab = '' } = attributes;
  const label = panels.get(id) || panels.get(labelledBy(tab)) || '';
  const kept = Object.entries(attributes).filter(([key]) => !hidingAttributes.has(key));
  const title: HtmlElement = { name: 'p', attributes: {}, children: [label] };
  return {
    name,
    attributes: Object.fromEntries(kept),
    children: label === '' ? children : [title, ...children],
  };
}

const hidingAttributes = new Set(['hidden', 'aria-hidden', 'style', 'id', 'role']);
