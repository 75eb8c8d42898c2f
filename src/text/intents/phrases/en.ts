import type { Phrases } from './phrases.ts';

const person =
  '[a|an|the|your|any|some|another] [real|live|actual|living] [human|support|service|sales] (human|human being|person|people|humans|agent|agents|representative|rep|operator|someone|somebody|anyone|anybody|employee|advisor|adviser|consultant|man|woman|staff member|team member|member of your staff|member of the staff|member of your team|member of the team|member of staff|support person) [real] [from (your|the) [support|service|sales] (team|staff)] [here|there]';
const team =
  '[the|your|customer|technical|someone from|somebody from] [customer|technical] (service|support|support team|service team|team|staff|care|help desk|helpdesk|support staff|service staff|support people|support department|service department|support desk|service desk|support agents|service agents)';
const want =
  '[(i|we) [really|just|also] (want|need|wish|have|prefer|demand|would like|would prefer|would rather|would love|must) [to]|id [rather|really] [like|prefer|love] [to]|i wanna|wanna|want to|need to|like to|let me|let us|(can|could|may|might) (i|we) [please|just|also] [get to]|how (can|do|could|may) (i|we)|is it possible to|is there a way to|id like to]';
const bot =
  '(bot|robot|chatbot|chat bot|machine|computer|program|software|ai|an ai|artificial intelligence|automated|language model|llm|human|human being|real|real human|real person|person|live person|live agent|live human|man|woman|alive)';
const very = '[so|very|really|totally|completely|absolutely|just|pretty|such|too|simply|all|a]';
const bad =
  '(useless|terrible|awful|horrible|bad|rubbish|garbage|crap|shit|bullshit|stupid|dumb|ridiculous|pathetic|joke|worthless|pointless|annoying|frustrating|unhelpful|not helpful|not useful|not helping [me]|no help|of no help|no use|wrong|incorrect|not true|not correct|not right|not good|not very (good|helpful|useful)|not (so|really) (good|helpful|useful)|false|waste of [my] time|unacceptable|the worst|worst|nonsense|disappointing|an idiot|idiot|lie|lying)';
const good =
  '(great|perfect|helpful|awesome|excellent|wonderful|cool|nice|super|superb|amazing|brilliant|fantastic|good|lovely|useful)';
const callback = '(callback|call back|phone call|callback by phone)';
const callMe = `((call|phone|ring|telephone) (me|us) [back]|give (me|us) a (${callback}|call|ring|bell) [back])`;
const wishForCall =
  '((i|we) [really|just|also] (want|need|wish|request|prefer|demand|would like|would prefer|would love) [to]|id [rather|really] (like|prefer|love) [to]|(can|could|may) (i|we) [please|just|also]|is it possible to)';
const callTime =
  '[asap|now|right now|soon|later|today|later today|tonight|tomorrow|as soon as (possible|you can)] [this|in the|tomorrow] [morning|afternoon|evening]';
const callDetails = `[by phone] [[on|at|under|my number is|my phone number is|the number is] phonenumber] ${callTime}`;

export const en: Phrases = {
  GREETING: [
    '(hi|hello|hey|hiya|howdy|greetings|yo|heya|hullo|hi hi|hello hello|welcome|aloha)',
    '[a|have a|wish you a] [very] good (morning|afternoon|evening|day)',
    '(goodmorning|goodevening|g day|gday)',
    '(morning|evening) (all|everyone|team|everybody)',
    'how (are|r) (you|u|things|ya) [all] [doing|going|today|feeling]',
    '(how is|hows) (it|everything|your day|life) [going]',
    'how do you do',
    '(whats|what is|wats) up',
    '(sup|wassup|wazzup|hru)',
    '[its] (nice|good|great|pleased|glad) to (meet|see) you',
    '(are you|you|is anyone|is anybody|is someone|is somebody|anyone|anybody|someone|hello is anyone) (there|here|online|available|around)',
    '[this is|just] [just] [a|another] (test|testing|test message)',
  ],
  THANKS: [
    '[many|ok|much|big|a big|lots of|a million|huge|no] (thanks|thank you|thank u|thankyou|thank|thx|thnx|tnx|thanx|ty|tysm|thks|tks|cheers)',
    '(thanks|thank you|thx) [(very|so|too) much|so|a lot|alot|lots|a million|a bunch|a ton|tons|again|heaps] [for] [all] [your|the|this|that] [very|great|quick|kind|fast|prompt|helpful] (help|answer|answers|reply|response|support|time|info|information|helping [me|us]|answering [me]|everything|that|this|explaining [it|this|that]|assistance|explanation|advice|tip|clarification)',
    '[i|we|really|greatly|much] [really] (appreciated|appreciate [it|that|this|your help|the help])',
    '[that|this|it|you|your answer] [has|really|all] (helped|helps) [me|us] [a lot|a bunch|very much|alot]',
    `[(that|this|it) (is|was|looks|sounds)|thats|its|you (are|were)|youre|you r|all|sounds|looks|how|what] ${very} [the] ${good} [answer|job|work|one|stuff|news|to know|to hear|bot|help|service|explanation]`,
    '(got it|gotcha|understood|i see|i understand|i get it|makes sense|that makes sense|noted|roger|well done|exactly|indeed)',
    '(ok|okay|okey|okie|k|kk|alright|all right|okidoki)',
    '(thats|that is|that was|that will be|thatll be) (all|it|everything) [i needed|i need|i wanted|i wanted to know|for now|for today]',
    '(nothing else|no more questions|no further questions|nothing more)',
    '(that|this|it) (solved|fixed|answered|answers|solves) (it|my problem|the problem|my question)',
    '(i love (it|this|you)|love it|good (bot|job)|nice one)',
  ],
  GOODBYE: [
    '[ok|good] (bye|bye bye|byebye|goodbye|good bye|cya|farewell|cheerio|ttyl|toodles)',
    '(see|c) (you|ya|u) [later|soon|tomorrow|then|around|next time]',
    '(take care|stay safe|good night|goodnight|night night|so long|catch you later)',
    '[and] [have|you have|wish you|hope you have] (a|an) (nice|good|great|lovely|wonderful|pleasant|excellent|fantastic) [rest of (your|the)] (day|evening|weekend|one|night|afternoon|week|time)',
    '(until|till) (next time|later|tomorrow|then)',
    'talk (to you soon|to you later|soon|later)',
    '[i|we] (have|need|got|gotta|ive got) [to] (go|leave|run) [now]',
    '(im|i am|we are|were) (done|finished|leaving|off) [now|here|for today]',
  ],
  IDENTITY: [
    '(who|what|wat|who the hell|what exactly|who exactly) (are|r) (you|u|ya) [exactly|really|then]',
    '(what is|whats|wats|may i (ask|know)|tell me|can i know) your name',
    'do you have a name',
    '(whos|who is|who am i|who do i|whom am i|what am i) (this|there|here|talking|speaking|chatting|writing|talk|speak) [to|with] [to|with]',
    `am i (talking|speaking|chatting|writing) (to|with) [a|an|the] [real|actual|live] ${bot} [or] [a|an|not] [${bot}] [here|now|right now]`,
    `(are|r) (you|u) [a|an|really|actually|just|even] [a|an] [real|actual|live] ${bot} [or] [a|an|not|just] [${bot}] [here|now]`,
    '(are|r) (you|u) (chatgpt|chat gpt|gpt|gpt 4|gemini|claude|siri|alexa|copilot|mistral|llama)',
    `(is|was) (this|it|that|there) [a|an|really|just] [a|an] [real|actual|live] ${bot} [or] [a|an] [${bot}] [here]`,
    `(you are|youre|this is|you must be) [just|only|obviously] [a|an] (bot|robot|chatbot|machine|computer|ai)`,
    'who [has] (made|built|created|programmed|developed|trained|wrote|designed|owns|runs) you',
    '(introduce yourself|tell me [something|more] about yourself|tell me who you are|describe yourself)',
    '(which|what) [kind of|language|ai|chat] (model|ai|bot|assistant|llm) (are you|do you use|is this|is behind this)',
  ],
  HELP: [
    '[i need|i need some|we need|need|i could use|can you|could you|would you|will you|can u|can anyone|can someone|can somebody|you|please|can you please|could you please|i want|i would like|id like] [please] help [me|us] [please|out|with something|with a question|with a problem]',
    '(can|could|would|will) (you|u) [please] (assist|support) (me|us) [please|with something]',
    '(i|we) need [some] (support|assistance)',
    'what (can|could|do|else can) (you|u) (do|help|answer|offer|help me with|help with|do for me|do for us|help us with|tell me)',
    'what (can|could|should|may|do) (i|we) (ask|ask you|do here|do with you|use you for|ask here|ask about|ask you about)',
    'how (can|could|do|may|will) (you|u) (help|assist|support) [me|us] [with]',
    'how (do|does) (you|u|this chat|the chat|this bot|the bot|this chatbot|this assistant|the assistant) work',
    '(what do you (do|know|know about|have)|what are you (able to do|for|capable of|good at)|what is your (job|purpose|function)|whats your (job|purpose|function))',
    'what [kind|kinds|sort|sorts|type|types] [of] (questions|things|topics) (can|do|could|may) (you|i|we) (answer|ask|ask you|know|help with)',
    '[can|could|may] (i|we) [please|quickly] ask [you] (something|a question|you something|questions|anything|a few questions|another question|one more question)',
    '(i|we) (have|had|got|have got) [just] (a|some|another|one|one more|few|a few|several) [quick|more|other|small|short] (question|questions)',
    '(ive|weve) [got] (a|some|another|one|one more|few|a few) [quick|more|other] (question|questions)',
    '[just] [a|one] quick question',
    '(what are|whats|show me) your (features|capabilities|functions|skills)',
    'how (can|do|should) i use (you|this chat|this bot|this assistant|this chatbot)',
    'i (need|have) (advice|a problem|an issue|a request)',
  ],
  HUMAN: [
    `${want} [to] (talk|speak|chat|write|connect|be connected|be transferred|get connected|get|get in touch|be put through|reach|contact|have|see|message) [directly] [to|with|through to|hold of] [directly to] ${person} [instead]`,
    `${want} [to] (talk|speak|chat|be connected|be transferred|get connected|get through) [directly] (to|with) ${team}`,
    `[please|can you|could you|would you|just|i want you to] [please] (get|give|find|send|bring|connect|transfer|put|forward|pass|switch|hand|escalate|redirect|refer) (me|us|this|it) [over|through] [to|with] [over to|through to] (${person}|${team})`,
    '[please] (connect|transfer|escalate|forward) (me|us|this) [now]',
    `(i|we) [really|just] (want|need|demand|require|prefer|would prefer|would like|am looking for) ${person} [not a (bot|robot|machine)] [to (help|assist|call|contact) me]`,
    `(give|get|send|find) me ${person}`,
    '(is there|are there|do you have|isnt there) [any|a|an|some] [real|live|actual|human] (human|person|humans|agent|agents|people|someone|somebody|anyone|operator|representative|employee) [here|there|available|online] [(i|we) (can|could) (talk|speak|chat|write) [to|with]|(to|who can) (talk|speak|chat|help) [to|with|me]]',
    '(can|could|would|will) (a|an|some|any|your) [real|live|actual] (human|person|agent|human agent|human being|employee|representative) [please] (help|call|contact|answer|assist|reply|write|reply to) [me|us] [back|please]',
    '(can|could|would|will) (someone|somebody) [from your team|from the team|real|human] [please] (call|contact|phone|ring|get back to) me [back]',
    '[a] (human|agent|representative|operator|real person|real human|live agent|live person|human agent|human being|live chat|live human|human support|live support|real agent|customer representative|customer service representative|customer service agent|customer service|customer support|customer care|support agent|human please|person please)',
    '(i|we) (do not|dont|did not|didnt) (want|wanna|like|want to) [to] [talk|talking|speak|speaking|chat|chatting] [to|with] [a|an|this|the|some] [stupid|dumb|bloody] (bot|bots|robot|robots|machine|machines|computer|chatbot|ai|you)',
    '(no|not) [a|an|more|another|this] (bot|bots|robot|robots|machine|chatbot|chatbots)',
    '(human|person) not [a] (bot|robot|machine)',
    `[can you|could you|would you|can u|you can|(i|we) (want|need|would like) you to|id like you to] [please|just] ${callMe} ${callDetails}`,
    `[can you|could you|would you] [please|just] (have|get|ask|let) ${person} [to] [please] ${callMe} ${callDetails}`,
    `(can|could|would|will) ${person} [please] ${callMe} ${callDetails}`,
    `((i|we) [really|just] (want|need|would like)|id [really] like) ${person} to ${callMe} ${callDetails}`,
    `${wishForCall} [get|have|request|receive|ask for|arrange|schedule|book] a (${callback}|call) ${callDetails}`,
    `${wishForCall} be (called|phoned|rung|called up) [back] ${callDetails}`,
    `(request|arrange|schedule|book) a (callback|call back) ${callDetails}`,
    '[a] (callback|call back) please',
  ],
  COMPLAINT: [
    `(this|it|that|you|this bot|the bot|this chat|this chatbot|this assistant|your answer|your answers|the answer|this answer|that answer|your service|this service|everything) (is|are|was|r|were|seems|sounds) [all|again] ${very} ${bad} [bot|answer|service|chatbot] [at all|again|ever|to me|for me]`,
    `(youre|its|thats|ur) [all|again] ${very} ${bad} [bot|answer|service|chatbot] [at all|again|ever]`,
    `(how|what a|such a|so|very|really|totally|completely|absolutely) ${bad} [bot|answer|service|chatbot]`,
    '(useless|terrible|awful|horrible|rubbish|garbage|bullshit|crap|nonsense|pathetic|ridiculous|unacceptable|unhelpful|not helpful|not useful|disappointing) [bot|answer|service|chatbot|assistant|at all]',
    '[the|your|a] (worst|bad|wrong|stupid|dumb) (bot|answer|service|chatbot|assistant|support|customer service|answers|experience) [ever]',
    '[thats|what] [a] waste of [my] time',
    'you (suck|stink|lie|lied|know nothing|are lying|cant help [me]|cannot help [me]|did not help [me]|didnt help [me]|dont help [me]|do not help [me]|dont know anything|do not know anything|dont understand [me|anything|my question|the question]|do not understand [me|anything|my question|the question]|are not helping [me]|arent helping [me]|keep repeating yourself|keep saying the same thing|didnt answer [my question|me]|did not answer [my question|me]|dont answer my question|have no idea|make no sense)',
    '(this|that|it) (doesnt|does not|didnt|did not|isnt|is not|wasnt|was not) [even|really] (help|helping|helpful|answer my question|answering my question|answer the question|what i asked|what i asked for|what i meant|useful|true|correct|right|good|an answer) [me|us] [at all]',
    '(thats|not) (not) what i (asked|meant|wanted) [for]',
    'not what i (asked|meant|wanted) [for]',
    'that makes no sense',
    '(i am|im|we are|were) [very|so|really|extremely|getting] (angry|frustrated|annoyed|disappointed|unhappy|upset|dissatisfied|not happy|not satisfied|fed up|furious|mad) [with (you|this|your service|your answers)|about this]',
    '(i|we) [really] hate (this|you|it|bots|chatbots|this bot|this chat|chat bots)',
    '[what the] (fuck|screw|damn|hell) [you|this|off|it]',
    '(wtf|shut up|idiot|moron|go to hell|fuck off|you idiot|you moron|stupid|dumb)',
  ],
  filler: [
    '(please|pls|plz|and|so|well|now|then|there|all|everyone|everybody|team|guys|folks|again|today|just|oh|ah|um|hmm|hm|wow|sir|madam|sir or madam|dear|friend|mate|buddy|bot|robot|chatbot|assistant|my friend|yes|yeah|yep|no|nope|but|also|to you|to you too|you too|too|really|sorry|excuse me|very much|so much|a lot|alot|in advance|lol|haha|hahaha|immediately|right now|asap|instead|at all)',
  ],
};
