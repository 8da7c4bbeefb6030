// The map in the page: cells as typed arrays, and the arm that reaches them.

/** As src/report/map_report.cpp writes it. */
export interface MapFile {
  format: string;
  version: number;
  thud: string;
  robot: string;
  frame: string;
  quantity: string;
  unit: string;
  model: string | null; // null: the cautious one of all
  side: string; // from which side the arm is hit, in words
  cell: number; // [m]
  samples: number;
  seed: number;
  resolution: number; // of the median [1]
  convergence: Record<"volume_half" | "volume" | "least_median" | "least_95" | "median_median" | "median_95" | "greatest_median" | "greatest_95", number | null>;
  warnings: string[];
  joints: JointFile[]; // with the followers behind them
  contact: { joint: number; p: number[] }; // the joint that carries the point, and where the point is in its frame [m]
  grid: { first: number[]; count: number[] }; // in cells
  range: { lower: number[]; upper: number[] }; // of the postures, joint by joint [rad or m]
  cells: Record<"index" | "postures" | "least" | "median" | "greatest" | "q_least" | "q_greatest", string>; // base64
}

interface JointFile {
  name: string;
  prismatic: boolean;
  parent: number;
  R: number[]; // by columns
  p: number[];
  axis: number[];
  leader: number; // whose coordinate moves it
  multiplier: number;
  offset: number;
}

export type Statistic = "least" | "median" | "greatest";
export const STATISTICS: Statistic[] = ["least", "median", "greatest"];
export type Axis = 0 | 1 | 2;
export const AXES = ["x", "y", "z"];

export interface CellMap {
  file: MapFile;
  postures: Uint32Array;
  values: Record<Statistic, Float32Array>;
  /** The cell of a place in the grid, or undefined where nothing was reached. */
  at: (place: number[]) => number | undefined;
  place: (cell: number) => number[];
  centre: (axis: Axis, place: number) => number;
  posture: (cell: number, extreme: "least" | "greatest") => number[];
}

const bytes = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;

export function readMap(file: MapFile): CellMap {
  const { cells, grid, range } = file;
  const index = new Uint32Array(bytes(cells.index));
  const values = {
    least: new Float32Array(bytes(cells.least)),
    median: new Float32Array(bytes(cells.median)),
    greatest: new Float32Array(bytes(cells.greatest)),
  };
  const q = { least: new Uint16Array(bytes(cells.q_least)), greatest: new Uint16Array(bytes(cells.q_greatest)) };
  const [, ny = 1, nz = 1] = grid.count;
  const cellOf = new Map<number, number>();
  index.forEach((place, cell) => cellOf.set(place, cell));
  return {
    file,
    postures: new Uint32Array(bytes(cells.postures)),
    values,
    at: ([i = 0, j = 0, k = 0]) => cellOf.get((i * ny + j) * nz + k),
    place: (cell) => {
      const place = index[cell] ?? 0;
      return [Math.floor(place / (ny * nz)), Math.floor(place / nz) % ny, place % nz];
    },
    centre: (axis, place) => Number((((grid.first[axis] ?? 0) + place) * file.cell).toFixed(9)),
    posture: (cell, extreme) =>
      range.lower.map((lower, i) => lower + (((q[extreme][cell * range.lower.length + i] ?? 0) / 65535) * ((range.upper[i] ?? 0) - lower))),
  };
}

type Pose = { R: number[]; p: number[] };

const rotate = (R: number[], v: number[]): number[] => [0, 1, 2].map((row) => [0, 1, 2].reduce((sum, k) => sum + (R[row + 3 * k] ?? 0) * (v[k] ?? 0), 0));
const times = (A: number[], B: number[]): number[] => [0, 3, 6].flatMap((column) => rotate(A, B.slice(column, column + 3)));
const add = (a: number[], b: number[]): number[] => a.map((value, i) => value + (b[i] ?? 0));

// Rodrigues: the rotation about a unit axis.
function turn(axis: number[], angle: number): number[] {
  const [x = 0, y = 0, z = 0] = axis;
  const c = Math.cos(angle), s = Math.sin(angle), d = 1 - c;
  return [c + x * x * d, y * x * d + z * s, z * x * d - y * s, x * y * d - z * s, c + y * y * d, z * y * d + x * s, x * z * d + y * s, y * z * d - x * s, c + z * z * d];
}

/** Origins of the frames from the base to the contact point, in the world [m]. */
export function armLine(file: MapFile, q: number[]): number[][] {
  const chain: number[] = [];
  for (let joint = file.contact.joint; joint >= 0; joint = file.joints[joint]?.parent ?? -1) chain.unshift(joint);
  let pose: Pose = { R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0] };
  const points = [pose.p];
  for (const index of chain) {
    const joint = file.joints[index];
    if (!joint) continue;
    const value = joint.multiplier * (q[joint.leader] ?? 0) + joint.offset;
    const R = times(pose.R, joint.R);
    const p = add(pose.p, rotate(pose.R, joint.p));
    pose = joint.prismatic ? { R, p: add(p, rotate(R, joint.axis.map((each) => each * value))) } : { R: times(R, turn(joint.axis, value)), p };
    points.push(pose.p);
  }
  points.push(add(pose.p, rotate(pose.R, file.contact.p)));
  return points;
}
