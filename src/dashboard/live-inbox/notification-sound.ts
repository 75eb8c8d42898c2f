import { useSwitchSetting } from '../components/use-switch-setting.ts';

const storageKey = 'grounded-chat sound';

/** Whether this browser plays a sound. The default is off. */
export const useSoundSetting = () => useSwitchSetting(storageKey, false);

/** Plays the sound if the operator enabled it. */
export function playSoundIfEnabled(): void {
  if (localStorage.getItem(storageKey) === 'true') playSound();
}

const tones = [
  { hertz: 660, startSeconds: 0 },
  { hertz: 880, startSeconds: 0.12 },
];
const toneSeconds = 0.2;

/** Plays two short tones. Browsers play no sound until the operator has clicked on the page. */
export function playSound(): void {
  const audio = new AudioContext();
  const now = audio.currentTime;
  for (const { hertz, startSeconds } of tones) {
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const volume = new GainNode(audio, { gain: 0.1 });
    volume.gain.exponentialRampToValueAtTime(0.001, now + startSeconds + toneSeconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + startSeconds);
    tone.stop(now + startSeconds + toneSeconds);
  }
  setTimeout(() => audio.close(), 1_000);
}
