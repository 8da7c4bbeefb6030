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

const last = new Map<ViewName, string>();

/** Puts the address of a view into the page's without a new entry in its history, if the view is open. */
export function writeAddress(view: ViewName, values: Record<string, string>): void {
  const hash = formatAddress(view, values);
  last.set(view, hash);
  if (readAddress().view === view && hash !== location.hash) history.replaceState(null, "", hash);
}

/** The camera alone has moved: the rest of the address stays. */
export function writeView(camera: string): void {
  const { view, values } = readAddress();
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
