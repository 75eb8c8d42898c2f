import type { Replies } from './replies.ts';

export const es: Replies = {
  GREETING: '¡Hola! ¿En qué puedo ayudarle? Haga una pregunta y buscaré la respuesta.',
  THANKS: '¡De nada! Si tiene otra pregunta, no dude en hacerla.',
  GOODBYE: '¡Hasta luego! Vuelva cuando quiera si tiene otra pregunta.',
  IDENTITY:
    'Soy un asistente automático, no una persona. Respondo preguntas a partir de los documentos que ha facilitado nuestro equipo.',
  HELP: 'Respondo preguntas a partir de nuestros documentos y le muestro las fuentes. Haga su pregunta en una frase completa, por ejemplo cómo funciona algo o cuánto cuesta.',
  HUMAN:
    'Soy un asistente automático. Para hablar con una persona, elija «Hablar con una persona» en este chat o póngase en contacto directamente con nuestro equipo.',
  COMPLAINT:
    'Siento no haber podido ayudarle. Describa con otras palabras lo que busca o pida hablar con una persona.',
  GIBBERISH: 'Lo siento, no le he entendido. Haga su pregunta con otras palabras, por favor.',
  fallback:
    'No lo sé. Los documentos disponibles no parecen contener una respuesta a esta pregunta.',
  handoffRequested: 'Hemos avisado a nuestro equipo, que le responderá aquí.',
};
