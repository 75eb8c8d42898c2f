import type { Replies } from './replies.ts';

export const pt: Replies = {
  GREETING: 'Olá! Como posso ajudar? Faça uma pergunta e eu procuro a resposta.',
  THANKS: 'De nada! Se tiver outra pergunta, é só perguntar.',
  GOODBYE: 'Até logo! Volte quando quiser se tiver outra pergunta.',
  IDENTITY:
    'Sou um assistente automático, não uma pessoa. Respondo a perguntas com base nos documentos fornecidos pela nossa equipe.',
  HELP: 'Respondo a perguntas com base nos nossos documentos e mostro as fontes. Faça a sua pergunta numa frase completa, por exemplo como algo funciona ou quanto custa.',
  HUMAN:
    'Sou um assistente automático. Para falar com uma pessoa, escolha “Falar com uma pessoa” neste chat ou entre em contato diretamente com a nossa equipe.',
  COMPLAINT:
    'Lamento não ter conseguido ajudar. Descreva com outras palavras o que procura ou peça para falar com uma pessoa.',
  GIBBERISH: 'Desculpe, não entendi. Faça a sua pergunta com outras palavras, por favor.',
  fallback: 'Não sei. Os documentos disponíveis não parecem conter uma resposta a esta pergunta.',
  handoffRequested: 'A nossa equipe foi avisada e responderá aqui.',
};
