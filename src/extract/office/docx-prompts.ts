import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import type { OfficePackage } from './office-package.ts';
import { isOn } from './office-run-properties.ts';

/**
 * Returns a package whose parts do not contain the prompts of empty content controls, such as `Choose an item.` Prompts
 * are in any language, so that only their marks identify them: the property `showingPlcHdr` (ECMA-376 part 1,
 * 17.5.2.39), and the style of placeholders, which some programs keep without the property.
 */
export function withoutPrompts(parts: OfficePackage, styles: XmlElement | null): OfficePackage {
  const promptStyles = new Set([
    'PlaceholderText',
    ...childElements(styles ?? undefined, 'style')
      .filter((style) => isPromptStyle(findElement(style, 'name')?.attributes.val))
      .map((style) => style.attributes.styleId ?? ''),
  ]);
  return {
    ...parts,
    readPart: async (name, take) => {
      const part = await parts.readPart(name, take);
      if (part !== null) removePrompts(part, promptStyles, 'outside');
      return part;
    },
  };
}

function isPromptStyle(name: string | undefined): boolean {
  return /^placeholder text$/i.test(name ?? '');
}

/** Removes the texts of prompts, and keeps the cells and paragraphs that contain them. */
function removePrompts(
  parent: XmlElement,
  promptStyles: ReadonlySet<string>,
  place: 'outside' | 'control' | 'prompt',
): void {
  for (const element of childElements(parent)) {
    if (element.name === 't' && place === 'prompt') element.children.length = 0;
    else removePrompts(element, promptStyles, placeInside(element, promptStyles, place));
  }
}

function placeInside(
  element: XmlElement,
  promptStyles: ReadonlySet<string>,
  place: 'outside' | 'control' | 'prompt',
) {
  if (place === 'prompt') return place;
  if (element.name === 'sdt') {
    return isOn(findElement(element, 'sdtPr', 'showingPlcHdr')) ? 'prompt' : 'control';
  }
  const style = findElement(element, 'rPr', 'rStyle')?.attributes.val ?? '';
  return place === 'control' && element.name === 'r' && promptStyles.has(style) ? 'prompt' : place;
}
