// Files that the user drops on the page or opens with a button.
import type { File as Opened } from "../../generated/studio";
import { element } from "../text";
import { upload } from "./api";

/** A place to drop files on, with a button for those who do not drag. */
export function dropZone(text: string, accept: string, take: (files: File[]) => void): HTMLElement {
  const input = element("input", { type: "file", multiple: "", accept, "aria-label": text, class: "file-input" });
  input.addEventListener("change", () => {
    take([...(input.files ?? [])]);
    input.value = "";
  });
  const box = element("label", { class: "drop" }, element("span", {}, text), input);
  acceptDrops(box, take);
  return box;
}

/** Makes a part of the page take dropped files. */
export function acceptDrops(box: HTMLElement, take: (files: File[]) => void): void {
  const over = (event: DragEvent): void => {
    event.preventDefault();
    box.classList.add("over");
  };
  box.addEventListener("dragenter", over);
  box.addEventListener("dragover", over);
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    box.classList.remove("over");
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Adds files to a list that has each once. */
export function addFiles(list: Opened[], opened: Opened[]): void {
  for (const file of opened) if (!list.some(({ id }) => id === file.id)) list.push(file);
}

/** Gives files to the program; what it refuses is told, the others are taken. */
export async function openFiles(files: File[], refused: (text: string) => void): Promise<Opened[]> {
  const opened: Opened[] = [];
  const refusals: string[] = [];
  for (const file of files)
    try {
      opened.push(await upload<Opened>(file.name, file));
    } catch (error) {
      refusals.push(error instanceof Error ? error.message : String(error));
    }
  refused(refusals.join("\n"));
  return opened;
}

/** Those of one kind, for a view that takes nothing else: the others are refused beside what the program refuses. */
export async function openOnly(kind: Opened["kind"], name: string, files: File[], refused: (text: string) => void): Promise<Opened[]> {
  let refusals = "";
  const opened = await openFiles(files, (text) => (refusals = text));
  const others = opened.filter((file) => file.kind !== kind).map((file) => `${file.name}: ${file.kind}: is no ${name}`);
  refused([refusals, ...others].filter((text) => text).join("\n"));
  return opened.filter((file) => file.kind === kind);
}
