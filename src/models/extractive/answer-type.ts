import { detectLanguage } from '../../text/detect-language.ts';
import { extractPeriods } from '../../text/periods.ts';
import { contentTerms, hasUnknownMatch, isNumber } from '../../text/terms.ts';
import { durationPattern } from '../../text/time-units.ts';
import { whenQuestion } from './when-question.ts';

/**
 * Returns a function that computes a bonus for a text. The bonus is positive if the text contains the kind of answer
 * that the question asks for, such as a number or a date. It is negative if the question is negated and the text is
 * not. Question words are known in English, German, Spanish, French, Italian, Portuguese, Russian, Chinese, Japanese,
 * Arabic and Hindi. In other languages the bonus is 0.
 */
export function answerTypeBonus(question: string): (text: string) => number {
  const types = answerTypes.filter(({ asked }) => asked.test(question));
  const known = new Set(contentTerms(question));
  const isQuestionNegated = isNegated(question);
  return (text) => {
    const found = types.map(({ bonusOf }) => bonusOf(text, known));
    const negation = isQuestionNegated ? (isNegated(text) ? negationBonus : -negationBonus) : 0;
    return Math.max(0, ...found) + negation;
  };
}

/** Whether the question asks for a single fact, such as a number, and not for a list or an explanation. */
export function asksForOneFact(question: string): boolean {
  return answerTypes.some(({ asked, isOneFact }) => isOneFact && asked.test(question));
}

/** Whether the question asks for a price or a time of day and the text contains none. */
export function lacksCertainFact(question: string, text: string): boolean {
  const known = new Set(contentTerms(question));
  return answerTypes.some(
    ({ asked, isCertain, bonusOf }) =>
      isCertain && asked.test(question) && bonusOf(text, known) === 0,
  );
}

/** Whether the question asks for a procedure. */
export function asksForSteps(question: string): boolean {
  return howPattern.test(question);
}

/** Whether the question asks for several things. */
export function asksForList(question: string): boolean {
  return listPattern.test(question);
}

/** Whether a text lists several things, as in "sloops, ketches and yawls". */
export function isEnumeration(text: string): boolean {
  return enumerationPattern.test(text);
}

const enumerationPattern = /, [^,.;]{2,60},? (?:and|or|und|oder) \p{L}/u;

/** Whether the question can be answered with yes or no. A sentence that repeats such a question confirms it. */
export function asksForConfirmation(question: string): boolean {
  return confirmationPattern.test(question) && !asksWhatInGerman(question);
}

/** Whether a question begins with the German "was", which is no English verb. */
export function asksWhatInGerman(question: string): boolean {
  return /^\s*was\s/iu.test(question) && detectLanguage(question) === 'de';
}

/** Whether a text contains a negation. */
export function isNegated(text: string): boolean {
  return negationPattern.test(text);
}

interface AnswerType {
  readonly asked: RegExp;
  readonly isOneFact: boolean;
  /** Whether a text without this kind of answer certainly does not answer the question. */
  readonly isCertain?: boolean;
  /** Returns the bonus of a text. `known` are the terms of the question. They cannot be the answer. */
  readonly bonusOf: (text: string, known: ReadonlySet<string>) => number;
}

const negationBonus = 0.15;
const negationPattern =
  /\b(?:not|no(?!-\p{L})|never|none|neither|nor|without|except|excep\w+|exclu\w+|unless|cannot|prohibited|forbidden|ineligible)\b|n['’]t\b|\b(?:nicht|kein\w*|nie|ohne|außer|ausgeschlossen|ausgenommen|verboten)(?![\p{L}])|\b(?:nunca|sin|salvo|excepto|excluid\w+|ne|pas|jamais|sans|sauf|exclu\w*|non|mai|senza|tranne|eccetto|não|sem)\b|(?<!\p{L})(?:не|нет|без|кроме|никогда)(?!\p{L})|不|没|無|ない|ません|除|(?<!\p{L})(?:لا|ليس|غير|بدون)(?!\p{L})|नहीं/iu;
const listPattern =
  /\b(?:what|which) (?:are|were)\b|\b(?:what|which) (?:(?!(?:is|was|does|has|do|did)\b)\p{L}+ )?(?!(?:is|was|does|has|this|its)\b)\p{L}{2,}s\b|^\s*(?:please )?(?:list|name)\b|\bwhat (?:do|should|must|can|may) (?:i|we|you) (?:need to |have to )?(?:bring|pack|provide|include|prepare|submit|enclose|hand in)\b|\bwhat (?:information|equipment|paperwork)\b|\bwas (?:muss|soll|brauche) (?:ich|man) .{0,60}(?:mitbringen|einreichen|angeben|beilegen|vorlegen|einpacken)\b|\bque (?:dois-je|faut-il) (?:apporter|fournir|envoyer|joindre)\b|(?<!\p{L})welche(?!\p{L})|\bcuáles\b|\bquel(?:le)?s\b|\bquali\b|\bquais\b|(?<!\p{L})какие(?!\p{L})|哪些/iu;
const howPattern =
  /\bhow (?:do|can|could|should|would|may|must|to)\b|\bwhat steps\b|\bwhat(?:['’]s| is) the (?:procedure|process|command|way)\b|\bwhat (?:do|should|must|shall|can) (?:i|we) (?:have to |need to )?do\b|^\s*wie (?:kann|muss|soll|mache?|geht|funktioniert|bekomme|erhalte|melde|beantrage)|\bcómo\b|\bcomment\b|^\s*come\b|как (?:мне|можно|я)|如何|怎么|どうやって|どうすれば|كيف|कैसे/iu;

/** Matches the start of a question that can be answered with yes or no. */
const confirmationPattern =
  /^\s*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|am|whether|ob|ist|sind|kann|können|darf|muss|gibt|hat|haben|wird|werden|est-ce|puis-je|può|posso|可以)\b|吗|ですか|ますか|^\s*هل|^\s*क्या/iu;

/** Whether a text contains a number that is not in the question. Ignores the numbers of list items and sections. */
function hasNewNumber(text: string, known: ReadonlySet<string>): boolean {
  return (
    oneThingPattern.test(text) ||
    contentTerms(text.replace(ordinalPattern, ' ')).some(
      (term) => isNumber(term) && !known.has(term),
    )
  );
}

/** Matches "one guest", but not "one of them". */
const oneThingPattern =
  /\bone (?!(?:of|another|or|who|that|which|day|can|must|may|should)\b)\p{L}/iu;

const ordinalPattern = /(?:(?<=^|[;.:] )\p{Nd}{1,3}[.)] |§ ?[\p{Nd}.]+)/gu;

/** Removes dates, times, years and codes such as "PA-22", because they are not quantities. */
function withoutDatesAndCodes(text: string): string {
  return text.replace(dateOrCodePattern, ' ');
}

const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const dateOrCodePattern = new RegExp(
  String.raw`\b(?:${months})\.? \p{Nd}{1,2}(?:st|nd|rd|th)?,?(?: \p{Nd}{4})?|\p{Nd}{1,4}[/.-]\p{Nd}{1,2}[/.-]\p{Nd}{2,4}|(?<![\p{L}\p{Nd}_])[\p{L}_]{1,20}[-_/]?\p{Nd}[\p{L}\p{Nd}-]{0,40}|(?<!\p{Sc}\s?)\b(?:19|20)\p{Nd}\p{Nd}\b(?![.,]\p{Nd})|\p{Nd}{1,2}:\p{Nd}{2}`,
  'giu',
);

/** Whether a text contains a capitalized word inside a sentence and this word is not in the question. */
function hasNewName(text: string, known: ReadonlySet<string>): boolean {
  return hasUnknownMatch(text, namePattern, known);
}

const namePattern = /(?<=[\p{L}\p{Nd},”"] )\p{Lu}\p{L}+/gu;

const priceQuestion =
  /\bhow (?:much|expensive) .{0,60}\b(?:cost|costs|price|fees?|pay|paid|charge[sd]?|rent)\b|\bhow (?:expensive|much) (?:is|are|was) (?:the )?(?:fine|fee|price|penalty|deposit|surcharge|fare|salary)\b|\bhow expensive\b|\bwhat (?:do|does|did|will|would) .{1,60} (?:cost|charge|set (?:me|us|you) back)\b|\bwhat (?:do|will|would|must) (?:i|we|you) (?:have to )?pay\b|\bhow much is it to\b|\bwhat(?:['’]?s| is| are) the (?:\p{L}+ )?(?:price|cost|fee|fare)s?\b|\b(?:was|wie ?viel) (?:kosten?|kostet|zahlen?|zahlt|bezahlen?|bezahlt)\b|\bwie teuer\b|\bcombien (?:coûte|coute|vaut|(?:je|on|dois-je|doit-on) pa[iy])|\bquel(?:s)? (?:est|sont) les? (?:prix|tarifs?|coûts?)/iu;
const timeOfDayQuestion =
  /\bwhat time\b|\bwhen (?:do|does|is|are) .{1,60} (?:open|close|closed|shut|start|begin)\b|\bum wie ?viel uhr\b/iu;

/** The most specific type comes first. Only the highest bonus is used. */
const answerTypes: readonly AnswerType[] = [
  {
    asked:
      /\bhow (?:often|frequently|many times)\b|\bwie (?:oft|häufig)\b|con qué frecuencia|cada cuánto|à quelle fréquence|ogni quanto|com que frequência|как часто|多久.{0,2}一次|どのくらいの頻度|كم مرة/iu,
    isOneFact: true,
    bonusOf: (text) => (frequencyPattern.test(text) ? 0.35 : 0),
  },
  {
    asked:
      /\bhow (?:long|soon|quickly|late)\b|\bhow (?:far|early|much time)\b.{0,20}\b(?:advance|before|ahead)\b|\bhow much (?:notice|time)\b|\b(?:what|which) (?:\w+ )?(?:period|duration|deadline|term)\b|\bwie ?lange?\b|cuánto tiempo|combien de temps|quanto tempo|сколько времени|как долго|多长时间|多久|どのくらいの期間|何年間/iu,
    isOneFact: true,
    bonusOf: (text, known) =>
      durationPattern.test(text) ? 0.4 : hasNewNumber(text, known) ? 0.05 : 0,
  },
  {
    asked: priceQuestion,
    isOneFact: true,
    isCertain: true,
    bonusOf: (text) => (amountPattern.test(text) ? 0.3 : pricePattern.test(text) ? 0.1 : 0),
  },
  {
    asked:
      /\bhow much\b|\bhow (?:expensive|large) (?:is|are)\b|\bwhat (?:do|does|did) .{1,40} pay\b|\b(?:what|which) percent\w*|cuánto cuesta|combien coût|quanto cost|quanto custa|сколько стоит|多少钱|いくら/iu,
    isOneFact: true,
    bonusOf: (text, known) =>
      amountPattern.test(text) ? 0.3 : hasNewNumber(text, known) ? 0.1 : 0,
  },
  {
    asked: timeOfDayQuestion,
    isOneFact: true,
    isCertain: true,
    bonusOf: (text) => (timeOfDayPattern.test(text) ? 0.2 : 0),
  },
  {
    asked:
      /\bhow (?:many|much|old|far|big|large|tall|high|fast|wide|deep|heavy)\b|\b(?:what|which) (?:percent\w*|number|amount|price|cost|fee|rate)\b|\b(?:what|which) (?:is|are|was|were) (?:the )?(?:[\p{L}\p{N}'’.-]+ ){0,4}(?:amount|price|costs?|fees?|rate|salary|total|percentage|limit|deductible|maximum|minimum|sales|revenue|population|size|height|weight|age|length|distance|temperature|speed|number)\b|\bwie ?(?:viele?|hoch|alt|gro(?:ß|ss)|weit|schwer)\b|cuánt|\bcombien\b|\bquant[ioae]?\b|сколько|多少|几|幾|いくつ|いくら|何人|كم|कितन/iu,
    isOneFact: true,
    bonusOf: (text, known) =>
      hasNewNumber(withoutDatesAndCodes(text), known) ? 0.2 : hasNewNumber(text, known) ? 0.05 : 0,
  },
  {
    asked: new RegExp(
      String.raw`${whenQuestion}|\b(?:what|which) (?:date|day|month|year|time|hours|century)\b|\bhours\b|\bwann\b|\bin welchem jahr\b|cuándo|\bquand\b|\bquando\b|когда|в каком году|哪一年|何年|何时|什么时候|いつ|متى|कब`,
      'iu',
    ),
    isOneFact: true,
    bonusOf: (text, known) =>
      extractPeriods(text).length > 0 || hasNewNumber(text, known) ? 0.2 : 0,
  },
  {
    asked:
      /(?<!\b(?:by|over|via|on) (?:\p{L}{1,20} ){0,3})\b(?:phone|telephone|hotline|fax)\b|\bcall\b(?! off\b)|telefon|teléfono|téléphone|телефон|电话|電話|هاتف/iu,
    isOneFact: true,
    bonusOf: (text) =>
      /(?<![\d-])(?!\d{4}-\d\d-\d\d)\+?\(?\d[\d\s()./-]{6,}\d/.test(text) ? 0.4 : 0,
  },
  {
    asked: /\be-?mail\b|\bcorreo\b|\bcourriel\b|почт|邮箱|メール/iu,
    isOneFact: true,
    bonusOf: (text) => (/[\w.-]@[\w-]/.test(text) ? 0.4 : 0),
  },
  {
    asked:
      /\bwho(?:m|se)?\b|(?<!\p{L})(?:wer|wen|wem)\b|quién|(?<!\p{L})qui\b|^\s*chi\b|\bquem\b|(?<!\p{L})кто|谁|誰|من هو|कौन/iu,
    isOneFact: false,
    bonusOf: (text, known) => (hasNewName(text, known) ? 0.1 : 0),
  },
  {
    asked:
      /\bwhere\b|\b(?:what|which) (?:city|country|place|state|region|town|address)\b|(?<!\p{L})(?:wo|wohin)\b|dónde|(?<!\p{L})où\b|\bdove\b|\bonde\b|(?<!\p{L})(?:где|куда)|哪里|哪儿|どこ|أين|कहाँ/iu,
    isOneFact: false,
    bonusOf: (text, known) => (hasNewName(text, known) ? 0.1 : 0),
  },
  {
    asked:
      /\bwhy\b|\b(?:what|which) (?:\w+ )?(?:reason|cause)\b|\bwarum\b|\bwieso\b|por qué|\bpourquoi\b|\bperché\b|почему|为什么|なぜ|لماذا|क्यों/iu,
    isOneFact: false,
    bonusOf: (text) => (reasonPattern.test(text) ? 0.25 : 0),
  },
];

const timeOfDayPattern =
  /\p{Nd}\s?(?:[ap]\.?m\b|o['’]?clock|uhr\b|h\b)|\p{Nd}{1,2}[:.]\p{Nd}{2}(?!\p{Nd})|\b(?:noon|midnight|midday|mittags?|mitternacht|around the clock|24\/7)\b|\b(?:from|between|von|zwischen) \p{Nd}{1,2} ?(?:to|and|bis|und|[–-]) ?\p{Nd}|\b(?:from|at|until|till|by|before|after|between|um|ab|bis|von|nach|vor) \p{Nd}{1,2}(?![\p{Nd}%.,]|\s?\p{L})/iu;
const frequencyPattern =
  /\b(?:(?:semi-?|bi-?)?(?:annual|month|week|year|dai|quarter|hour)(?:ly|y)|every|each|once|twice|(?:a|per) (?:day|week|month|quarter|year)|times (?:a|per))\b|\b(?:(?:halb)?jährlich|(?:halb)?monatlich|(?:zwei)?wöchentlich|täglich|stündlich|vierteljährlich|einmal|zweimal|jede[nrs]?|alle)(?!\p{L})|\b(?:anual\w*|mensual\w*|semanal\w*|diari\w+|cada|annuel\w*|mensuel\w*|hebdomadaire\w*|quotidien\w*|chaque|tous les|ogni|mensil\w+|settimanal\w+)\b|(?:ежегодн|ежемесячн|еженедельн|ежедневн|кажд|раз в)|每|毎/iu;
/** Matches an amount of money or a percentage. */
/** Codes and abbreviations of currencies, without those that are also words, such as `TRY` and `ALL`. */
const currencyCode =
  'EUR|USD|GBP|CHF|SEK|NOK|DKK|ISK|CZK|PLN|HUF|RON|BGN|RSD|UAH|RUB|ILS|AED|SAR|QAR|KWD|INR|CNY|RMB|JPY|KRW|SGD|HKD|TWD|THB|IDR|MYR|VND|AUD|NZD|CAD|MXN|BRL|CLP|COP|ZAR|NGN|KES|EGP|MAD|kr|Rs|SFr|Fr(?=\\.)|Kč|zł|грн|руб|lei';
const currencyWord =
  '(?:US )?dollars?|dollari|euros?|cents?|pence|pounds?|livres sterling|libras?|lib(?:bre|re) sterline|quid|francs?|franken|rappen|crowns?|kronen?|kroner|kronor|kronur|krónur|coronas?|couronnes?|corone|korun[ay]?|złot(?:y|ych|e)|zlot(?:y|ys|ych)|forints?|leva?|hryvnias?|гривень|гривны|rou?bles?|рубл(?:ь|я|ей)|доллар(?:ов|а)?|евро|shekels?|dirhams?|dinars?|ri[yi]als?|lira|pesos?|dólares|reais|soles|rupees?|rupiah|ringgit|baht|dong|yen|yuan|renminbi|元|円|원|rand|naira|shillings?';
/** The last word of a number that is written in words, such as "thirty-four" or "zwanzig". */
const numberWord =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|\\p{L}{0,20}(?:zehn|zig|ßig|hundert|tausend)|zwei|drei|vier|fünf|sechs|sieben|acht|neun|elf|zwölf)';
/** Matches an amount of money, in any currency, or a share. */
const amountPattern = new RegExp(
  String.raw`\p{Sc}\s?\p{Nd}|(?<!\p{L})(?:${currencyCode})\.?\s?\p{Nd}|\p{Nd}(?:[.,][-–]{1,2})?\s?(?:[\p{Sc}%٪]|percent|per cent|Prozent|[mb]illions?|${currencyCode}|${currencyWord})(?!\p{L})|(?<!\p{L})${numberWord}[ -](?:${currencyWord})(?!\p{L})`,
  'iu',
);
/** Matches a number with cents, a number after a word for a price, or a word such as "free". */
const pricePattern =
  /\p{Nd}[.,]\p{Nd}{2}(?!\p{Nd})|\b(?:costs?|prices?|fees?|pay|paid|charge[sd]?|rent|deposits?|surcharges?|fares?|salar(?:y|ies)|kostet|kosten|preis|gebühr|kaution)\P{Nd}{0,30}\p{Nd}|\b(?:free|included|no (?:charge|cost|fee)|kostenlos|gratis|inbegriffen|frei|gratuit\p{L}{0,3}|inclus\p{L}{0,2})\b/iu;
const reasonPattern =
  /\b(?:because|(?:primarily |mainly |largely )?due (?:primarily |mainly |largely )?to|since|so that|as a result|in order to|therefore|caused by|driven by|attribut(?:ed|able) to|(?:primarily|mainly|largely) reflects?|owing to|reason|weil|da|denn|wegen|damit|deshalb|porque|debido a|para que|parce que|puisque|afin de|perché|poiché)\b|потому|так как|из-за|因为|由于|ため|から|لأن|क्योंकि/iu;
