import type { Phrases } from './phrases.ts';

const person =
  '[un|una|el|la|algun|alguna|otro|otra] [verdadero|verdadera] (humano|humana|persona|agente|asesor|asesora|operador|operadora|alguien|empleado|empleada|representante|ser humano|ejecutivo|ejecutiva|trabajador|especialista|ejecutivo de atencion al cliente|agente de atencion al cliente) [real|humano|humana|de verdad|de (su|tu|vuestro) equipo|de carne y hueso|del equipo]';
const team =
  '[el|su|tu|vuestro|al] (equipo|servicio de atencion al cliente|atencion al cliente|servicio al cliente|soporte|servicio tecnico|soporte tecnico|equipo de soporte|personal|personal de soporte|personal de atencion|personal de servicio|personal de asistencia)';
const want =
  '[(quiero|quisiera|necesito|deseo|prefiero|me gustaria|queremos|necesitamos|preferiria|querria|quiere|puedo|podria|podemos|se puede|es posible|hay forma de|como puedo|como se puede|como hago para|dejame|exijo) [poder]]';
const bot =
  '(bot|robot|chatbot|maquina|computadora|ordenador|programa|ia|inteligencia artificial|humano|humana|persona|persona real|persona de verdad|ser humano|real|hombre|mujer|chatgpt|asistente virtual)';
const very = '[muy|tan|realmente|totalmente|completamente|un|una|bastante|demasiado|super|lo]';
const bad =
  '(inutil|inutiles|terrible|horrible|malo|mala|malisimo|pesimo|pesima|basura|mierda|porqueria|estupido|estupida|tonto|tonta|ridiculo|incorrecto|incorrecta|erroneo|falso|falsa|mentira|absurdo|patetico|broma|verguenza|perdida de tiempo|frustrante|desastre|inaceptable|asco|no ayuda|nada util)';
const good =
  '(bien|bueno|perfecto|genial|excelente|estupendo|fantastico|maravilloso|claro|buenisimo|util|correcto|increible|super|guay|fenomenal|buena|amable|chevere)';
const called = '[al phonenumber] [hoy|manana|lo antes posible|cuanto antes]';

export const es: Phrases = {
  GREETING: [
    '(hola|ola|holi|buenas|hey|hi|hello|saludos|holaa|que tal|que hay|que onda|alo|wenas)',
    '[muy] (buenos|buenas|buen|bueno) (dias|dia|tardes|noches)',
    '(como (estas|esta|estan|va|te va|le va|andas|va todo)|que tal (estas|esta|todo|te va))',
    '[hola] [hay] (alguien|alguien ahi|alguien aqui|esta ahi|estas ahi|hay alguien) [ahi|aqui|disponible|en linea]',
    '(mucho gusto|encantado|encantada) [de (conocerte|conocerle|saludarte|saludarle)]',
    '(esto es|solo) [una|un] (prueba|test)',
  ],
  THANKS: [
    '[muchas|muchisimas|mil|ok|no|muy] (gracias|grax|thanks|thx|grasias|agradecido|agradecida)',
    '(te|le|se|os) (agradezco|lo agradezco|agradecemos) [mucho]',
    'por (su|tu|la|toda su|toda tu|vuestra|todo|eso|responder|contestar|ayudarme|el) [rapida|excelente|buena] [ayuda|respuesta|atencion|informacion|tiempo|apoyo|explicacion]',
    '(eso|esto) [me] (ha ayudado|ha servido|sirve|ayuda|ayudo) [mucho]',
    `[(eso|esto|todo) (es|esta|fue)|es|esta|que|eres|todo|muy|me parece] ${very} ${good} [respuesta|trabajo|ayuda]`,
    '(de acuerdo|entendido|entiendo|ya veo|vale|ok|okay|okey|listo|comprendo|ya entendi|ya entiendo|me queda claro|esta bien|muy bien|buen trabajo)',
    '(eso es todo|es todo|nada mas|eso era todo|no tengo mas preguntas)',
  ],
  GOODBYE: [
    '(adios|chao|chau|hasta (luego|pronto|manana|la vista|la proxima|otra|siempre)|bye|bye bye|nos vemos|ciao|hasta entonces|cuidate|cuidese|me voy|me tengo que ir|tengo que irme)',
    '[que] (tenga|tengas|tengan|pase|pases|le deseo|te deseo) [un|una|feliz] (buen|lindo|bonito|excelente|feliz|buena|linda) (dia|tarde|noche|fin de semana|semana)',
    '(feliz (dia|tarde|noche|fin de semana)|buen fin de semana)',
  ],
  IDENTITY: [
    '[tu|usted|y] (quien|que) (eres|es usted|sos|es) [tu|usted|exactamente]',
    '(como te llamas|como se llama usted|cual es (tu|su) nombre|tienes nombre|tiene nombre|como se llama|dime tu nombre)',
    '(con quien) (hablo|estoy hablando|estoy chateando|chateo|tengo el gusto)',
    `(eres|es usted|sos|estoy hablando con|hablo con|es|esto es) [tu|usted|acaso|solo|realmente|de verdad|esto] [un|una] ${bot} [o] [un|una] [${bot}]`,
    '(quien te (creo|hizo|programo|desarrollo|diseno)|presentate|hablame de ti|cuentame [algo] (de|sobre) ti)',
    'que (modelo|modelo de lenguaje|ia) (eres|usas|es)',
  ],
  HELP: [
    '[necesito|quiero|necesitamos|quisiera|me gustaria|busco] [un poco de|su|tu] [una] ayuda [por favor]',
    '(ayudame|ayudeme|me (ayudas|ayuda|puede ayudar|puedes ayudar|podrias ayudar|podria ayudar|pueden ayudar)|(puede|puedes|podria|podrias|pueden) ayudarme) [con algo|con una pregunta|por favor]',
    '(que|en que|como|con que) (puedes|puede|sabes|sabe|pueden) (hacer|ayudar|ayudarme|responder|ofrecer|hacer por mi) [por mi]',
    '(que) (haces|hace|sabes|ofreces) [tu|usted]',
    '(que|sobre que) (puedo|podria|te puedo|le puedo|se puede) (preguntar|preguntarte|preguntarle|hacer) [aqui]',
    'como (funcionas|funciona (este|el) (chat|bot|asistente|chatbot))',
    '(tengo|tenia|tenemos) (una|otra|unas|algunas|varias) (pregunta|preguntas|duda|dudas|consulta|consultas)',
    '(puedo|podria) (hacerle|hacerte|hacer) (una|otra|unas) (pregunta|preguntas|consulta)',
    '[una] pregunta [rapida]',
    '(tengo un problema|help)',
  ],
  HUMAN: [
    `${want} (hablar|chatear|comunicarme|contactar|conversar|ser atendido|escribir|que me atienda|ponerme en contacto|hablarle|comunicar) [directamente|por favor] [con|a|por] (${person}|${team})`,
    `[(quiero|quisiera|necesito|me gustaria) que] [por favor] (me (comunica|comunicas|comunique|pasa|pasas|pase|pasen|conecta|conecte|conectas|pone|transfiere|transfieras|puede comunicar|puedes comunicar|puede pasar|puedes pasar|puede poner en contacto)|comuniqueme|comunicame|paseme|pasame|conecteme|conectame|transfierame|transfiereme|pongame|ponme) [en contacto|en comunicacion] (con|a) (${person}|${team})`,
    `(necesito|quiero|quisiera|exijo|busco|prefiero|deme|dame) (a|que me atienda|la ayuda de|hablar con) ${person}`,
    '(necesito|quiero|quisiera|exijo|dame|deme) [a] (un|una) (humano|agente|persona|persona real|operador|asesor|agente humano|ser humano|representante)',
    '(hay|tienen|existe|hay alguna|hay algun) [algun|alguna|un|una|aqui] (humano|persona|persona real|agente|operador|asesor|alguien real) [aqui|ahi|disponible|real|humano] [con (quien|el que|la que) (hablar|pueda hablar)]',
    '(me puede|puede|podria|puede por favor|me podria) (atender|atenderme|ayudarme|ayudar|llamar|llamarme|contactar|contactarme|responder) (un humano|una persona|alguien|una persona real|un agente|un asesor|alguien de (su|tu) equipo)',
    '[un|una] (humano|agente|agente humano|persona real|asesor humano|operador|operadora|ser humano|representante|persona de verdad|servicio al cliente|atencion al cliente|servicio de atencion al cliente)',
    'no quiero (hablar|chatear|tratar) con [un|una|este|esta] (bot|robot|maquina|chatbot|ia|computadora)',
    'no (quiero) [un] (bot|robot|chatbot|maquina)',
    `((me|nos) (puede|puedes|pueden|podria|podrias|podrian) (llamar|devolver la llamada|volver a llamar)|(puede|puedes|pueden|podria|podrian) (llamarme|llamarnos|devolverme la llamada)) [${person}] ${called}`,
    `(${person} (me|nos) (puede|podria) llamar|${person} (puede|podria) (llamarme|llamarnos)|(puede|podria) ${person} (llamarme|llamarnos)) ${called}`,
    `(llameme|llamame|llamenme|llamadme|llamenos|llamennos|devuelvame la llamada|devuelvanme la llamada) ${called}`,
    `(quiero|quisiera|necesito|me gustaria|deseo|prefiero) que (me (llamen|llame|llames|llamen de vuelta|devuelvan la llamada)|${person} me llame) ${called}`,
    `que (me (llame|llamen) [${person}]|${person} me llame) ${called}`,
    `(quiero|quisiera|necesito|solicito|me gustaria|deseo) [recibir|solicitar|pedir] una llamada [telefonica] ${called}`,
  ],
  COMPLAINT: [
    `(esto|eso|este bot|el bot|este chat|este chatbot|tu respuesta|su respuesta|la respuesta|esta respuesta|todo|eres|es usted|es|que|su servicio|el servicio) [es|son|esta|fue|eres|no es] [de|una|un|muy|tan|totalmente|completamente|realmente|nada|la|bastante] [de|una|un|muy|tan|nada] ${bad} [bot|respuesta|de respuesta|de tiempo|servicio]`,
    '(inutil|basura|mierda|porqueria|ridiculo|patetico|terrible|pesimo|pesima|horrible|incorrecto|(mal|mala|vaya) (bot|respuesta|servicio|atencion|mierda)) [bot|respuesta|servicio|atencion|mierda|basura|porqueria]',
    '(eso|esto) (no) (es correcto|es verdad|es cierto|me ayuda|me sirve|ayuda|sirve|es lo que (pregunte|pedi|quiero)|responde [a] mi pregunta|esta bien|es asi) [de nada|para nada|nada]',
    'no (me ayudas|me ayuda|me sirve|sirve|ayuda|sirves|entiendes|entiende|sabes|me entiendes|me entiende|me has ayudado|respondes|has respondido|es lo que (pregunte|pedi)|es correcto|es verdad) [para nada|de nada|nada|mi pregunta|a mi pregunta]',
    '(que) (perdida de tiempo|mal servicio|asco|desastre|verguenza|mierda|porqueria|mala atencion|pesimo servicio)',
    '(estoy) [muy|bastante|realmente] (enfadado|enfadada|enojado|enojada|frustrado|frustrada|molesto|molesta|decepcionado|decepcionada|harto|harta|insatisfecho|indignado|furioso) [con (esto|ustedes|usted|vosotros)]',
    '(odio (esto|este bot|los bots)|callate|idiota|imbecil|vete a la mierda|jodete|respuesta (incorrecta|equivocada|erronea))',
  ],
  filler: [
    '(por favor|porfavor|porfa|xfa|y|e|pues|ahora|ya|aqui|ahi|a todos|todos|equipo|de nuevo|otra vez|hoy|oh|ah|eh|um|hmm|si|no|pero|tambien|igualmente|senor|senora|senores|estimados|amigo|amiga|bot|robot|chatbot|asistente|usted|tu|a ti|a usted|de antemano|mucho|perdon|disculpe|disculpa|lo siento|jaja|jajaja|jajajaja|urgente|inmediatamente|lol)',
  ],
};
