// Pictures of what is on the screen: vector graphics, the scene in them as an image; PNG is the same, drawn.
import { chartPictures } from "../chart";
import { element } from "../text";
import { variable } from "../theme";
import type { Picture } from "./context";
import type { StudioScene } from "./scene";

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const KEPT = ["stroke", "stroke-width", "stroke-dasharray", "fill", "font-size", "font-weight", "font-family", "text-anchor", "visibility", "opacity"];

/** A drawing of the page with the colours that its style sheet gives it now. */
function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    copies[i]?.setAttribute("style", KEPT.map((name) => `${name}:${style.getPropertyValue(name).replaceAll('"', "'")}`).join(";"));
  });
  return new XMLSerializer().serializeToString(copy);
}

function nested(svg: string, y: number, width: number, height: number): string {
  return svg.replace(/^[^<]*<svg/, `<svg x="0" y="${y}"`).replace(/(<svg[^>]*?) width="[^"]*"/, "$1").replace(/(<svg[^>]*?) height="[^"]*"/, "$1").replace(/<svg/, `<svg width="${width}" height="${height}"`);
}

function frame(width: number, height: number, title: string, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<title>${escape(title)}</title><rect width="100%" height="100%" fill="${variable("--paper")}"/>${parts.join("")}</svg>`;
}

function sceneImage(scene: StudioScene): { part: string; width: number; height: number } {
  const image = scene.image();
  if (!image) return { part: "", width: 0, height: 0 };
  return { part: `<image x="0" y="0" width="${image.width}" height="${image.height}" href="${image.url}"/>`, width: image.width, height: image.height };
}

const words = (x: number, y: number, text: string, anchor = "start"): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="${escape(getComputedStyle(document.body).fontFamily)}" font-size="12" fill="${variable("--ink")}">${escape(text)}</text>`;

/** What the colours of a slice stand for, from the least to the greatest. */
export function colourScale(title: string, colours: readonly string[], ends: readonly string[]): string {
  const [left, width] = [16, 208];
  const stops = colours.map((colour, i) => `<stop offset="${i / (colours.length - 1)}" stop-color="${colour}"/>`);
  const at = (i: number): number => left + (width * i) / (ends.length - 1);
  return `<defs><linearGradient id="scale">${stops.join("")}</linearGradient></defs>${words(left, 24, title)}<rect x="${left}" y="32" width="${width}" height="8" fill="url(#scale)"/>` +
    ends.map((text, i) => words(at(i), 54, text, ["start", "middle", "end"][i])).join("");
}

/** The scene above with what its colours stand for, a drawing of the page below it. */
export function scenePicture(scene: StudioScene, drawing: SVGSVGElement, title: string, name: string, legend: readonly { colour: string; text: string }[]): Picture {
  const image = sceneImage(scene);
  if (image.part) image.part += legend.map(({ colour, text }, i) => `<circle cx="20" cy="${20 + 19 * i}" r="4" fill="${colour}"/>${words(31, 24 + 19 * i, text)}`).join("");
  const { width: w, height: h } = drawing.viewBox.baseVal;
  const width = Math.max(image.width, w), height = image.height + h;
  return { svg: frame(width, height, title, [image.part, nested(standalone(drawing), image.height, w, h)]), width, height, name };
}

/** Charts one below the other, under the scene with its scale where it is part of the view; null where there is neither. */
export async function chartsPicture(box: HTMLElement, scene: StudioScene | null, title: string, name: string, scale = ""): Promise<Picture | null> {
  const image = scene ? sceneImage(scene) : { part: "", width: 0, height: 0 };
  if (image.part) image.part += scale;
  const charts = await chartPictures(box);
  if (!image.part && charts.length === 0) return null;
  let y = image.height;
  const parts = charts.map(({ svg, width, height }) => {
    const part = nested(svg, y, width, height);
    y += height;
    return part;
  });
  const width = Math.max(320, image.width, ...charts.map((each) => each.width));
  const height = y;
  return { svg: frame(width, height, title, [image.part, ...parts]), width, height, name };
}

export function save(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href: url, download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export async function savePicture(picture: Picture, form: "svg" | "png"): Promise<void> {
  if (form === "svg") return save(`${picture.name}.svg`, "image/svg+xml", picture.svg);
  const url = URL.createObjectURL(new Blob([picture.svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = element("canvas", { width: String(2 * picture.width), height: String(2 * picture.height) });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error(`${canvas.width} by ${canvas.height} pixels are too many for this browser; SVG has no pixels`);
  save(`${picture.name}.png`, "image/png", blob);
}
