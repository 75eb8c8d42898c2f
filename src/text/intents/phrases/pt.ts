import type { Phrases } from './phrases.ts';

const person =
  '[um|uma|o|a|algum|alguma|outro|outra] [verdadeiro|verdadeira] (humano|humana|pessoa|atendente|agente|operador|operadora|alguem|funcionario|funcionaria|representante|ser humano|assistente humano|consultor|consultora|colaborador|especialista) [real|humano|humana|de verdade|da (vossa|sua|tua|sua) equipe|da equipa|da equipe|de carne e osso]';
const team =
  '[o|a|com o|a vossa|a sua|seu|sua] (atendimento|atendimento ao cliente|suporte|equipe|equipa|apoio ao cliente|servico de apoio ao cliente|sac|suporte tecnico|apoio|central de atendimento|equipe de suporte|equipa de suporte|equipe de apoio|equipa de apoio|equipe de atendimento|equipa de atendimento|pessoal|pessoal de suporte|pessoal do suporte|pessoal do apoio|pessoal do atendimento)';
const want =
  '[(quero|queria|gostaria de|gostava de|preciso|preciso de|prefiro|preferia|desejo|posso|poderia|podia|podemos|queremos|e possivel|da para|ha forma de|como (posso|faco para|consigo|fazer para)|eu quero|eu gostaria de|eu preciso|eu queria|deixa me|deixe me|exijo|tem como|consigo)]';
const bot =
  '(bot|robo|robot|robo|chatbot|maquina|computador|programa|ia|inteligencia artificial|humano|humana|pessoa|pessoa real|pessoa de verdade|ser humano|real|homem|mulher|chatgpt|assistente virtual)';
const very =
  '[muito|tao|realmente|totalmente|completamente|um|uma|bem|bastante|demasiado|super|mesmo|uma completa]';
const bad =
  '(inutil|inuteis|terrivel|horrivel|ruim|mau|ma|pessimo|pessima|lixo|merda|porcaria|estupido|estupida|burro|burra|ridiculo|ridicula|errado|errada|incorreto|falso|falsa|mentira|absurdo|patetico|piada|vergonha|perda de tempo|frustrante|desastre|inaceitavel|uma bosta|bosta|nada util|droga)';
const good =
  '(bom|boa|bem|otimo|otima|perfeito|excelente|maravilhoso|fantastico|incrivel|claro|util|certo|fixe|espetacular|bacana|beleza|gentil|joia)';
const callDetails = '[de volta] [para o phonenumber] [hoje|amanha|o mais rapido possivel]';

export const pt: Phrases = {
  GREETING: [
    '(ola|oi|oie|oii|hey|hi|hello|alo|e ai|eai|saudacoes|viva|oi oi|ola ola)',
    '[muito] (bom|boa|boas|bons) (dia|tarde|noite|tardes|noites|dias)',
    '(como (vai|esta|estas|vai voce|voce esta|vai isso|estao|vao|vc esta)|tudo (bem|bom|certo|joia)|td bem|tudo bem (com (voce|vc|voces)|contigo|consigo)) [hoje]',
    '[tem|ha|esta] (alguem|alguem ai|alguem aqui|voce esta ai|estas ai|esta ai) [ai|aqui|disponivel|online]',
    '(prazer|muito prazer|prazer em (conhecer|conhece lo|te conhecer))',
    '(isto e|isso e|so|e so) [um|uma] teste',
  ],
  THANKS: [
    '[muito|muitissimo|ok|nao|mil|desde ja] (obrigado|obrigada|obg|obgd|brigado|brigada|valeu|vlw|obrigadao|obrigadinho|thanks|thx|grato|grata|agradecido|agradecida|obrigados)',
    '(agradeco|agradecemos|eu agradeco) [muito] [a ajuda|pela ajuda|imenso|desde ja]',
    '(pela|pelo|por|pelas) (sua|seu|tua|teu|vossa|vosso|ajuda|tudo|isso|resposta|me ajudar|responder|atencao|informacao|informacoes|esclarecer|apoio) [ajuda|resposta|atencao|tempo|apoio|rapida|informacoes]',
    '(isso|isto) [me] (ajudou|ajuda|foi util|ajudou me) [muito|bastante]',
    `[(isso|isto|tudo) (e|esta|foi|esta)|e|esta|que|voce e|es|ta|foi|ficou] ${very} ${good} [resposta|trabalho|ajuda]`,
    '(entendi|entendido|compreendi|percebi|ok|okay|okey|ta bom|esta bem|esta bom|certo|combinado|de acordo|ja entendi|bom trabalho|perfeito)',
    '(e so isso|so isso|e tudo|nada mais|mais nada|era so isso|nao tenho mais perguntas|isso e tudo)',
  ],
  GOODBYE: [
    '(tchau|tchauzinho|adeus|ate (logo|breve|amanha|mais|ja|mais tarde|a proxima|depois)|bye|bye bye|falou|flw|xau|xauzinho|fui|ciao|fica bem|fique bem|tenho que ir|preciso ir)',
    '(tenha|desejo|tenham|continuacao de|continue com) [um|uma|lhe um] (bom|boa|otimo|otima|excelente|lindo) (dia|tarde|noite|fim de semana|final de semana|semana)',
  ],
  IDENTITY: [
    '[e|mas] (quem|o que|oque) (e voce|es tu|e|es|voce e|vc e|tu es|e vc|sois) [voce|tu|vc|exatamente]',
    '(como (te chamas|voce se chama|se chama|vc se chama|e o seu nome)|qual (e|o) [o] (seu|teu) nome|(voce|vc) tem [um] nome|tens nome)',
    '(com quem) (falo|estou falando|estou a falar|estou conversando|eu falo|eu estou falando)',
    `(voce e|vc e|es|tu es|e|estou falando com|estou a falar com|falo com|isso e|isto e) [mesmo|so|realmente|apenas] [um|uma] ${bot} [ou] [um|uma] [${bot}]`,
    '(quem (te|o|lhe) (criou|fez|programou|desenvolveu)|quem criou voce|quem fez voce|se apresente|apresenta te|apresente se|fale sobre voce|fala me de ti|me fale de voce)',
    'que (modelo|modelo de linguagem|ia) (es|e voce|voce e|voce usa|usas)',
  ],
  HELP: [
    '[preciso|eu preciso|quero|gostaria|precisamos|queria] [de|da sua|uma|alguma] (ajuda|help) [por favor]',
    '(me (ajuda|ajude|ajudem)|ajuda me|ajude me|ajudem me|(pode|podes|poderia|podem|voce pode|vc pode|consegue) [me] (ajudar|ajudar me|me ajudar)) [por favor|com uma coisa]',
    '(o que|oque|que|em que|como) (voce|vc|tu) (pode|sabe|faz|podes|sabes|fazes|consegue) [fazer|me ajudar|ajudar|responder|fazer por mim]',
    '(o que|que|em que|como) (pode|podes|sabes|sabe|consegues) (fazer|ajudar|ajudar me|me ajudar|responder) [por mim]',
    '(o que|que|sobre o que) (posso|eu posso|se pode|da para) (perguntar|te perguntar|lhe perguntar|perguntar te|fazer) [aqui]',
    'como (funcionas|voce funciona|vc funciona|funciona (este|esse|o) (chat|bot|chatbot|assistente))',
    '(tenho|eu tenho|tinha|temos) (uma|outra|umas|algumas|mais uma) [outra] (pergunta|perguntas|duvida|duvidas|questao|questoes)',
    '(posso|poderia|podia) (fazer|te fazer|lhe fazer|fazer te|perguntar|tirar) [uma|outra|umas|algo] (pergunta|perguntas|coisa|duvida|questao|algo)',
    '[so] uma (pergunta|duvida) [rapida]',
    '(tenho um problema|estou com um problema)',
  ],
  HUMAN: [
    `${want} (falar|conversar|ser atendido|contactar|contatar|entrar em contato|entrar em contacto|ser transferido|comunicar|teclar|falar diretamente|ligar) [diretamente] [com|por|para|a] (${person}|${team})`,
    `[pode|podes|poderia|voce pode|por favor] (me (passa|passe|passar|transfere|transfira|transferir|conecta|conecte|conectar|coloca|coloque|poe|encaminhe|encaminhar|ligue|direcione)|passe me|passa me|transfira me|ligue me|ponha me|conecte me|coloque me) [em (contato|contacto)] [para|com|a] (${person}|${team})`,
    '(quero|queria|preciso de|preciso|exijo|gostaria de|prefiro|chama|chame|eu quero|eu preciso de) (um|uma) (humano|atendente|pessoa|pessoa real|operador|agente|atendente humano|ser humano|agente humano|pessoa de verdade|assistente humano)',
    '(tem|ha|existe|voces tem) [algum|alguma|um|uma|aqui] (humano|pessoa real|atendente|operador|alguem real|atendente humano|pessoa de verdade|ser humano) [ai|aqui|disponivel] [com quem (falar|eu possa falar)|para falar]',
    '(um humano|uma pessoa|alguem|um atendente|um operador|uma pessoa real) (pode|poderia|podia) [me] (ajudar|ligar|atender|contactar|responder|ajudar me|me ligar)',
    '(pode|poderia) (um humano|uma pessoa|alguem|um atendente) [me] (ajudar|ligar|atender|contactar|responder|ajudar me|me ligar)',
    '[um|uma] (atendente|humano|atendente humano|pessoa real|operador|operadora|ser humano|agente humano|pessoa de verdade|assistente humano|atendimento ao cliente|apoio ao cliente)',
    '[eu] nao quero (falar|conversar|teclar) com [um|uma|este|esta|esse|essa] (bot|robo|robot|maquina|chatbot|ia|computador)',
    'nao quero [um|uma] (bot|robo|robot|chatbot|maquina)',
    `([voce|voces] (pode|podes|podem|poderia|poderiam|podiam) (me (ligar|telefonar|retornar a ligacao)|(ligar|telefonar) (me|para mim))) ${callDetails}`,
    `((pode|poderia|podia) ${person}|${person} [me] (pode|poderia|podia)) ([me] (ligar|telefonar)|(ligar|telefonar) (me|para mim)) ${callDetails}`,
    `((ligue|liguem|liga|telefone|telefonem) (me|para mim)|me (ligue|liguem|liga|telefone|telefonem)) ${callDetails}`,
    `(quero|queria|gostaria|gostava|preciso|prefiro) (que me (liguem|ligue|ligassem|telefonem)|que ${person} me ligue) ${callDetails}`,
    `(quero|queria|gostaria de|gostava de|preciso de|prefiro) (receber|solicitar|pedir) (uma ligacao|uma chamada|um telefonema) ${callDetails}`,
  ],
  COMPLAINT: [
    `(isso|isto|este bot|esse bot|o bot|este chat|esse chat|sua resposta|tua resposta|a resposta|esta resposta|essa resposta|tudo|voce|vc|es|que|o servico|este servico|o atendimento|voces) [e|esta|es|foi|sao|nao e] ${very} [de|uma|um|muito] ${bad} [bot|resposta|servico]`,
    '(inutil|lixo|merda|porcaria|ridiculo|patetico|terrivel|pessimo|absurdo|horrivel|vergonha|bosta) [bot|resposta|servico|atendimento]',
    '(resposta) (errada|incorreta|inutil)',
    '(pessimo|mau|ma|ruim|pessima) (atendimento|servico|resposta|bot)',
    '[isso|isto] nao (me ajuda|ajuda|me ajudou|ajudou|serve|e verdade|e correto|esta certo|esta correto|responde|respondeu|e o que (eu perguntei|perguntei|eu quero|pedi)|adianta|e util|foi util|me serve) [em nada|de nada|para nada|nada|a minha pergunta|minha pergunta]',
    '[voce|vc|tu] nao (entende|entendes|sabe|sabes|ajuda|ajudas|serve|serves|respondeu|me entende|me ajuda|entendeu|percebes|percebe|respondes) [nada|de nada|para nada|minha pergunta|a minha pergunta]',
    '(que) (perda de tempo|vergonha|desastre|merda|porcaria|pessimo atendimento|lixo|piada|droga)',
    '[eu] (estou|to) [muito|bastante|realmente] (irritado|irritada|frustrado|frustrada|zangado|zangada|decepcionado|decepcionada|desapontado|insatisfeito|insatisfeita|chateado|chateada|furioso|farto|farta) [com (isso|isto|voces)]',
    '[eu] (odeio (isso|isto|este bot|bots)|cala a boca|cale a boca|idiota|imbecil|vai se foder|vai a merda|vai tomar no cu|caralho)',
  ],
  filler: [
    '(por favor|pf|pfv|pff|porfavor|se faz favor|e|entao|pois|agora|ja|aqui|ai|a todos|todos|pessoal|gente|equipe|equipa|de novo|outra vez|hoje|oh|ah|eh|hmm|sim|nao|mas|tambem|igualmente|para voce tambem|voce tambem|para ti|senhor|senhora|senhores|caro|cara|caros|prezados|amigo|amiga|bot|robo|chatbot|assistente|voce|imenso|mesmo|desculpe|desculpa|perdao|haha|kkk|kkkk|rsrs|lol|urgente|imediatamente|desde ja|antecipadamente)',
  ],
};
