import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/text/detect-language.ts';
import { detectIntent } from '../../src/text/intents/detect-intent.ts';
import type { Intent } from '../../src/text/intents/intent.ts';

/** Messages for each intent and language, separated by ` | `. */
const smallTalk: Readonly<
  Record<Exclude<Intent, 'GIBBERISH'>, Readonly<Record<Language, string>>>
> = {
  GREETING: {
    en: 'hi | Hi! | HELLO | hey there 👋 | Hellooo | helo | Good morning team | hi, how are you? | is anyone there? | heyyy | Good evening! | what’s up',
    de: 'Hallo | Guten Tag! | moin | Guten Morgen zusammen | Hallo, wie geht es dir? | Ist da jemand? | Grüß Gott | Servus',
    es: '¡Hola! | hola, buenos días | Buenas tardes | ¿Cómo estás? | hola que tal | ¿Hay alguien?',
    fr: 'Bonjour | bonsoir ! | Salut, ça va ? | Coucou | bonjour à tous | Allô',
    it: 'Buongiorno | salve | Ciao, come stai? | buonasera a tutti | c’è qualcuno?',
    nl: 'Goedemorgen | hoi | Goedendag! | Hoe gaat het? | is er iemand?',
    pt: 'Olá! | oi, tudo bem? | Bom dia | Boa tarde | oie | Tem alguém aí?',
  },
  THANKS: {
    en: 'thanks | Thank you so much! | thx | thnaks | thansk | ok thanks | Great, thank you 🙏 | got it | That was very helpful, thanks | thanks for your help | no thanks | perfect! | ok',
    de: 'Danke! | Vielen Dank für die schnelle Antwort | danke schön | alles klar, danke | Super, vielen lieben Dank | Das hat mir sehr geholfen | nein danke',
    es: 'Gracias | muchas gracias por su ayuda | grcias | vale, gracias | Perfecto, muchas gracias | De acuerdo',
    fr: 'Merci | merci beaucoup ! | Merci pour votre aide | d’accord, merci | C’est parfait, merci | Je vous remercie',
    it: 'Grazie | grazie mille! | Va bene, grazie | Perfetto, grazie | ti ringrazio',
    nl: 'bedankt | Dank u wel | dankjewel | Heel erg bedankt voor de hulp | oké, bedankt',
    pt: 'obrigado | Muito obrigada! | valeu | ok, obrigado pela ajuda | Entendi, obrigado',
  },
  GOODBYE: {
    en: 'bye | Goodbye! | see you later | thanks, bye! | Have a nice day | good night',
    de: 'Tschüss | Auf Wiedersehen! | bis bald | Danke, tschüss | Schönen Tag noch | tschuess',
    es: 'Adiós | hasta luego | gracias, adiós | Que tenga un buen día',
    fr: 'Au revoir | à bientôt | Merci, bonne journée | bonne soirée !',
    it: 'Arrivederci | a presto | Grazie, buona giornata | ci vediamo',
    nl: 'tot ziens | doei | Fijne dag nog | Bedankt, tot ziens!',
    pt: 'tchau | até logo | Obrigado, tchau | Tenha um bom dia',
  },
  IDENTITY: {
    en: 'who are you? | What are you | are you a bot? | Are you human? | am I talking to a real person? | what is your name | Is this a bot? | hello, who are you? | Are you ChatGPT? | are you a human or a bot?',
    de: 'Wer bist du? | Bist du ein Bot? | Wie heißt du? | wer sind Sie eigentlich | Sind Sie ein Mensch? | Hallo, wer bist du?',
    es: '¿Quién eres? | ¿Eres un robot? | ¿Cómo te llamas? | ¿Con quién hablo?',
    fr: 'Qui êtes-vous ? | Es-tu un robot ? | tu es qui | Comment tu t’appelles ? | Êtes-vous humain ?',
    it: 'Chi sei? | Sei un bot? | Come ti chiami? | con chi parlo',
    nl: 'Wie ben jij? | Ben je een robot? | Hoe heet je? | Met wie spreek ik?',
    pt: 'Quem é você? | Você é um robô? | Qual é o seu nome? | com quem estou falando',
  },
  HELP: {
    en: 'help | What can you do? | I need help | Can you help me? | HELP!!! | I have a question | how can you help me | what can I ask you? | can I ask you something? | hlep',
    de: 'Hilfe | Was kannst du? | Kannst du mir helfen? | Ich brauche Hilfe | Ich habe eine Frage | Hallo, können Sie mir bitte helfen? | Wie funktioniert dieser Chat?',
    es: 'ayuda | ¿Qué puedes hacer? | Necesito ayuda | ¿Me puedes ayudar? | Tengo una pregunta',
    fr: 'aide | Que peux-tu faire ? | J’ai besoin d’aide | Pouvez-vous m’aider ? | J’ai une question',
    it: 'aiuto | Cosa puoi fare? | Ho bisogno di aiuto | Mi puoi aiutare? | Ho una domanda',
    nl: 'hulp | Wat kun je? | Ik heb hulp nodig | Kunt u mij helpen? | Ik heb een vraag',
    pt: 'ajuda | O que você pode fazer? | Preciso de ajuda | Pode me ajudar? | Tenho uma dúvida',
  },
  HUMAN: {
    en: 'I want to talk to a human | human please | agent | Can I speak to a real person? | connect me with an agent | talk to someone | hi, I’d like to speak with a representative please | I don’t want to talk to a bot | get me a human | Is there a real person I can talk to? | speak to customer service | how can I talk to a human? | This is useless, get me a human | Transfer me to your support team | Connect me with support staff | Put me through to a member of your staff | I want to talk to a team member | Can I speak to the support department? | Can you call me back? | please have someone ring me | I’d like a callback | I would like to request a call back please | Call me back on +49 (0)171 2345-678 | Please call me as soon as possible | could somebody give me a ring tomorrow morning? | can I get a callback? | I want to be called back | I want someone to call me',
    de: 'Ich möchte mit einem Menschen sprechen | Mitarbeiter bitte | Kann ich mit einem echten Menschen sprechen? | Bitte verbinden Sie mich mit einem Mitarbeiter | ich will mit jemandem reden | Ich möchte nicht mit einem Bot reden | Ich brauche einen Ansprechpartner | Verbinden Sie mich mit der Kundenbetreuung | Ich möchte mit dem Personal sprechen | Rufen Sie mich bitte zurück | kann mich jemand anrufen? | Bitte rufen Sie mich morgen an | Ich hätte gern einen Rückruf | Bitte um Rückruf unter 0171 2345678 | Könnten Sie mich bitte zurückrufen? | Ich möchte zurückgerufen werden',
    es: 'Quiero hablar con una persona | agente | ¿Puedo hablar con un humano? | Páseme con un operador | Necesito hablar con alguien | no quiero hablar con un robot | Conécteme con el personal de soporte | Quiero hablar con el personal | ¿Me pueden llamar? | Llámeme por favor | Quiero que me llamen | ¿Alguien puede llamarme?',
    fr: 'Je veux parler à un humain | un conseiller svp | Puis-je parler à quelqu’un ? | Je voudrais parler à une vraie personne | Mettez-moi en relation avec un conseiller | Mettez-moi en contact avec le personnel du support | Pouvez-vous me rappeler ? | Rappelez-moi s’il vous plaît | Quelqu’un peut-il m’appeler ? | Je voudrais être rappelé',
    it: 'Voglio parlare con una persona | operatore | Posso parlare con un operatore? | Vorrei parlare con qualcuno | Mi passi un operatore | Vorrei parlare con il personale di assistenza | Mi può richiamare? | Richiamatemi per favore | Vorrei essere richiamato | Qualcuno può chiamarmi?',
    nl: 'Ik wil met een mens praten | medewerker graag | Kan ik een medewerker spreken? | Ik wil iemand spreken | Kunt u mij doorverbinden met een medewerker? | Verbind me met de klantendienst | Bel mij terug | Kunt u mij terugbellen? | Ik wil graag teruggebeld worden',
    pt: 'Quero falar com um humano | atendente | Posso falar com uma pessoa? | Gostaria de falar com alguém | Quero falar com um atendente, por favor | Quero falar com a equipe de suporte | Me conecte com o pessoal do suporte | Podem me ligar? | Ligue-me por favor | Quero que me liguem de volta | Alguém pode me ligar?',
  },
  COMPLAINT: {
    en: 'this is useless | You are useless! | not helpful | that’s wrong | This doesn’t help | you suck | what a waste of time | I am very frustrated | you didn’t answer my question | terrible service | That is not very helpful',
    de: 'Das ist nutzlos | Du bist dumm | Das hilft mir nicht | so ein Quatsch | Ich bin echt genervt | falsche Antwort | Du verstehst mich nicht',
    es: 'Esto es inútil | eres un inútil | No me ayudas | eso no es correcto | Qué pérdida de tiempo',
    fr: 'C’est nul | Vous êtes inutile | ça ne m’aide pas | mauvaise réponse | Ce n’est pas utile',
    it: 'È inutile | sei inutile | Non mi aiuta | che schifo | risposta sbagliata',
    nl: 'Dit is waardeloos | Dat helpt niet | Je begrijpt me niet | wat een onzin | verkeerd antwoord',
    pt: 'Isso é inútil | não ajudou | que perda de tempo | Você não entende nada | resposta errada',
  },
};

const gibberish =
  'asdkjh | asdf | qwertz | fjdksl | sdfsdf | lkjlkj | AAAAAAA | hjkhjk kjhkjh | ??? | ... | !!! | kjhkjhkjh. | dfgdfg | 🤷';

/** Questions and search queries. None of them is small talk, so they must be answered from the documents. */
const questions = `
  hi, how do I reset my password?
  Hello, what are the opening hours?
  hi vis vest
  Is human error covered?
  thanks, and what about refunds?
  Who are you insured with?
  help center opening hours
  human resources
  Contact human resources
  staff
  support staff salaries
  Who is on the support staff?
  personal
  Personalabteilung
  personal de soporte técnico: horario
  What is a human agent?
  Which agents are approved?
  help with my order
  Can you help me reset my password?
  I have a question about my invoice
  I need help with the login
  good morning yoga class times
  Goodbye message settings
  thank you page setup
  How do I write a thank you letter?
  How do I get a call back from the hotline?
  When will the bank call me back?
  can I call the hotline at night?
  How can I get a callback?
  When will you call me back?
  Will someone call me before the delivery?
  Can you call me a taxi?
  Do you offer callbacks?
  callback
  callback function
  I need a callback function
  phone number
  0171 2345678
  How much is a call to +49 171 2345678?
  Wann rufen Sie mich zurück?
  Rückruf
  Rückruf des Produkts
  Wie bekomme ich einen Rückruf?
  Kann ich die Hotline nachts anrufen?
  ¿Cuándo me van a llamar?
  Quand allez-vous me rappeler ?
  Quando mi richiamate?
  Quando me ligam?
  Are you open on Sunday?
  Are you a registered charity?
  Who are your partners?
  What are you charging for delivery?
  What is your name change policy?
  This is useless without a battery, where do I get one?
  The door lock is useless, what now?
  it does not work
  My printer is broken
  wrong invoice
  I want to complain
  I want to talk about my contract
  Can I speak to my doctor online?
  Do I need a person to sign?
  person
  support
  customer service phone number
  support email
  What can you do about noise?
  bye-laws
  Bye week schedule
  What does ok mean on the display?
  yes
  no
  please
  Sauna
  refund
  VPN
  SSO
  GmbH
  KSeF
  XJ-9000
  nginx
  kubectl
  pgsql
  strlcpy
  BAföG
  DSGVO
  Krankenschwester
  Angstschweiß
  rhythm
  XXXVII
  sqlite
  systemctl
  12345
  ORD-77123
  hello@example.com
  hello world program
  greetings cards
  cheers.pdf
  Kündigung
  Hallo, wie kann ich kündigen?
  Danke, und was kostet der Versand?
  Sind Sie am Sonntag geöffnet?
  Wer ist mein Ansprechpartner für Rechnungen?
  Wie heißt der Geschäftsführer?
  Hilfe bei der Anmeldung
  Hilft das gegen Rost?
  menschliches Versagen
  Was kannst du mir über die Garantie sagen?
  Das Gerät ist nutzlos ohne Akku
  Guten Tag, ich suche meine Rechnung
  Hola, ¿cuánto cuesta el envío?
  Gracias, ¿y los reembolsos?
  ¿Quién es el responsable?
  recursos humanos
  ayuda al desarrollo
  ¿Puedo hablar con el médico?
  Bonjour, comment changer mon mot de passe ?
  Merci, et pour les remboursements ?
  aide au logement
  Qui êtes-vous censés contacter ?
  erreur humaine
  argent
  Je veux parler de ma facture
  Ciao, quanto costa la spedizione?
  Grazie, e i rimborsi?
  errore umano
  operatore turistico
  Chi è il responsabile?
  Hallo, wat zijn de openingstijden?
  Bedankt, en hoe zit het met terugbetaling?
  menselijke fout
  Wie is de directeur?
  hulp bij huishouden
  Olá, qual é o horário?
  Obrigado, e o reembolso?
  recursos humanos da empresa
  erro humano
  Quem é o diretor?
  Posso falar com o médico?
  merch
  gluten
  tanks
  persona
  halls
  salt
  你好吗
  Где мой заказ?
  ما هي ساعات العمل؟
`;

const listed = (line: string) => line.split(' | ').map((message) => message.trim());
const smallTalkCases = Object.entries(smallTalk).flatMap(([intent, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([language, line]) =>
    listed(line).map((message) => ({ message, intent, language })),
  ),
);

describe('small talk', () => {
  test.each(smallTalkCases)('$message is $intent in $language', ({ message, intent, language }) => {
    expect(detectIntent(message, language as Language)).toEqual({ intent, language });
    // Without a hint about the language, the detected intent must be the same.
    expect(detectIntent(message).intent).toBe(intent);
  });

  test.each(listed(gibberish))('%s is GIBBERISH', (message) => {
    expect(detectIntent(message, 'de')).toEqual({ intent: 'GIBBERISH', language: 'de' });
  });

  test.each([
    ['👋', 'GREETING'],
    ['👍', 'THANKS'],
    ['🙏🙏', 'THANKS'],
    ['❤️', 'THANKS'],
    ['😡', 'COMPLAINT'],
    ['👎', 'COMPLAINT'],
  ])('the emoji %s is %s', (message, intent) => {
    expect(detectIntent(message)).toEqual({ intent, language: 'en' });
  });
});

describe('questions', () => {
  const cases = questions.trim().split(/\s*\n\s*/);

  test.each(cases)('%s', (message) => {
    expect(detectIntent(message).intent).toBeNull();
  });
});

describe('language', () => {
  test.each([
    ['How long is the warranty?', 'en'],
    ['Wie lange gilt die Garantie?', 'de'],
    ['¿Cuánto dura la garantía?', 'es'],
    ['Combien de temps dure la garantie ?', 'fr'],
    ['Quanto dura la garanzia e cosa copre?', 'it'],
    ['Hoe lang is de garantie geldig?', 'nl'],
    ['Qual é a duração da garantia?', 'pt'],
    ['Garantie', 'en'],
    ['保証期間はどのくらいですか', 'en'],
    ['Vielen Dank!', 'de'],
    ['merci', 'fr'],
    ['obrigado', 'pt'],
  ])('%s is in %s', (message, language) => {
    expect(detectIntent(message).language).toBe(language);
  });

  test('a message that fits several languages is in the likely one', () => {
    expect(detectIntent('ok', 'nl').language).toBe('nl');
    expect(detectIntent('hallo', 'nl').language).toBe('nl');
    expect(detectIntent('hi', 'de').language).toBe('de');
  });
});

test('detection is fast, even for hostile messages', () => {
  const messages = [
    'hi '.repeat(1_300),
    'hi '.repeat(24),
    'thank you very much '.repeat(6),
    `${'can you please '.repeat(7)}x`,
    'a'.repeat(4_000),
    'i want to talk to a a a a real human agent from your team here there x',
    '?'.repeat(4_000),
    'é'.repeat(199),
    'asdf '.repeat(39),
  ];
  // If a message takes more than 5 ms on average, the test times out.
  for (const message of messages) {
    for (let round = 0; round < 400; round += 1) detectIntent(message);
  }
});
