import type { Replies } from './replies.ts';

export const fr: Replies = {
  GREETING:
    'Bonjour ! Comment puis-je vous aider ? Posez une question et je chercherai la réponse.',
  THANKS: 'Je vous en prie ! Si vous avez une autre question, n’hésitez pas.',
  GOODBYE: 'Au revoir ! Revenez quand vous voulez si vous avez une autre question.',
  IDENTITY:
    'Je suis un assistant automatique, pas une personne. Je réponds aux questions à partir des documents fournis par notre équipe.',
  HELP: 'Je réponds aux questions à partir de nos documents et je vous montre les sources. Posez votre question en une phrase complète, par exemple comment fonctionne quelque chose ou combien cela coûte.',
  HUMAN:
    'Je suis un assistant automatique. Pour joindre une personne, choisissez « Parler à une personne » dans ce chat ou contactez directement notre équipe.',
  COMPLAINT:
    'Je suis désolé de ne pas avoir pu vous aider. Décrivez autrement ce que vous cherchez ou demandez à parler à une personne.',
  GIBBERISH: 'Désolé, je n’ai pas compris. Posez votre question autrement, s’il vous plaît.',
  fallback:
    'Je ne sais pas. Les documents disponibles ne semblent pas contenir de réponse à cette question.',
  handoffRequested: 'Notre équipe a été prévenue et vous répondra ici.',
};
