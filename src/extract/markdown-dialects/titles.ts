import { attributeOf } from './component-tags.ts';

const titleAttributes = [
  'title',
  'label',
  'header',
  'heading',
  'summary',
  'question',
  'caption',
  'alt',
];
const tabAttributes = ['label', 'title', 'name', 'header', 'tab', 'value', 'heading'];
const tabName = /^(?:.*\.)?(?:tab|tab-?item|tab-?panel|tabs\.tab|code-tabs-item|content-tab)$/i;
/** Names of shortcodes whose first text in quotation marks is a title. */
const titledName =
  /^(?:tab|tab-item|accordion|accordion-item|expand|details|collapse|spoiler|notice|alert|callout|admonition|hint|note|tip|info|warning|caution|danger|important|panel|card|step|question|faq)$/i;
const warningName = /(?:^|[\s"'=.{-])(warning|caution|danger|important|attention)(?:$|[\s"'}])/i;

/**
 * Returns the title that a component or shortcode shows above its content, or ''. A warning without a title has the
 * title `Warning`, because its type changes what the text means.
 */
export function titleOf(name: string, attributes: string): string {
  const isTab = tabName.test(name);
  const written = attributeOf(attributes, isTab ? tabAttributes : titleAttributes);
  if (written !== '') return written;
  const [, quoted = ''] =
    (titledName.test(name) && /(?:^|\s)["“]([^"”=\n]{1,200})["”]/.exec(attributes)) || [];
  if (quoted !== '') return quoted;
  return isTab ? '' : warningOf(`${name} ${attributes}`);
}

/** Returns `Warning`, `Caution` or a similar word if the type of a notice is one of them, or ''. */
export function warningOf(type: string): string {
  const [, word = ''] = warningName.exec(type.slice(0, 500)) ?? [];
  return word === '' ? '' : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

export function isTab(name: string): boolean {
  return tabName.test(name);
}

/** Returns the title as a line above its content. */
export function titleLine(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line === '' || /[.:!?…。？！]$/.test(line) ? line : `${line}:`;
}
