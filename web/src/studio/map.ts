// What the arm can do where: a map computed in the background, its slices in the scene, and the arm in a cell's posture.
import type { Map as MapAnswer, Robot } from "../../generated/studio";
import { chart, dropCharts, startCharts } from "../chart";
import { AXES, readMap, STATISTICS, type Axis, type CellMap, type MapFile, type Statistic } from "../map/data";
import { colourRange, drawSections, inPlane, label, start as firstView, type View as Look } from "../map/view";
import { known } from "../maybe";
import { counted, element, number, paragraph, pretty, short, withUnit } from "../text";
import { formatAddress, lastAddress, listText, readList, writeAddress, writeView } from "./address";
import { Away, LOST, work } from "./api";
import { commandLine, python, pythonArm, pythonLaw, type Code, type Options } from "./code";
import { robotOptions, type Context, type View } from "./context";
import { button, choice, group, keepFocus, notice, numberField, progressBar, slider, takesKey, vectorField, warningList } from "./controls";
import { lawParameters } from "./hit_state";
import { shortNames, words } from "./hit_results";
import { chartsPicture, colourScale } from "./picture";
import type { SliceCell, Triple } from "./scene";

interface MapState {
  robot: string;
  frame: string;
  offset: Triple;
  normal: Triple;
  all: boolean; // all directions of the normal
  quantity: string;
  model: string; // empty: as the command has it
  speed: number; // of approach, for force and impulse [m/s]
  body: string; // for the quantity speed
  samples: number;
  cell: number; // [m]
}

const FAR = 1.9; // times as far away as a hit is looked at

const hasSpeed = ({ quantity }: MapState): boolean => quantity === "peak_force" || quantity === "impulse";

const placeText = (map: CellMap, cell: number): string => map.place(cell).map((each, axis) => short(map.centre(axis as Axis, each))).join(", ");

// The cell that the keyboard leads to along an axis, one way or the other. In the slice it is the next on a line, over places
// that nothing reaches; across the slice the nearest in the next one. From a cell outside the slice it is the nearest inside.
function nextCell(map: CellMap, { axis: across, height, show, cell: from }: Look, axis: Axis, way: number): number | undefined {
  const seen = (cell: number | undefined): cell is number => cell !== undefined && known(map.values[show][cell]);
  const begin = map.place(from);
  if (axis !== across && begin[across] === height) {
    const place = [...begin];
    const count = map.file.grid.count[axis] ?? 1;
    for (let i = begin[axis]! + way; i >= 0 && i < count; i += way) {
      place[axis] = i;
      const cell = map.at(place);
      if (seen(cell)) return cell;
    }
    return undefined;
  }
  let nearest: number | undefined, slices = Infinity, distance = Infinity;
  map.postures.forEach((_, cell) => {
    const place = map.place(cell);
    const ahead = (place[across]! - height) * (axis === across ? way : 1);
    if (!seen(cell) || (axis === across ? ahead <= 0 : ahead !== 0)) return;
    const off = Math.hypot(...inPlane(across).map((each) => place[each]! - begin[each]!));
    if (ahead < slices || (ahead === slices && off < distance)) [nearest, slices, distance] = [cell, ahead, off];
  });
  return nearest;
}

// Both extremes of a cell side by side, joint by joint.
function cellTable(map: CellMap, cell: number): HTMLElement {
  const { file } = map;
  const free = file.joints.filter((joint, i) => joint.leader === i);
  const names = shortNames(free.map(({ name }) => name));
  const [low, high] = [map.posture(cell, "least"), map.posture(cell, "greatest")];
  const row = (name: string, values: (number | undefined)[], digits: number): HTMLElement =>
    element("tr", {}, element("th", { scope: "row" }, name), ...values.map((value) => element("td", { class: "number" }, known(value) ? number(value, digits) : "–")));
  return element("table", { class: "live" },
    element("caption", {}, `The cell at ${placeText(map, cell)} m, reached by ${counted(map.postures[cell] ?? 0, "posture")}`),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, ""), ...STATISTICS.filter((each) => each !== "median").map((each) => element("th", { scope: "col", class: "number" }, each)))),
    element("tbody", {}, row(label(file), [map.values.least[cell], map.values.greatest[cell]], 4), ...free.map(({ prismatic }, i) => row(`${names[i]} [${prismatic ? "m" : "rad"}]`, [low[i], high[i]], 3))));
}

// Viridis, as the charts have it: light is much.
const COLOURS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];

function colourOf(share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (COLOURS.length - 1);
  const low = COLOURS[Math.floor(at)]!, high = COLOURS[Math.ceil(at)]!;
  const mix = (from: number): string => {
    const a = parseInt(low.slice(from, from + 2), 16), b = parseInt(high.slice(from, from + 2), 16);
    return Math.round(a + (b - a) * (at % 1)).toString(16).padStart(2, "0");
  };
  return `#${mix(1)}${mix(3)}${mix(5)}`;
}

export function mapView(context: Context): View {
  const { studio, scene } = context;
  let robot: Robot | null = null;
  let state: MapState | null = null; // the form
  let map: CellMap | null = null;
  let made: MapState | null = null; // what the map was asked with
  let warned: readonly string[] = [];
  let look: Look | null = null;
  let shown: number[] = []; // cells of the slice, in the order of the scene's
  let extreme: "least" | "greatest" = "least";
  let running: AbortController | null = null;
  let open = false;
  let turns = 0; // addresses that were opened: only the last counts
  let ready = false; // whether the view is as the last of them says
  let seen = ""; // how the scene was looked at when the view was left

  const refused = notice();
  const progress = progressBar("sampling postures", () => running?.abort());
  const inputs = element("div", { class: "inputs", role: "group", "aria-label": "The map" });
  const side = element("div", { class: "side map-side", role: "region", "aria-label": "The chosen cell", tabindex: "0" });
  const stage = element("div", { class: "stage" });
  const scale = element("div", { class: "scale" });
  const tools = element("div", { class: "scene-tools" }, button("Reset view", resetView, { title: "Key 0" }));
  const help = element("p", { class: "scene-help", id: "scene-help" });
  const spoken = element("p", { class: "spoken", role: "status" }); // the cell that the keyboard has chosen
  const slicing = element("div", { class: "slicing" });
  const box = element("div", { class: "view map" }, inputs, element("div", { class: "middle" }, stage, refused.box, progress.box, slicing, spoken), side);

  function resetView(): void {
    scene.look(FAR);
    writeView(scene.view());
  }

  async function compute(): Promise<void> {
    if (!state) return;
    running?.abort();
    const own = new AbortController();
    running = own;
    refused.say("");
    progress.show(0);
    context.busy("map", true);
    try {
      const asked = { ...state };
      const answer = await work<MapAnswer>("/api/map", { robot: asked.robot, ...options(asked) }, own.signal, progress.show);
      if (running !== own) return;
      map = readMap(answer.studio as unknown as MapFile);
      made = asked;
      warned = answer.warnings;
      look = map.postures.length ? restored(firstView(map)) : null;
      if (open) show();
      write();
    } catch (error) {
      if (running !== own) return; // another has taken its place, or another address
      if (error instanceof Away) {
        if (!own.signal.aborted) refused.say(LOST);
      } else refused.say(own.signal.aborted ? "The map was cancelled." : error instanceof Error ? error.message : String(error));
    } finally {
      if (running === own) stopped();
    }
  }

  function stopped(): void {
    running = null;
    progress.hide();
    context.busy("map", false);
  }

  // Another map takes the place of this one.
  function forget(): void {
    map = look = made = null;
    warned = [];
  }

  // What the map on the screen was asked with, or what the next one will be.
  const shownState = (): MapState | null => made ?? state;
  const isMadeAs = (now: MapState): boolean => made !== null && JSON.stringify(options(made)) === JSON.stringify(options(now));

  // What the address says about the slice and the cell, where the map has them.
  let wanted: URLSearchParams | null = null;
  function restored(first: Look): Look {
    if (!wanted || !map) return first;
    const axis = AXES.indexOf(wanted.get("across") ?? "");
    const show = STATISTICS.find((each) => each === wanted?.get("show"));
    const centre = readList(wanted.get("cell-at"), 3);
    const found = { ...first, ...(axis >= 0 ? { axis: axis as Axis } : {}), ...(show ? { show } : {}) };
    const { first: origin, count } = map.file.grid;
    const placeOf = (value: number, i: number): number => Math.round(value / map!.file.cell) - (origin[i] ?? 0);
    if (centre) {
      const cell = map.at(centre.map(placeOf));
      if (cell !== undefined) found.cell = cell;
    }
    const height = wanted.get("at");
    found.height = height !== null && Number.isFinite(Number(height)) ? Math.max(0, Math.min((count[found.axis] ?? 1) - 1, placeOf(Number(height), found.axis))) : (map.place(found.cell)[found.axis] ?? first.height);
    extreme = wanted.get("posture") === "greatest" ? "greatest" : "least";
    wanted = null;
    return found;
  }

  function write(): void {
    const now = shownState();
    if (!now) return;
    const slice = map && look ? {
      across: AXES[look.axis] ?? "", at: short(map.centre(look.axis, look.height), 6).replace("−", "-"), show: look.show,
      "cell-at": map.place(look.cell).map((place, axis) => Number(map!.centre(axis as Axis, place).toFixed(6))).join(","), posture: extreme,
    } : {};
    writeAddress("map", {
      robot: now.robot, frame: now.frame, offset: listText(now.offset, 6), normal: listText(now.normal, 6), all: now.all ? "1" : "", quantity: now.quantity,
      model: now.model, speed: String(now.speed), body: now.body, samples: String(now.samples), cell: String(now.cell), computed: map ? "1" : "", ...slice, view: open ? scene.view() : seen,
    });
  }

  function draw(): void {
    describe();
    if (!map || !look) return scene.slice([], 1, 0, -1);
    const [low, high] = colourRange(map, look.show);
    const cells: SliceCell[] = [];
    shown = [];
    map.postures.forEach((_, cell) => {
      const place = map!.place(cell);
      const value = map!.values[look!.show][cell];
      if (place[look!.axis] !== look!.height || !known(value)) return;
      shown.push(cell);
      cells.push({ centre: place.map((each, axis) => map!.centre(axis as Axis, each)) as Triple, colour: colourOf(high > low ? (value - low) / (high - low) : 0.5) });
    });
    scene.slice(cells, map.file.cell, look.axis, shown.indexOf(look.cell));
    box.dataset["cells"] = String(cells.length);
    const { title, ends } = scaleOf(map, look);
    scale.replaceChildren(element("span", { class: "scale-title" }, title),
      element("span", { class: "scale-bar", style: `background: linear-gradient(90deg, ${COLOURS.join(",")})` }),
      element("span", { class: "scale-ends" }, ...ends.map((text) => element("span", {}, text))));
  }
  function scaleOf(of: CellMap, { show }: Look): { title: string; ends: string[] } {
    const [low, high] = colourRange(of, show);
    return { title: `${show} ${label(of.file)}`, ends: [low, (low + high) / 2, high].map((value) => number(value, 3)) };
  }

  function choose(cell: number): void {
    if (!map || !look || !made) return;
    look.cell = cell;
    const q = map.posture(cell, extreme);
    scene.contact({ frame: made.frame, offset: made.offset, normal: made.normal });
    scene.target(null);
    scene.pose(q);
    box.dataset["posture"] = listText(q, 5);
  }

  // The keyboard asks for another cell; what it comes to is said to those who do not see it.
  function step(first: number, second: number, across: number): void {
    if (!map || !look) return;
    const [one, two] = inPlane(look.axis);
    const cell = nextCell(map, look, first ? one : second ? two : look.axis, first + second + across);
    if (cell === undefined) {
      spoken.textContent = "No cell is reached further that way.";
      return;
    }
    look.height = map.place(cell)[look.axis] ?? look.height;
    chooseCell(cell);
    const { unit } = map.file;
    spoken.textContent = `Cell at ${placeText(map, cell)} m: ${words(map.file.quantity)} from ${withUnit(map.values.least[cell], unit)} to ${withUnit(map.values.greatest[cell], unit)}`;
  }

  // What the scene shows, and what the keys do in it.
  function describe(): void {
    if (!map || !look) {
      scene.describe("The arm. Once a map is computed, arrow keys lead from cell to cell of its slice.");
      help.textContent = "Drag to look around.";
      return;
    }
    const [first, second] = inPlane(look.axis);
    scene.describe(`The arm and a slice of its map. Arrow keys put the arm into the posture of the next cell: left and right along ${AXES[first]}, up and down along ${AXES[second]}; Page Up and Page Down along ${AXES[look.axis]}, in the next slice.`);
    help.textContent = "Click a cell, or go there with the arrow keys, to put the arm into its posture; drag to look around.";
  }

  // The panel of the chosen cell and the controls of the slice.
  function fill(): void {
    dropCharts(side);
    draw();
    if (!map || !look) {
      slicing.replaceChildren();
      side.replaceChildren(...(map ? [paragraph("No posture brings the contact point into the box."), warningList(warned)] : [paragraph("How heavy is the arm where, how hard may it hit, how hard does it hit: a map samples postures within the joints' limits and shows every cell of the workspace that they reach.")]));
      return;
    }
    const update = (): void => {
      draw();
      table.replaceChildren(cellTable(map!, look!.cell));
      sections.redraw();
      write();
    };
    const count = (): number => map!.file.grid.count[look!.axis] ?? 1;
    const height = slider("at", "m", map.centre(look.axis, look.height), map.centre(look.axis, 0), map.centre(look.axis, Math.max(1, count() - 1)), (value) => {
      if (!map || !look) return;
      const place = Math.round(value / map.file.cell) - (map.file.grid.first[look.axis] ?? 0);
      look.height = Math.max(0, Math.min(count() - 1, place));
      update();
    }, String(map.file.cell));
    const across = choice("slice across", AXES.map((name, i) => ({ value: String(i), text: name })), String(look.axis), (value) => {
      if (!map || !look) return;
      look.axis = Number(value) as Axis;
      look.height = map.place(look.cell)[look.axis] ?? 0;
      keepFocus(slicing, fill);
      write();
    });
    const statistic = choice("show", STATISTICS.map((each) => ({ value: each, text: each })), look.show, (value) => {
      if (look) look.show = value as Statistic;
      update();
    });
    slicing.replaceChildren(across.box, height.box, statistic.box);
    const table = element("div", { class: "cell-table" }, cellTable(map, look.cell));
    const sections = chart("chart-sections", `Sections through the cell: ${words(map.file.quantity)}`, ["Between least and greatest lies what the arm's null space is worth there."], (width, colours) => drawSections(map!, look!, width, colours));
    const posture = choice("posture", [{ value: "least", text: `least ${words(map.file.quantity)}` }, { value: "greatest", text: `greatest ${words(map.file.quantity)}` }], extreme, (value) => {
      extreme = value as typeof extreme;
      choose(look!.cell);
      write();
    });
    const hit = button("Hit from here", () => {
      if (!made) return;
      const asked = { ...(made.quantity === "speed" ? { body: made.body } : {}), ...(hasSpeed(made) ? { speed: String(made.speed) } : {}) };
      context.go("hit", { robot: made.robot, q: listText(map!.posture(look!.cell, extreme)), frame: made.frame, offset: listText(made.offset), normal: listText(made.normal), ...asked });
    });
    chooseCell = (cell) => {
      choose(cell);
      height.set(map!.centre(look!.axis, look!.height));
      update();
    };
    side.replaceChildren(
      element("h2", {}, `${words(map.file.quantity)} of ${map.file.robot}`),
      paragraph(`${counted(map.postures.length, "cell")} of ${short(map.file.cell)} m ${map.postures.length === 1 ? "is" : "are"} reached by ${map.file.samples} postures. Click a cell to put the arm there.`),
      element("div", { class: "controls" }, posture.box, hit), table, sections.figure, ...(warned.length ? [warningList(warned)] : []));
    startCharts();
  }
  let chooseCell: (cell: number) => void = () => undefined;

  function build(): void {
    if (!state || !robot) return;
    const now = state;
    const change = (apply: () => void): void => {
      apply();
      write();
      sync();
    };
    const speed = numberField("approach speed", "m/s", now.speed, (value) => change(() => (now.speed = value ?? 0.12)), { above: 0 });
    const body = choice("against", [{ value: "", text: "the joints' limits" }, ...studio.bodies.map((name) => ({ value: name, text: `a person: ${words(name)}` }))], now.body, (value) => change(() => (now.body = value)));
    const direction = vectorField("normal", "", now.normal, (value) => Math.hypot(...value) > 0 && change(() => (now.normal = value as Triple)));
    const go = button("Compute the map", () => void compute(), { class: "primary" });
    const sync = (): void => {
      speed.box.hidden = !hasSpeed(now);
      body.box.hidden = now.quantity !== "speed";
      direction.box.hidden = now.all;
      go.textContent = made && !isMadeAs(now) ? "Compute anew" : "Compute the map";
    };
    inputs.replaceChildren(
      group("Robot", choice("robot", robotOptions(studio), now.robot, (name) => context.go("map", { robot: name })).box),
      group("Map of",
        choice("quantity", studio.quantities.map(({ name, unit }) => ({ value: name, text: `${words(name)} [${pretty(unit)}]` })), now.quantity, (value) => change(() => (now.quantity = value))).box,
        choice("model", [{ value: "", text: "the usual one" }, ...studio.models.map((name) => ({ value: name, text: words(name) })), { value: "cautious", text: "the cautious one" }], now.model, (value) => change(() => (now.model = value))).box,
        speed.box, body.box),
      group("Contact",
        choice("on", robot.studio.frames.map(({ name }) => ({ value: name, text: name })), now.frame, (value) => change(() => (now.frame = value))).box,
        vectorField("offset", "m", now.offset, (value) => change(() => (now.offset = value as Triple))).box,
        choice("from", [{ value: "", text: "one side" }, { value: "1", text: "all directions" }], now.all ? "1" : "", (value) => change(() => (now.all = value === "1"))).box, direction.box),
      group("Sampling",
        numberField("postures", "", now.samples, (value) => change(() => (now.samples = Math.round(value ?? 3e5))), { min: 2, max: 1e8 }).box,
        numberField("cell", "m", now.cell, (value) => change(() => (now.cell = value ?? 0.05)), { above: 0 }).box),
      element("div", { class: "go" }, go),
    );
    sync();
  }

  function options(now: MapState): Options {
    const law = now.quantity === "peak_force" ? { law: "viscoelastic", ...lawParameters(studio, "viscoelastic") } : {};
    return {
      frame: now.frame, offset: now.offset, ...(now.all ? { "all-directions": true } : { normal: now.normal }), quantity: now.quantity, model: now.model || null,
      ...(hasSpeed(now) ? { speed: now.speed } : {}), ...law, ...(now.quantity === "speed" && now.body ? { body: now.body } : {}),
      samples: now.samples, cell: now.cell,
    };
  }

  function code(): Code {
    const now = shownState();
    if (!now) return { command: "", python: "" };
    const name = context.nameOf(now.robot);
    const words = [
      `quantity=thud.MapQuantity.${now.quantity}`, ...(now.all ? ["all_directions=True"] : []), ...(now.model ? [`model=${now.model === "cautious" ? "None" : `thud.InertiaModel.${now.model}`}`] : now.quantity === "speed" ? ["model=None"] : []),
      ...(hasSpeed(now) ? [`approach_speed=${python(now.speed)}`] : []),
      ...(now.quantity === "peak_force" ? [`law=${pythonLaw("viscoelastic", lawParameters(studio, "viscoelastic"))}`] : []),
      ...(now.quantity === "speed" ? ["limits=thud.robot_limits(robot)", ...(now.body ? [`body=thud.BodyContact(thud.body_regions()[${python(now.body)}])`] : [])] : []),
      `samples=${now.samples}`, `cell=${python(now.cell)}`,
    ];
    return {
      command: commandLine("map", [name], { ...options(now), out: "map" }),
      python: ["import thud", "", ...pythonArm(name, now.frame, now.offset, now.normal), `map = thud.capability_map(robot, point, ${words.join(", ")})`, 'thud.write_map(map, robot, point, "map")  # map.html, map.csv'].join("\n"),
    };
  }

  async function start(values: URLSearchParams, turn: number): Promise<void> {
    const subject = studio.subject_kind === "robot" ? studio.subject : null;
    const name = values.get("robot") ?? state?.robot ?? subject ?? "panda";
    const address = Object.fromEntries(values);
    // where this view was left, the form and the map are as they were, and work goes on
    const left = ready && formatAddress("map", address) === lastAddress("map");
    open = true;
    ready = left;
    document.addEventListener("keydown", keys);
    stage.replaceChildren(scene.box, scale, tools, help);
    const next = await context.robot(name);
    if (turn !== turns) return;
    if (!left) restore(values, name, next);
    ready = true;
    begin(values.get("view"));
    if (left) return;
    if (map) write();
    else writeAddress("map", address);
    if (values.get("computed") === "1" && !map) await compute();
  }

  const keys = (event: KeyboardEvent): void => {
    if (event.key !== "0" || takesKey(event) || document.querySelector("dialog[open]")) return;
    resetView();
  };

  // What another address says.
  function restore(values: URLSearchParams, name: string, next: Robot): void {
    running?.abort();
    stopped();
    refused.say("");
    if (state?.robot !== name) forget();
    robot = next;
    const { start: first, frames } = robot.studio;
    const held = state?.robot === name && !values.has("frame") ? state : null;
    const frame = values.get("frame") ?? held?.frame ?? first.frame;
    const count = (key: string, otherwise: number): number => (Number(values.get(key)) > 0 ? Number(values.get(key)) : otherwise);
    state = {
      robot: name, frame: frames.some((each) => each.name === frame) ? frame : first.frame,
      offset: (readList(values.get("offset"), 3) ?? held?.offset ?? first.offset) as Triple, normal: (readList(values.get("normal"), 3) ?? held?.normal ?? first.normal) as Triple,
      all: values.get("all") === "1", quantity: studio.quantities.find((each) => each.name === values.get("quantity"))?.name ?? held?.quantity ?? "effective_mass",
      model: values.get("model") ?? "", speed: count("speed", held?.speed ?? 0.12), body: studio.bodies.find((each) => each === values.get("body")) ?? "",
      samples: count("samples", held?.samples ?? 300_000), cell: count("cell", held?.cell ?? 0.06),
    };
    // a map that another address of this view has left is shown as this one says, or gives way to its own
    const computed = values.get("computed") === "1";
    if (computed && !isMadeAs(state)) forget();
    wanted = computed ? values : null;
    if (map && look) look = restored(look);
  }

  // The scene and the form, with what there is.
  function begin(view: string | null): void {
    if (!state || !robot) return;
    void scene.robot(robot, state.robot);
    scene.ellipsoid(null);
    for (const each of ["impulse", "before", "after"] as const) scene.arrow(each, null);
    scene.contact({ frame: state.frame, offset: state.offset, normal: state.normal });
    scene.target(null);
    scene.pose(robot.studio.start.q);
    scene.look(FAR);
    if (view) scene.view(view);
    scene.listen({ cell: (index) => shown[index] !== undefined && chooseCell(shown[index]!), step });
    scale.replaceChildren();
    keepFocus(inputs, build);
    show();
  }

  function show(): void {
    if (look) choose(look.cell);
    fill();
  }

  return {
    box,
    async open(values) {
      const turn = ++turns;
      try {
        await start(values, turn);
      } catch (error) {
        if (turn === turns && !(error instanceof Away)) refused.say(error instanceof Error ? error.message : String(error));
      }
    },
    close() {
      open = false;
      ++turns;
      seen = scene.view();
      document.removeEventListener("keydown", keys);
      scene.listen({});
      scene.slice([], 1, 0, -1);
    },
    resume: () => undefined,
    recolour: () => open && draw(),
    code,
    async picture() {
      const { title, ends } = map && look ? scaleOf(map, look) : { title: "", ends: [] };
      const drawn = await chartsPicture(side, scene, state ? `map of ${context.nameOf(state.robot)}` : "map", "thud-map", title && colourScale(title, COLOURS, ends));
      if (!drawn) refused.say("There is nothing to save as a picture yet: compute the map first.");
      return drawn;
    },
  };
}
