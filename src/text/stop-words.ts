import { fold } from './tokenize.ts';

/**
 * Function words of the most frequent languages. A word is left out if it is a content word in another of these
 * languages. For example, German "die" and "war" are content words in English.
 */
export const stopWords: ReadonlySet<string> = new Set(
  fold(`
a about am an and any are as at be been being but by can could did do does for from had has have he her him his how i if in into
is it its just may me might my no not of on or our shall she should so some such than that the their them then there
these they this those to too us was we were what when where which who whom whose why will with would you your
please tell give explain describe list mention

der das den dem des ein eine einen einem einer eines und oder aber ist sind waren wird werden wurde wurden
haben hatte kann koennen soll sollen muss im zu zum zur von vom mit auf fuer bei nach aus ueber nicht auch sich es
sie wir ihr ich wie wer wann wo warum welche welcher welches wieviel viele
hab habe hast habt kannst koennt darf duerfen moechte mein meine meinen meiner meinem sein seine seinen ihre ihren unser unsere
mich mir dich dir uns euch mal noch nur dann wenn da dass doch schon gibt geht diese dieser dieses diesen jetzt bitte

el la los las un una unos unas y o pero es fue fueron ha han de del al en con por para que se su sus lo no
como cuando donde quien cual cuales cuanto cuantos cuanta cuantas

le les une et ou mais est sont etait ete dans du des au aux avec pour sur par ce cette ces il elle ils elles nous
vous je qui que quoi quel quelle quels quelles quand comment pourquoi combien
mes notre nos votre vos leur leurs si peut peux pouvez faut avez avons ont etes suis

il gli uno e ed o ma sono di da del della dei delle nel nella con per che chi cosa quale quali quando dove come
quanto quanti perche

um uma com em na nos nas dos das ao para por qual quais quem onde quando como quanto quantos

het een en voor zijn heeft wie wat waar wanneer hoe welke waarom hoeveel

и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было от меня о из ему когда
кто где какой какая какие каком каких сколько почему чем был была были быть для до или это при

في من على الى عن ما ماذا متى اين كيف كم لماذا هل هو هي التي الذي ان او مع هذا هذه كان كانت تم و
का की के में है हैं था थी थे से को पर ने और या क्या कौन कब कहाँ कैसे कितने कितनी कितना क्यों किस यह वह एक हो ही भी लिए किया गया
什么 甚么 怎么 多少 哪些 哪个 哪里 为什 如何 何时 是谁 谁是 吗 呢 的 了 是 在 和
何で です ます か でしょ どの どこ いつ 誰が
`)
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * Further function words of German, French, Spanish, Italian, Dutch and Portuguese. In English, some of them are content
 * words, such as "hat", "son" and "am".
 */
export const foreignStopWords: ReadonlySet<string> = new Set(
  fold(`
die was wars war waren hat hatte will wollen am so man bin bist beim ans ins als denn eben halt sehr viel mehr alle alles etwas hier
dort da vor dein deine deinen welchem welchen seid wieso weshalb tun tut mach mache machen macht geh gehen komme kommen

mon ton son ma ta sa mes tes ses on tu te me se ne pas plus y a ai as fait fais faire veux veut voudrais dois doit va vais aller
ca c cela tres bien l d j n s t m qu

me te tu mi ti si ya hay muy mas puedo puede quiero tengo tiene hacer ho ha hai mio mia ci vi puoi voglio devo fare molto piu
ik je mijn ons hoe kan mag moet heb wil dit eu meu minha voce tem ter fazer muito mais posso quero
`)
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * Removes the verb of questions such as "What happened on 14 May?", because a text about the day does not say "happen".
 * In other questions, such as "Where did the accident happen?", the verb stays.
 */
export function withoutEmptyVerb(text: string): string {
  return mayHaveEmptyVerb.test(text) ? text.replace(emptyVerb, '') : text;
}

/** A fast check that excludes most texts before the slower pattern runs. */
const mayHaveEmptyVerb = /happen|passiert|gesch/i;
const emptyVerb =
  /(?<=\bwhat\s(?:(?:will|would|has|had)\s)?)happen(?:s|ed)?\b|(?<=\bwas\s(?:ist\s)?)(?:passiert|geschah|geschieht)\b/gi;
