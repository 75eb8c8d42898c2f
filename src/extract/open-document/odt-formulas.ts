import { cleanLine } from '../clean-text.ts';
import { childElements, parseXml, textOf, type XmlElement } from '../xml-tree.ts';

/** Returns the formulas that an OpenDocument text embeds as separate documents, by the names of their entries. */
export async function readFormulas(
  entries: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, string>> {
  const formulas = new Map<string, string>();
  for (const [name, bytes] of entries) {
    if (!name.endsWith('/content.xml') || !isFormula(bytes)) continue;
    // Old programs write a document type. An unreadable formula is skipped, so that the rest of the document can still
    // be read.
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

/** Returns the formula in an embedded object. Returns null if the object is not a formula. */
export function formulaOf(
  object: XmlElement,
  formulas: ReadonlyMap<string, string>,
): string | null {
  const [math] = childElements(object, 'math');
  if (math !== undefined) return formulaText(math);
  const name = (object.attributes.href ?? '').replace(/^\.\//, '').replace(/\/$/, '');
  return formulas.get(`${name.toLowerCase()}/content.xml`) ?? null;
}

/**
 * Returns a formula in the form that people write, such as `E = m c^2`. MathML from LibreOffice contains it as an
 * annotation.
 */
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
