const maxLines = 100;
/** A statement on one line, with single spaces. */
const importLine =
  /^import (?:type )?(?:["'][^"'\n]*["']|(?:[\w$*]+|\{[^{}]*\}|\* as [\w$]+)(?: ?, ?(?:\{[^{}]*\}|\* as [\w$]+))? from ["'][^"'\n]*["']) ?;?(?: ?\/\/|$)/;
const importStart = /^import (?:type )?(?:[\w$]+ ?, ?)?\{[^{}"']*$/;
const exportStart =
  /^export (?:(?:const|let|var) [\w$[{]|(?:default )?(?:async )?(?:function|class)\b|default ?(?:[({[<]|[\w$.]+ ?(?:\(|;?$)|\w+ ?=>)|\{[^\n]*\}|\{$|\* |(?:type|interface) [A-Z])/;
const constant =
  /^export const ([\w$]+) ?(?::[^=\n]*)?= ?(?:"([^"\n]*)"|'([^'\n]*)'|(-?[\d._]+)) ?;?$/;

/** Removes the lines of an MDX file that import and export. Adds the constants that it exports to `constants`. */
export function withoutModuleLines(
  lines: readonly string[],
  constants: Map<string, string>,
): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!/^(?:im|ex)port\b/.test(line) || line.length > 2_000) {
      kept.push(line);
      continue;
    }
    const statement = line.replace(/\s+/g, ' ').trimEnd();
    const [, name, double, single, number] = constant.exec(statement) ?? [];
    const value = double ?? single ?? number;
    if (name !== undefined && value !== undefined) constants.set(name, value);
    const isModule = [importLine, importStart, exportStart].some((pattern) =>
      pattern.test(statement),
    );
    if (isModule) at = statementEnd(lines, at);
    else kept.push(line);
  }
  return kept;
}

/** Returns the index of the last line of a statement: where its brackets are closed, or before a blank line. */
function statementEnd(lines: readonly string[], start: number): number {
  let depth = 0;
  let blank = -1;
  for (let at = start; at < Math.min(lines.length, start + maxLines); at += 1) {
    const line = (lines[at] ?? '').slice(0, 2_000);
    if (line.trim() === '' && blank < 0) blank = at;
    for (const bracket of line.match(/[()[\]{}]/g) ?? []) depth += /[([{]/.test(bracket) ? 1 : -1;
    if (depth <= 0 && !/(?:=>|[=,(+])\s*$/.test(line)) return at;
  }
  return blank < 0 ? start : blank - 1;
}
