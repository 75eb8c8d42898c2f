import { cleanLine } from '../clean-text.ts';
import { childElements, parseXml, textOf, type XmlElement } from '../xml-tree.ts';

/** Returns the formulas that an OpenDocument text embeds as documents of their own, by the name of their entry. */
export async function readFormulas(
  entries: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, string>> {
  const formulas = new Map<string, string>();
  for (const [name, bytes] of entries) {
    if (!name.endsWith('/content.xml') || !isFormula(bytes)) continue;
    // Old programs write a document type. A formula that cannot be read must not cost the text of the document.
    const root = await parseXml(withoutDocumentType(bytes)).catch(() => null);
    if (root !== null) formulas.set(name, formulaText(root));
  }
  return formulas;
}

function isFormula(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
  return /<(?:[a-z]{1,20}:)?math[\s>]/.test(head);
}

function withoutDocumentType(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  return Buffer.from(text.replace(/<!DOCTYPE[^>[]{0,500}>/i, ''), 'latin1');
}

/** Returns the formula in an embedded object, or null if the object is something else. */
export function formulaOf(
  object: XmlElement,
  formulas: ReadonlyMap<string, string>,
): string | null {
  const [math] = childElements(object, 'math');
  if (math !== undefined) return formulaText(math);
  const name = (object.attributes.href ?? '').replace(/^\.\//, '').replace(/\/$/, '');
  return formulas.get(`${name.toLowerCase()}/content.xml`) ?? null;
}

/** MathML from LibreOffice contains the formula as people write it: `E = m c^2`. */
function formulaText(math: XmlElement): string {
  const note = findAnnotation(math);
  return cleanLine(textOf(note ?? math));
}

function findAnnotation(parent: XmlElement): XmlElement | undefined {
  for (const child of childElements(parent)) {
    const isFormula = /^(?:StarMath|LaTeX|application\/x-tex)/i.test(
      child.attributes.encoding ?? '',
    );
    if (child.name === 'annotation' && isFormula) return child;
    const inner = findAnnotation(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
