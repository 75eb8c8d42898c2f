/**
 * Matches a word that connects a sentence to the previous one, and the comma after it. The comma is required, because
 * without it, the rest is not a complete sentence in every one of these languages.
 */
const connective =
  /^(?:however|in addition|additionally|moreover|furthermore|therefore|thus|hence|consequently|nevertheless|likewise|similarly|also|besides|finally|lastly|as such|as a result|for this reason|on the other hand|that said|in fact|of course|sin embargo|además|por lo tanto|por tanto|asimismo|no obstante|cependant|toutefois|de plus|en outre|par ailleurs|par conséquent|néanmoins|tuttavia|inoltre|pertanto|no entanto|além disso|portanto|contudo|кроме того|однако|таким образом|поэтому)\s?, |^(?:此外|另外|然而|但是|因此|不过|また|しかし|さらに|そのため)[，、]/iu;

/** Removes the word that connects a sentence to the previous one, such as "However,". */
export function withoutLeadingConnective(text: string): string {
  const [found = ''] = connective.exec(text) ?? [];
  const rest = text.slice(found.length);
  if (found === '' || rest === '') return text;
  const [first = ''] = rest;
  return first.toUpperCase() + rest.slice(first.length);
}

/** Whether a sentence limits the statement of the previous one. */
export function isLimitation(text: string): boolean {
  return limitation.test(text);
}

const limitation =
  /^(?:however|but|(?:please )?note(?: that)?|unless|except|only|jedoch|allerdings|aber|ausgenommen|sin embargo|cependant|toutefois|tuttavia|no entanto|однако)(?!\p{L})/iu;
