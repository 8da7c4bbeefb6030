// A hit in slow motion: joints move on at their rates before the touch, change them as the impulse grows, and go on.

export interface Motion {
  q: readonly number[];
  dq: readonly number[]; // before
  jump: readonly number[]; // of the joint rates by the whole impulse
  time: readonly number[]; // of the contact [s]
  impulse: readonly number[]; // up to then [N s]
  object: readonly number[] | null; // its velocity after, world axes [m/s]
}

export interface Instant {
  time: number; // from first touch [s]
  q: number[];
  share: number; // of the impulse, 0 to 1
  object: [number, number, number]; // moved so far [m]
}

const BEFORE = 0.25; // shown before the touch [s]
const AFTER = 0.35; // and after it
const OUTSIDE = 4; // so many times slower than real
const CONTACT = 3; // the contact takes that long on the screen [s]

export interface Player {
  play: () => void;
  stop: () => void;
  playing: () => boolean;
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value));

// Share of the impulse and its integral over time, at the samples of the contact.
function shares({ time, impulse }: Motion): { share: number[]; integral: number[] } {
  const whole = impulse.at(-1) || 1;
  const share = impulse.map((value) => value / whole);
  const integral = [0];
  for (let i = 1; i < time.length; ++i) integral.push(integral[i - 1]! + ((share[i]! + share[i - 1]!) / 2) * (time[i]! - time[i - 1]!));
  return { share, integral };
}

/** The arm at an instant. */
export function instantOf(motion: Motion, when: number): Instant {
  const { share, integral } = shares(motion);
  const end = motion.time.at(-1) ?? 0;
  const inside = clamp(end > 0 ? when / end : 1) * end;
  let i = motion.time.findIndex((time) => time >= inside);
  if (i < 0) i = motion.time.length - 1;
  const now = when <= 0 ? 0 : (share[i] ?? 1);
  const gone = when <= 0 ? 0 : (integral[i] ?? 0) + Math.max(0, when - end); // integral of the share so far [s]
  return {
    time: when,
    q: motion.q.map((value, joint) => value + (motion.dq[joint] ?? 0) * when + (motion.jump[joint] ?? 0) * gone),
    share: now,
    object: [0, 1, 2].map((axis) => (motion.object?.[axis] ?? 0) * gone) as [number, number, number],
  };
}

/** Plays a motion; `show` gets each instant and how many times slower it runs, and null at the end. */
export function player(motion: () => Motion | null, show: (instant: Instant | null, slower: number) => void): Player {
  let frame = 0;
  let begun = 0;
  function step(now: number): void {
    const played = motion();
    begun ||= now;
    const elapsed = (now - begun) / 1000;
    const contact = played?.time.at(-1) ?? 0;
    const parts = [BEFORE * OUTSIDE, CONTACT, AFTER * OUTSIDE];
    if (!played || elapsed > parts[0]! + parts[1]! + parts[2]!) return stop();
    if (elapsed < parts[0]!) show(instantOf(played, elapsed / OUTSIDE - BEFORE), OUTSIDE);
    else if (elapsed < parts[0]! + parts[1]!) show(instantOf(played, ((elapsed - parts[0]!) / CONTACT) * contact), CONTACT / contact);
    else show(instantOf(played, contact + (elapsed - parts[0]! - parts[1]!) / OUTSIDE), OUTSIDE);
    frame = requestAnimationFrame(step);
  }
  function stop(): void {
    cancelAnimationFrame(frame);
    if (frame) show(null, 1);
    frame = begun = 0;
  }
  return {
    play() {
      stop();
      frame = requestAnimationFrame(step);
    },
    stop,
    playing: () => frame !== 0,
  };
}
