// The address of a view: its name and what it shows, behind the # of the page's address, so that a link or a reload
// restores it and the program never sees it.

export type ViewName = "hit" | "fit" | "map" | "study";
export const VIEWS: ViewName[] = ["hit", "fit", "map", "study"];

export interface Address {
  view: ViewName;
  values: URLSearchParams;
}

export function readAddress(hash: string = location.hash): Address {
  const [name = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const view = VIEWS.find((each) => each === name) ?? "hit";
  return { view, values: new URLSearchParams(query) };
}

/** Commas and signs stay readable: they have no meaning in what is behind the #. */
export function formatAddress(view: ViewName, values: Record<string, string>): string {
  const query = Object.entries(values).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("%2F", "/")}`);
  return `#${view}${query.length ? `?${query.join("&")}` : ""}`;
}

// Browsers refuse a page that changes its address more than a hundred or two times in ten seconds.
const PACE = 150; // between two changes of many [ms]
const BURST = 20; // so many are made at once

const last = new Map<ViewName, string>();
let pending: { hash: string; from: string; timer: number } | null = null; // a change that waits, and the address that it changes
let due = 0; // when the changes that were made would be over at that pace [ms]

/** Puts the address of a view into the page's without a new entry in its history, if the view is open: at once, or soon where many come fast. */
export function writeAddress(view: ViewName, values: Record<string, string>): void {
  const hash = formatAddress(view, values);
  last.set(view, hash);
  if (readAddress().view !== view) return;
  window.clearTimeout(pending?.timer);
  const wait = due - BURST * PACE - performance.now();
  pending = { hash, from: location.hash, timer: window.setTimeout(settle, wait) };
  if (wait <= 0) settle();
}

// What waits is written, unless another address was opened meanwhile.
function settle(): void {
  if (pending === null) return;
  const { hash, from, timer } = pending;
  window.clearTimeout(timer);
  pending = null;
  if (location.hash !== from || hash === from) return;
  history.replaceState(null, "", hash);
  due = Math.max(due, performance.now()) + PACE;
}

/** Goes to another address, from which the way back leads to this one as it is now. */
export function openAddress(hash: string): void {
  settle();
  location.hash = hash;
}

/** The camera alone has moved: the rest of the address stays. */
export function writeView(camera: string): void {
  const { view, values } = readAddress(pending?.from === location.hash ? pending.hash : location.hash);
  writeAddress(view, { ...Object.fromEntries(values), view: camera });
}

/** The address of a view, whether it is open or was left: what it shows, or will show when one comes back. */
export const lastAddress = (view: ViewName): string => last.get(view) ?? `#${view}`;

/** Numbers as the command line takes them, with digits that are enough to restore them. */
export const listText = (values: readonly number[], digits = 7): string => values.map((value) => String(Number(value.toPrecision(digits)))).join(",");

export function readList(text: string | null, length: number): number[] | null {
  const values = text?.split(",").map(Number) ?? [];
  return values.length === length && values.every(Number.isFinite) ? values : null;
}
