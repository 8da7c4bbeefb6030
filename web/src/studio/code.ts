// What is on the screen, as a command line and as Python: both are made from the options that the page sends.

export type Value = number | string | boolean | readonly number[] | readonly string[] | null | undefined;
export type Options = Record<string, Value>;

export interface Code {
  command: string;
  python: string;
}

export const numberText = (value: number): string => String(Number(value.toPrecision(7)));

function valueText(value: Exclude<Value, null | undefined | boolean>): string {
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return value;
  return value.map((each) => (typeof each === "number" ? numberText(each) : each)).join(",");
}

const quote = (text: string): string => (/^[\w.,:/=+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A command with its options; one that begins with a sign is joined to its name. */
export function commandLine(command: string, subjects: string[], options: Options): string {
  const words = Object.entries(options).flatMap(([key, value]) => {
    if (value === null || value === undefined || value === false) return [];
    if (value === true) return [`--${key}`];
    const text = valueText(value);
    return [text.startsWith("-") ? `--${key}=${quote(text)}` : `--${key} ${quote(text)}`];
  });
  const line = ["thud", command, ...subjects.map(quote), ...words].join(" ");
  if (line.length <= 100) return line;
  return [["thud", command, ...subjects.map(quote)].join(" "), ...wrap(words, 96)].join(" \\\n    ");
}

function wrap(words: string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A value of Python. */
export const python = (value: number | string | readonly number[]): string =>
  typeof value === "number" ? numberText(value) : typeof value === "string" ? JSON.stringify(value) : `[${value.map(numberText).join(", ")}]`;

const CLASSES: Record<string, string> = { spring: "Spring", maxwell: "Maxwell", viscoelastic: "Viscoelastic", hunt_crossley: "HuntCrossley" };

export const pythonLaw = (law: string, parameters: Record<string, number>): string =>
  `thud.${CLASSES[law] ?? law}(${Object.entries(parameters).map(([name, value]) => `${name}=${numberText(value)}`).join(", ")})`;

export const pythonArm = (robot: string, frame: string, offset: readonly number[], normal: readonly number[]): string[] => [
  `robot = thud.load_robot(${python(robot)})`,
  `point = thud.ContactPoint(frame=${python(frame)}, offset=${python(offset)}, normal_W=${python(normal)})`,
];
