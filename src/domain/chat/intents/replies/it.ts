import type { Replies } from './replies.ts';

export const it: Replies = {
  GREETING: 'Buongiorno! Come posso aiutarla? Faccia una domanda e cercherò la risposta.',
  THANKS: 'Prego! Se ha un’altra domanda, la faccia pure.',
  GOODBYE: 'Arrivederci! Torni quando vuole se ha un’altra domanda.',
  IDENTITY:
    'Sono un assistente automatico, non una persona. Rispondo alle domande in base ai documenti forniti dal nostro team.',
  HELP: 'Rispondo alle domande in base ai nostri documenti e le mostro le fonti. Faccia la sua domanda con una frase completa, per esempio come funziona qualcosa o quanto costa.',
  HUMAN:
    'Sono un assistente automatico. Per parlare con una persona, scelga «Parla con una persona» in questa chat o contatti direttamente il nostro team.',
  COMPLAINT:
    'Mi dispiace di non aver potuto aiutarla. Descriva con altre parole che cosa cerca oppure chieda di parlare con una persona.',
  GIBBERISH: 'Mi dispiace, non ho capito. Faccia la sua domanda con altre parole, per favore.',
  fallback:
    'Non lo so. I documenti disponibili non sembrano contenere una risposta a questa domanda.',
  handoffRequested: 'Il nostro team è stato avvisato e le risponderà qui.',
};
