// The sound of a stone, a short knock. The browser synthesises the sound, so no file is loaded. Sound is off by
// default.

import {setting} from "../dom.js";

let context = null;

export function click() {
  if (!setting("sound", false)) return;
  context ||= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  loudness.gain.setValueAtTime(0.25, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(loudness).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
