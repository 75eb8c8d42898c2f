import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';

/** What the widget says of itself, in one language. */
export interface Texts {
  /** The language, as in `lang`. */
  readonly language: string;
  /** Where the site says nothing else. */
  readonly title: string;
  readonly greeting: string;

  readonly openChat: string;
  readonly newMessages: (count: number) => string;
  readonly closeChat: string;
  readonly newConversation: string;
  readonly close: string;
  readonly tryAgain: string;
  readonly cancel: string;

  readonly conversation: string;
  readonly you: string;
  readonly assistant: string;
  readonly team: string;
  readonly notice: string;
  readonly looking: string;
  readonly stopped: string;
  readonly sources: string;
  readonly source: (number: number) => string;
  readonly didItHelp: string;
  readonly helpful: string;
  readonly notHelpful: string;

  readonly yourQuestion: string;
  readonly send: string;
  readonly stop: string;

  readonly talkToHuman: string;
  readonly handoffHint: string;
  readonly name: string;
  readonly email: string;
  readonly reason: string;
  readonly askForPerson: string;
  readonly wrongEmail: string;
  readonly nobodyAsked: string;

  readonly refused: string;
  readonly offline: string;
  readonly teamAsked: string;
  readonly withTeam: string;

  readonly unsent: string;
  readonly tooMany: string;
  readonly unavailable: string;
  readonly brokeOff: string;
}

const all: Readonly<Record<string, Texts>> = { de, en, es, fr, it, nl, pt };

/** Of a language tag such as `de-AT`; English where it has none of that language. */
export function textsIn(tag: string): Texts {
  const language = tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return (Object.hasOwn(all, language) && all[language]) || en;
}
