import type { Look } from '../look.ts';
import type { Settings } from '../settings.ts';
import { contrastingTextColor, readableColor } from './contrast.ts';

/**
 * Creates the style sheets of the widget. A script constructs them, because a page's Content-Security-Policy may forbid
 * inline styles.
 */
export function createStyleSheets({ theme }: Settings) {
  const createSheet = (text = '') => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  };
  const accent = createSheet();
  const byScheme = `@media (prefers-color-scheme: dark) { :host { ${dark} } }`;
  return {
    sheets: [
      accent,
      createSheet(`:host { ${theme === 'dark' ? dark : light} }`),
      ...(theme === 'auto' ? [createSheet(byScheme)] : []),
      createSheet(rules),
    ],
    setLook({ color }: Look) {
      const shown = color ?? '#1d4ed8';
      accent.replaceSync(
        `:host { --accent: ${shown}; --on-accent: ${contrastingTextColor(shown)};
          --on-light: ${readableColor(shown, soft.light)}; --on-dark: ${readableColor(shown, soft.dark)}; }`,
      );
    },
  };
}

/** Background of bubbles. Links on it have less contrast than on the panel. */
const soft = { light: '#f2f4f7', dark: '#282b32' };

const light = `color-scheme: light; --paper: #fff; --ink: #1a1d23; --dim: #5a6270; --line: #e3e6eb; --soft: ${soft.light};
  --link: var(--on-light); --red: #b42318; --ring: var(--on-light); --shadow: 0 12px 40px rgb(15 23 42 / .18), 0 2px 8px rgb(15 23 42 / .08);`;
const dark = `color-scheme: dark; --paper: #1b1d22; --ink: #eceef2; --dim: #a5adba; --line: #33373f; --soft: ${soft.dark};
  --link: var(--on-dark); --red: #ff9d94; --ring: var(--on-dark); --shadow: 0 12px 40px rgb(0 0 0 / .5);`;

const rules = `
:host { all: initial; position: fixed; inset: auto 20px 20px auto; z-index: 2147483000;
  font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--ink); }
:host(:dir(rtl)), :host([data-left]) { inset: auto auto 20px 20px; }
:host([data-left]:dir(rtl)) { inset: auto 20px 20px auto; }
:host([data-left]) .launcher { margin-inline: 0 auto; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
h1, h2, p, ul, blockquote { margin: 0; padding: 0; }
ul { list-style: none; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); padding: 7px 14px; }
button:hover { background: var(--soft); }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
svg { width: 22px; height: 22px; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; display: block; }

.launcher { position: relative; display: grid; place-items: center; width: 56px; height: 56px; padding: 0; border: 0;
  border-radius: 50%; background: var(--accent); color: var(--on-accent); box-shadow: var(--shadow); margin-inline-start: auto; }
.launcher:hover { background: var(--accent); filter: brightness(1.08); }
.launcher svg { width: 27px; height: 27px; }
.badge { position: absolute; inset: -4px -4px auto auto; min-width: 22px; height: 22px; padding: 0 6px; border-radius: 11px;
  background: #b42318; color: #fff; font-size: 13px; font-weight: 600; line-height: 22px; }

.panel { display: flex; flex-direction: column; width: 392px; max-width: calc(100vw - 40px);
  height: min(640px, calc(100dvh - 112px)); margin-block-end: 16px; overflow: hidden; border: 1px solid var(--line);
  border-radius: 16px; background: var(--paper); box-shadow: var(--shadow); }
.header { display: flex; align-items: center; gap: 2px; padding: 10px 10px 10px 18px; border-block-end: 1px solid var(--line); }
.header:dir(rtl) { padding: 10px 18px 10px 10px; }
.logo { flex: none; max-width: 96px; height: 28px; margin-inline-end: 8px; border-radius: 6px; object-fit: contain; }
h1 { flex: 1; font-size: 16px; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.icon { position: relative; display: grid; place-items: center; width: 36px; height: 36px; padding: 0; border: 0; background: none; color: var(--dim); }
.icon:hover { color: var(--ink); }

.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 18px; }
.log:focus-visible { outline-offset: -3px; }
.ai { color: var(--dim); font-size: 13px; padding-block-end: 8px; }
.greeting { color: var(--dim); padding-block-end: 14px; }
.starters { display: flex; flex-direction: column; align-items: flex-start; gap: 8px; padding-block-end: 14px; }
.starters button { max-width: 100%; border-color: var(--dim); border-radius: 14px; text-align: start; overflow-wrap: anywhere; }
h2:focus { outline: 0; }
.conversations ul { display: grid; gap: 6px; padding: 12px 0; }
.conversation { width: 100%; text-align: start; overflow-wrap: anywhere; }
.conversation .hint { display: block; padding: 0; }
.new:not(:empty) { display: inline-block; margin-block-start: 4px; padding: 0 8px; border-radius: 11px; background: #b42318; color: #fff;
  font-size: 13px; font-weight: 600; }
.icon .badge { inset: 0 0 auto auto; min-width: 17px; height: 17px; padding: 0 4px; font-size: 11px; line-height: 17px; }
.messages { display: flex; flex-direction: column; gap: 14px; }
.message { max-width: 88%; align-self: flex-start; }
.user { align-self: flex-end; }
.bubble { padding: 9px 13px; border-radius: 14px; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
.user .bubble { background: var(--accent); color: var(--on-accent); }
.agent .bubble { background: var(--paper); border: 1px solid var(--line); }
.system { align-self: center; text-align: center; }
.system .bubble { background: none; color: var(--dim); font-size: 14px; }
.speaker { display: block; padding-block-end: 3px; font-size: 13px; font-weight: 600; color: var(--dim); }
.failure { padding-block-start: 4px; color: var(--red); font-size: 14px; }
.failure:empty { display: none; }
a, .link { color: var(--link); text-decoration: underline; text-underline-offset: 2px; }
.link, .link:hover { padding: 0; border: 0; background: none; font-size: inherit; }

.marker { display: inline-grid; place-items: center; min-width: 24px; height: 24px; margin-inline: 1px; padding: 0 4px;
  border-radius: 7px; font-size: 12px; line-height: 1; color: var(--link); vertical-align: 1px; }
.sources { padding-block-start: 6px; }
.sources li { font-size: 13.5px; }
summary, .bare { display: flex; align-items: center; gap: 7px; padding: 4px 2px; border-radius: 6px; color: var(--dim); overflow-wrap: anywhere; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { color: var(--ink); }
summary::after { content: ""; flex: none; width: 7px; height: 7px; margin-inline-start: auto; border: solid currentcolor;
  border-width: 0 1.6px 1.6px 0; transform: translateY(-2px) rotate(45deg); }
[open] > summary::after { transform: translateY(1px) rotate(225deg); }
.number { flex: none; color: var(--link); min-width: 20px; padding: 0 5px; border: 1px solid var(--line); border-radius: 6px; text-align: center; font-size: 12px; }
blockquote { margin: 2px 0 6px; padding: 6px 11px; border-inline-start: 3px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
.rating { display: flex; padding-block-start: 2px; }
.small { width: 30px; height: 30px; }
.small svg { width: 17px; height: 17px; }
.small[aria-pressed=true] { color: var(--link); }
.small[aria-pressed=true] path { fill: color-mix(in srgb, currentcolor 22%, transparent); }

.dots { display: inline-flex; gap: 5px; padding: 15px 14px; border-radius: 14px; background: var(--soft); }
.dots i { width: 7px; height: 7px; border-radius: 50%; background: var(--dim); opacity: .5; }

.typing { padding-block-start: 14px; font-size: 14px; color: var(--dim); }

.talk { padding: 10px 14px 14px; border-block-start: 1px solid var(--line); }
.status { color: var(--dim); font-size: 14px; }
.status:not(:empty) { padding-block-end: 9px; }
.human { display: block; margin-block-end: 10px; padding: 5px 12px; border-radius: 999px; font-size: 14px; }
.human.urged { border-color: var(--link); color: var(--link); font-weight: 600; }
.composer { display: flex; align-items: flex-end; gap: 6px; padding: 4px 4px 4px 12px; border: 1px solid var(--line); border-radius: 12px; }
.length { display: flex; gap: 8px; justify-content: flex-end; padding-block-start: 6px; color: var(--dim); font-size: 13px; }
.length[data-too-long] { color: var(--red); }
.composer:dir(rtl) { padding: 4px 12px 4px 4px; }
.composer:focus-within { border-color: var(--ring); box-shadow: 0 0 0 1px var(--ring); }
.composer textarea { flex: 1; min-height: 36px; max-height: 132px; padding: 6px 0; border: 0; outline: 0; resize: none;
  background: none; field-sizing: content; }
::placeholder { color: var(--dim); opacity: 1; }
.send { flex: none; border-radius: 9px; background: var(--accent); color: var(--on-accent); }
.send:hover { background: var(--accent); color: var(--on-accent); }
.send[aria-disabled=true] { background: var(--soft); color: var(--dim); cursor: default; }
.stop path { fill: currentcolor; }
:dir(rtl) > .send svg { transform: scaleX(-1); }

.handoff { max-height: 75%; overflow-y: auto; padding: 14px 18px 16px; border-block-start: 1px solid var(--line); }
h2 { font-size: 16px; font-weight: 650; }
.hint { color: var(--dim); font-size: 14px; padding-block-end: 8px; }
.notice { padding-block-end: 8px; font-size: 14px; font-weight: 550; }
.notice:empty { display: none; }
.field { padding-block-end: 9px; }
.field label { display: block; padding-block-end: 3px; font-size: 14px; font-weight: 550; }
.field input, .field textarea { width: 100%; padding: 7px 10px; border: 1px solid var(--dim); border-radius: 8px; background: var(--paper); resize: none; }
.buttons { display: flex; justify-content: flex-end; gap: 8px; padding-block-start: 6px; }
.primary, .primary:hover { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }

.satisfaction { max-height: 45dvh; overflow-y: auto; margin: 0 -4px 10px; padding: 0 4px 10px; border-block-end: 1px solid var(--line); }
.ask { display: flex; align-items: flex-start; gap: 6px; }
.ask h2 { flex: 1; font-size: 15px; padding-block: 6px; }
.scale { display: grid; grid-template-columns: repeat(5, 1fr); gap: 6px; padding-block-end: 8px; }
.level { min-height: 40px; padding: 0; border-color: var(--dim); font-weight: 600; }
.level[aria-pressed=true] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.ends { grid-column: 1 / -1; display: flex; justify-content: space-between; gap: 12px; color: var(--dim); font-size: 13px; }
.ends span:last-child { text-align: end; }
.thanks { font-size: 14px; }

@media (max-width: 480px) {
  :host([data-open]), :host([data-open]:dir(rtl)) { inset: 0; }
  :host([data-open]) .launcher { display: none; }
  .panel { width: 100%; max-width: none; height: 100dvh; margin: 0; border: 0; border-radius: 0; }
  .composer textarea, .field input, .field textarea { font-size: 16px; }
}
@media (prefers-reduced-motion: no-preference) {
  .panel { animation: rise .18s ease-out; }
  .dots i { animation: breathe 1.2s infinite; }
  .dots i:nth-child(2) { animation-delay: .15s; }
  .dots i:nth-child(3) { animation-delay: .3s; }
  @keyframes rise { from { opacity: 0; transform: translateY(10px); } }
  @keyframes breathe { 40% { opacity: 1; } }
}
@media (forced-colors: active) { .level[aria-pressed=true] { outline: 2px solid; } .launcher, .panel, .bubble, .send { border: 1px solid; } }
@media print { :host { display: none; } }
`;
