/** A short sound for each move. It is off until somebody turns it on. */

import { isSoundOn } from "./seats.js";

/** @type {AudioContext | null} */
let context = null;

/** @param {"move" | "end"} kind */
export function playSound(kind) {
	if (!isSoundOn()) return;
	context ??= new AudioContext();
	const notes = kind === "move" ? [320] : [392, 523];
	notes.forEach((frequency, index) => knock(frequency, index * 0.12));
}

/** @param {number} frequency @param {number} delay In seconds. */
function knock(frequency, delay) {
	if (!context) return;
	const start = context.currentTime + delay;
	const tone = new OscillatorNode(context, { type: "triangle", frequency });
	const volume = new GainNode(context, { gain: 0.2 });
	volume.gain.setValueAtTime(0.2, start);
	volume.gain.exponentialRampToValueAtTime(0.001, start + 0.15);
	tone.connect(volume).connect(context.destination);
	tone.start(start);
	tone.stop(start + 0.16);
}
