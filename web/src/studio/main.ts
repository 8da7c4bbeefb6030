// The studio: four views of one program, each with an address that restores it.
import type { Robot, Studio } from "../../generated/studio";
import "../style.css";
import "./studio.css";
import { element } from "../text";
import { formatAddress, lastAddress, openAddress, readAddress, VIEWS, writeView, type ViewName } from "./address";
import { get, watchConnection } from "./api";
import { robotOf, type Context, type View } from "./context";
import { button, notice } from "./controls";
import { fitView } from "./fit";
import { hitView } from "./hit";
import { mapView } from "./map";
import { savePicture } from "./picture";
import { studioScene } from "./scene";
import { studyView } from "./study";

const TITLES: Record<ViewName, string> = { hit: "Hit", fit: "Fit", map: "Map", study: "Study" };
const MAKERS: Record<ViewName, (context: Context) => View> = { hit: hitView, fit: fitView, map: mapView, study: studyView };
const ABSENT = {
  away: "The program does not answer: it has ended, or it is starting. This page goes on by itself as soon as it is there.",
  anew: "The program was started anew. Open the address that it printed in this browser; this page then goes on by itself.",
};

// The token has done its work: it is a cookie now.
function hideToken(): void {
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function codeDialog(text: () => { command: string; python: string }): { dialog: HTMLDialogElement; open: () => void } {
  const refused = notice();
  const parts = (["command", "python"] as const).map((key) => {
    const pre = element("pre", { tabindex: "0", "aria-label": key === "command" ? "Command line" : "Python" });
    const copy = button("Copy", () => {
      refused.say("");
      const done = (): void => {
        copy.textContent = "Copied";
        window.setTimeout(() => (copy.textContent = "Copy"), 1200);
      };
      navigator.clipboard.writeText(pre.textContent ?? "").then(done, (error: unknown) => refused.say(`The browser does not let the page copy (${message(error)}): select the text and copy it.`));
    });
    return { key, pre, box: element("section", {}, element("div", { class: "dialog-head" }, element("h3", {}, key === "command" ? "Command line" : "Python"), copy), pre) };
  });
  const dialog = element("dialog", { class: "code", "aria-label": "The same without the studio" });
  dialog.append(element("div", { class: "dialog-head" }, element("h2", {}, "The same without the studio"), button("Close", () => dialog.close(), { "aria-label": "Close" })), refused.box, ...parts.map(({ box }) => box));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return {
    dialog,
    open() {
      const now = text();
      refused.say("");
      for (const { key, pre } of parts) pre.textContent = now[key];
      dialog.showModal();
    },
  };
}

function start(page: HTMLElement, studio: Studio): void {
  const scene = studioScene(writeView);
  const views = new Map<ViewName, View>();
  const context: Context = {
    studio,
    scene,
    robot: (name): Promise<Robot> => robotOf(name),
    go: (view, values) => openAddress(formatAddress(view, values)),
    busy(view, busy) {
      const link = tabs.find(({ name }) => name === view)?.link;
      if (busy) link?.setAttribute("aria-busy", "true");
      else link?.removeAttribute("aria-busy");
    },
    nameOf(id) {
      const file = studio.files.find((each) => each.id === id);
      return file?.path ?? file?.name ?? id;
    },
  };
  let current: ViewName | null = null;
  const viewOf = (name: ViewName): View => {
    const known = views.get(name);
    if (known) return known;
    const made = MAKERS[name](context);
    views.set(name, made);
    return made;
  };

  const tabs = VIEWS.map((name) => {
    const link = element("a", { href: `#${name}`, class: "tab" }, TITLES[name]);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab or window of the browser
      event.preventDefault();
      if (name !== current) openAddress(lastAddress(name));
    });
    return { name, link };
  });
  const code = codeDialog(() => (current ? viewOf(current).code() : { command: "", python: "" }));
  const picture = (form: "svg" | "png") => (): void => {
    refused.say("");
    if (current) viewOf(current).picture().then((made) => made && savePicture(made, form)).catch((error: unknown) => refused.say(`No picture was saved: ${message(error)}`));
  };
  const refused = notice("picture");
  const banner = element("p", { class: "banner", role: "status" });
  banner.hidden = true;
  const holder = element("div", { class: "holder" });
  page.replaceChildren(
    element("header", { class: "bar" }, element("a", { class: "mark", href: "#hit", "aria-label": "thud studio" }, "thud"), element("nav", { class: "tabs", "aria-label": "Views" }, ...tabs.map(({ link }) => link)),
      element("div", { class: "bar-tools" }, button("Code", code.open, { title: "The same as a command line and in Python" }), button("SVG", picture("svg"), { "aria-label": "Save picture as SVG" }), button("PNG", picture("png"), { "aria-label": "Save picture as PNG" }))),
    banner, refused.box, holder, code.dialog);

  async function show(): Promise<void> {
    const { view, values } = readAddress();
    if (current !== null && current !== view) (refused.say(""), viewOf(current).close());
    current = view;
    for (const { name, link } of tabs) {
      if (name === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `thud studio: ${TITLES[view]}`;
    const made = viewOf(view);
    if (holder.firstElementChild !== made.box) holder.replaceChildren(made.box);
    await made.open(values);
  }
  window.addEventListener("hashchange", () => void show());

  // A file that falls beside what takes it must not be opened by the browser in the place of this page.
  for (const kind of ["dragover", "drop"] as const)
    window.addEventListener(kind, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    });

  watchConnection((state) => {
    banner.hidden = state === "here";
    if (state !== "here") banner.textContent = ABSENT[state];
    else if (current) viewOf(current).resume();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    scene.recolour();
    for (const view of views.values()) view.recolour();
  });
  void show();
}

async function begin(): Promise<void> {
  const page = document.getElementById("page");
  if (!page) return;
  hideToken();
  try {
    const studio = await get<Studio>("/api/studio");
    if (!location.hash && studio.subject_kind && studio.subject_kind !== "robot") history.replaceState(null, "", studio.subject_kind === "dataset" ? "#study" : "#fit");
    start(page, studio);
  } catch (error) {
    page.replaceChildren(element("p", { class: "banner", role: "alert" }, `${ABSENT.away} (${error instanceof Error ? error.message : String(error)})`));
    window.setTimeout(() => location.reload(), 1500);
  }
}

void begin();
