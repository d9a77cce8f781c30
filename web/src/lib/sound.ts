/** One soft pluck, for those who want it: it is your turn. */

import { remembered } from './remembered.svelte';

let context: AudioContext | null = null;

export function chime(): void {
  if (!remembered.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [i, pitch] of [392, 587.33].entries()) {
    const string = context.createOscillator();
    const loud = context.createGain();
    string.type = 'triangle';
    string.frequency.value = pitch;
    loud.gain.setValueAtTime(0, now + i * 0.09);
    loud.gain.linearRampToValueAtTime(0.09, now + i * 0.09 + 0.01);
    loud.gain.exponentialRampToValueAtTime(0.0001, now + i * 0.09 + 0.5);
    string.connect(loud).connect(context.destination);
    string.start(now + i * 0.09);
    string.stop(now + i * 0.09 + 0.55);
  }
}
