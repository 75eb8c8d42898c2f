import { emptyFieldText } from '../empty-field.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
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
      if (part !== null) removePrompts(part, promptStyles);
      return part;
    },
  };
}

function isPromptStyle(name: string | undefined): boolean {
  return /^placeholder text$/i.test(name ?? '');
}

type Place = 'outside' | 'control' | 'prompt';

/** Removes the texts of prompts, and keeps the cells and paragraphs that contain them. */
function removePrompts(root: XmlElement, promptStyles: ReadonlySet<string>): void {
  /** The text before the current element, in the same paragraph. */
  let before = '';
  const visit = (parent: XmlElement, place: Place) => {
    for (const element of childElements(parent)) {
      if (element.name === 'p') before = '';
      if (element.name === 't') {
        if (place === 'prompt') element.children.splice(0, Infinity, emptyFieldText(before));
        before = `${before.slice(-maxBefore)}${textOf(element)}`;
      } else visit(element, placeInside(element, promptStyles, place));
    }
  };
  visit(root, 'outside');
}

/** Number of characters before a prompt that are kept for `emptyFieldText`. */
const maxBefore = 50;

function placeInside(element: XmlElement, promptStyles: ReadonlySet<string>, place: Place): Place {
  if (place === 'prompt') return place;
  if (element.name === 'sdt') {
    return isOn(findElement(element, 'sdtPr', 'showingPlcHdr')) ? 'prompt' : 'control';
  }
  const style = findElement(element, 'rPr', 'rStyle')?.attributes.val ?? '';
  return place === 'control' && element.name === 'r' && promptStyles.has(style) ? 'prompt' : place;
}
