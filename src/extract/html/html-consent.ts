import { namesOf } from './html-names.ts';
import type { HtmlElement } from './html-tree.ts';

/** Classes and ids of the dialogs of consent managers. `-` separates the words of a name. */
const managers = [
  /^(?:onetrust|ot)-(?:consent-sdk|banner-sdk|pc-sdk|sdk-container)$/,
  /^cybot-cookiebot-dialog(?:-|$)|^cookiebot-widget$/,
  /^usercentrics-(?:root|cmp-ui|button)$|^uc-(?:banner|overlay|center-container|main-dialog)(?:-|$)/,
  /^didomi-(?:host|notice|popup|consent)(?:-|$)/,
  /^qc-cmp2?-(?:container|main|ui|ui-container)$/,
  /^klaro$/,
  /^cmplz-(?:cookiebanner|manage-consent|soft-cookiewall)(?:-|$)/,
  /^borlabs-cookie-(?:box|box-wrap|entrance|dialog)(?:-|$)|^brlbs-cmpnt-(?:dialog|container)$/,
  /^iubenda-(?:cs-(?:banner|container|overlay|content)|iframe)$/,
  /^osano-cm-(?:window|dialog|info-dialog|widget|drawer-links)$/,
  /^cc-(?:window|banner|revoke|main)$|^cc--main$/,
  /^(?:truste|trustarc)-(?:consent|banner|box-overlay|overlay|popframe)(?:-|$)|^consent-blackbar$/,
  /^cky-(?:consent-container|consent-bar|modal|overlay|btn-revisit-wrapper)$|^cookie-law-info-(?:bar|again)$/,
  /^cli-(?:modal|bar-container|settings-popup)$/,
  /^tarteaucitron-?(?:root|alert-big|alert-small)$/,
  /^sp-message-container(?:-|$)|^fc-consent-root$|^axeptio-overlay$|^cmp-?(?:box2?|wrapper)$/,
  /^cookiefirst-root$|^cookiescript-injected|^termly-code-snippet-support$/,
  /^hs-eu-cookie-confirmation|^moove-gdpr-(?:cookie-info-bar|cookie-modal|info-bar-container)$/,
  /^eu-cookie-compliance-(?:banner|popup|content)(?:-|$)|^(?:govuk|sqs)-cookie-banner/,
  /^(?:transcend-consent-manager|lanyard-root|shopify-pc--banner)(?:-|$)/,
];
const topic = '(?:cookies?|consent|gdpr|ccpa|dsgvo)';
/** Names that other authors give to a consent dialog. */
const dialogName = new RegExp(
  `(?:^|-)${topic}-(?:(?:law|policy|consent|privacy)-)?(?:banner|bar|notice|notification|popup|pop-up|modal|dialog|overlay|alert|wall|consent|compliance|disclaimer|warning|toast)(?:-|$)`,
);
/** Names that a recipe or a cookie policy may have, too. */
const topicName = new RegExp(`^${topic}(?:-|$)`);
/** Words of the label of a consent dialog, in any language that has its own word. */
const topicLabel =
  /(?<!\p{L})(?:cookies?|consent|gdpr|consentement|einwilligung|consentimiento|consenso|consentimento|toestemming|samtycke|samtykke|zgod[ay]|файл\p{L}{0,3} cookie|同意)(?!\p{L})/iu;
/** Starts of the text of a button that gives or refuses consent. */
const choice =
  /^\W{0,3}(?:(?:yes|ja|i|we|je|ich|alle[ns]?|all|only|nur|tout|todas?|tutti|auswahl) )?(?:cookies? )?(?:accept|agree|allow|reject|refuse|decline|deny|consent|got it|ok(?:ay)?(?!\p{L})|akzeptier|zustimm|annehm|ablehn|einverstanden|verstanden|erlauben|autoris|refus|d['’]accord|acept|rechaz|permitir|accett|rifiut|consenti|aceit|recus|rejeit|akkoord|weiger|toestaan|godkänn|neka|tillåt|godta|afvis|avvis|tillad|hyväk|hylk|salli|zgadzam|akceptuj|odrzu|souhlas|přijmout|odmítnout|elfogad|kabul|reddet|принять|соглас|отклон|同意|接受|拒绝|許可|동의)/iu;
const maxChoiceLength = 60;
/** The whole page and its content are no dialog, whatever classes a consent manager gives to them. */
const pageNames = new Set(['', 'html', 'body', 'main', 'article']);

/**
 * Returns a function that recognizes consent dialogs. `certain`: the class or id of a consent manager. `likely`: a name
 * that other sites give to such dialogs. An element that only mentions cookies, such as a recipe or a policy, is
 * `likely` only if it contains a button that gives or refuses consent.
 */
export function consentDialogs(
  root: HtmlElement,
): (element: HtmlElement) => 'certain' | 'likely' | null {
  let withChoice: ReadonlySet<HtmlElement> | null = null;
  return (element) => {
    if (pageNames.has(element.name)) return null;
    const names = [...namesOf(element), element.name];
    if (names.some((name) => managers.some((pattern) => pattern.test(name)))) return 'certain';
    if (names.some((name) => dialogName.test(name))) return 'likely';
    if (!names.some((name) => topicName.test(name)) && !topicLabel.test(labelOf(element))) {
      return null;
    }
    withChoice ??= elementsWithChoice(root);
    return withChoice.has(element) ? 'likely' : null;
  };
}

const maxLabelLength = 200;

function labelOf({ attributes }: HtmlElement): string {
  const { role, title } = attributes;
  const parts = ['aria-label', 'aria-labelledby', 'aria-describedby'].map(
    (name) => attributes[name]?.slice(0, maxLabelLength) ?? '',
  );
  return `${parts.join(' ')} ${role ?? ''} ${title ?? ''}`.replace(/[_-]/g, ' ').slice(0, 800);
}

/** Returns the elements that contain a button or link for a choice. Takes linear time. */
function elementsWithChoice(root: HtmlElement): ReadonlySet<HtmlElement> {
  const found = new Set<HtmlElement>();
  /** Returns the start of the text of the element. */
  const visit = (element: HtmlElement): string => {
    let text = '';
    for (const child of element.children) {
      if (typeof child === 'string') text += child.slice(0, maxChoiceLength);
      else {
        text += visit(child);
        if (found.has(child)) found.add(element);
      }
      text = text.trimStart().slice(0, maxChoiceLength);
    }
    if (isButton(element) && choice.test(element.attributes.value ?? text)) found.add(element);
    return text;
  };
  visit(root);
  return found;
}

function isButton({ name, attributes }: HtmlElement): boolean {
  const { type, role, href = '#' } = attributes;
  if (name === 'input') return type === 'button' || type === 'submit';
  // A link with an address leads to a page about the choice.
  return (
    name === 'button' || role === 'button' || (name === 'a' && /^(?:#|javascript:)/.test(href))
  );
}
