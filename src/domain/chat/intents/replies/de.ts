import type { Replies } from './replies.ts';

export const de: Replies = {
  GREETING:
    'Guten Tag! Wie kann ich Ihnen helfen? Stellen Sie eine Frage, und ich suche die Antwort.',
  THANKS: 'Gern geschehen! Wenn Sie noch eine Frage haben, stellen Sie sie einfach.',
  GOODBYE: 'Auf Wiedersehen! Wenn Sie wieder eine Frage haben, bin ich gern für Sie da.',
  IDENTITY:
    'Ich bin ein automatischer Assistent und kein Mensch. Ich beantworte Fragen aus den Dokumenten, die unser Team bereitgestellt hat.',
  HELP: 'Ich beantworte Fragen aus unseren Dokumenten und zeige Ihnen die Quellen. Stellen Sie Ihre Frage in einem ganzen Satz, zum Beispiel wie etwas funktioniert oder was es kostet.',
  HUMAN:
    'Ich bin ein automatischer Assistent. Um einen Menschen zu erreichen, wählen Sie in diesem Chat „Mit einem Menschen sprechen“, oder wenden Sie sich direkt an unser Team.',
  COMPLAINT:
    'Es tut mir leid, dass ich Ihnen nicht helfen konnte. Beschreiben Sie bitte mit anderen Worten, was Sie suchen, oder bitten Sie um ein Gespräch mit einem Menschen.',
  GIBBERISH:
    'Das habe ich leider nicht verstanden. Bitte stellen Sie Ihre Frage mit anderen Worten.',
  fallback:
    'Das weiß ich nicht. Die verfügbaren Dokumente scheinen keine Antwort auf diese Frage zu enthalten.',
  handoffRequested: 'Unser Team wurde benachrichtigt und antwortet Ihnen hier.',
};
