// Helpers for boards: short sounds, and waiting.

let audio: AudioContext | undefined;

/** A short wooden or bone click; nothing where sound is off or the browser has none. */
export function click(on: boolean, pitch = 420, length = 0.06): void {
  if (!on || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  const voice = audio.createOscillator();
  const volume = audio.createGain();
  voice.type = "triangle";
  voice.frequency.setValueAtTime(pitch, now);
  voice.frequency.exponentialRampToValueAtTime(pitch * 0.55, now + length);
  volume.gain.setValueAtTime(0.18, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + length);
  voice.connect(volume).connect(audio.destination);
  voice.start(now);
  voice.stop(now + length);
}

export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
