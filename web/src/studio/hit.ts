// A hit before it happens: the arm, its posture, the contact and the law; live numbers and the force record.
import type { Hit, Limit, Profile, Refusal, Robot } from "../../generated/studio";
import { known, numbers } from "../maybe";
import { element, number, pretty } from "../text";
import { elasticArmLook, modelLook } from "../theme";
import { writeAddress, writeView } from "./address";
import { Away, post, work } from "./api";
import { commandLine, python, pythonArm, pythonLaw, type Code } from "./code";
import { robotOptions, type Context, type Picture, type View } from "./context";
import { button, choice, group, keepFocus, notice, numberField, slider, takesKey, vectorField, type Field, type Slider } from "./controls";
import { acceptDrops, addFiles, openFiles } from "./drop";
import { forceChart, type Curve, type Mark } from "./forces";
import { armProfileOptions, lawParameters, limitOptions, limitTakesLong, massProfileOptions, predictOptions, readHit, writeHit, type HitState } from "./hit_state";
import { hitResults, shortNames, words, type HitResults } from "./hit_results";
import { latest } from "./latest";
import { player, type Motion } from "./motion";
import type { Drawn } from "./model";
import { scenePicture } from "./picture";
import type { Triple } from "./scene";

const PATIENCE = 1500; // of a live request, once another waits [ms]
const QUIET = 250; // after the last change the slower things are done [ms]
const HELP = "Drag the red point to move the tool, the grey one to turn the normal; click what is hit to change it: wall or object; drag elsewhere to look around.";
const LINKS: Record<Drawn, string> = {
  meshes: "links: the meshes of the URDF", inertias: "links: the ellipsoids of their inertia", both: "links: the meshes of the URDF, or the ellipsoids of their inertia",
};
const DASHES: Record<string, string> = { solid: "", dash: "7 4", longdash: "11 4", dot: "2 4", dashdot: "8 4 2 4" };

interface Question {
  state: HitState;
  reach: Triple | null;
}

// What was refused of the parts of an answer, each sentence once.
const refusals = (parts: readonly (object | null)[]): string =>
  [...new Set(parts.flatMap((part) => (part && "error" in part ? [(part as Refusal).error.message] : [])))].join("\n");

const failure = (error: unknown): string => (error instanceof Away ? "" : error instanceof Error ? error.message : String(error));

export function hitView(context: Context): View {
  const { studio, scene } = context;
  let robot: Robot | null = null;
  let state: HitState | null = null;
  let hit: Hit | null = null;
  let reach: Triple | null = null;
  let results: HitResults | null = null;
  let updates = 0;
  let quiet = 0;
  let open = false;
  let starts = 0; // of several robots that are asked for at once the last is shown

  const inputs = element("div", { class: "inputs", role: "group", "aria-label": "The hit" });
  const side = element("div", { class: "side", role: "region", "aria-label": "Results", tabindex: "0" });
  const refused = notice("hit"), ofFiles = notice("files");
  const chart = forceChart();
  const clock = element("span", { class: "clock", role: "timer" }); // read when it is asked for, not at every frame
  const legend = element("ul", { class: "legend", "aria-label": "In the scene" });
  const pickButton = button("Pick contact on the arm", () => setPicking(!picking), { "aria-pressed": "false", title: "Key P" });
  const playButton = button("▶ Play in slow motion", () => (play.playing() ? play.stop() : play.play()), { title: "Key space" });
  const stage = element("div", { class: "stage" });
  const tools = element("div", { class: "scene-tools" }, pickButton, button("Reset view", look, { title: "Key 0" }));
  const help = element("p", { class: "scene-help", id: "scene-help" }, HELP);
  const spoken = element("p", { class: "spoken", role: "status" }); // what the scene has changed
  const record = element("section", { class: "record", "aria-label": "Force record" }, element("div", { class: "record-head" }, element("h2", {}, "Force record"), clock, playButton), chart.box);
  const box = element("div", { class: "view hit" }, inputs, element("div", { class: "middle" }, stage, ofFiles.box, refused.box, record, spoken), side);
  let picking = false;

  // fields that follow the state
  const joints: Slider[] = [];
  const fields: { sync: () => void }[] = [];
  const bind = <Value>(field: Field<Value>, value: (now: HitState) => Value): HTMLElement => {
    fields.push({ sync: () => state && field.set(value(state)) });
    return field.box;
  };
  const sync = (): void => {
    if (!state) return;
    joints.forEach((joint, i) => joint.set(state!.q[i] ?? 0));
    for (const field of fields) field.sync();
  };

  const live = latest<Question, Hit>({
    patience: PATIENCE,
    send: ({ state: now, reach: target }, signal) =>
      post<Hit>("/api/hit", {
        ...(target ? { reach: { robot: now.robot, q: now.q, frame: now.frame, offset: now.offset, position: target } } : {}),
        predict: predictOptions(now),
        profile: massProfileOptions(now, now.model),
        ...(now.drives ? { arm: armProfileOptions(now) } : {}),
        ...(limitTakesLong(now) ? {} : { limit: limitOptions(now) }),
      }, signal),
    answered(answer, { reach: target }) {
      if (!state || !open) return;
      refused.say(refusals([answer.reach, answer.profile, answer.arm]));
      hit = answer;
      if (answer.reach && "q" in answer.reach) {
        state.q = answer.reach.q;
        joints.forEach((joint, i) => joint.set(state!.q[i] ?? 0));
      }
      if (reach === target) reach = null; // there, or refused
      if (answer.limit && !limitTakesLong(state)) results?.limit("error" in answer.limit ? null : answer.limit, false, refusals([answer.limit]));
      show();
      box.dataset["updates"] = String(++updates);
    },
    failed(error, { reach: target }) {
      if (reach === target) reach = null;
      refused.say(failure(error));
      if (state && !limitTakesLong(state)) results?.limit(null, false, "");
    },
  });

  const safe = latest<HitState, Limit>({
    patience: 0,
    send: (now, signal) => work<Limit>("/api/limit", limitOptions(now), signal),
    answered: (answer) => results?.limit(answer, false, ""),
    failed: (error) => results?.limit(null, false, failure(error)),
  });

  // A change of the state: shown at once where the page can, asked for, and kept in the address when it comes to rest.
  function changed(): void {
    if (!state || !open) return;
    play.stop();
    if (!reach) place();
    live.ask({ state: { ...state }, reach });
    safe.cancel();
    results?.against(state);
    if (limitTakesLong(state)) results?.limit(null, true, "");
    window.clearTimeout(quiet);
    quiet = window.setTimeout(rest, QUIET);
  }
  function rest(): void {
    if (!state || !open) return;
    if (!live.idle()) {
      quiet = window.setTimeout(rest, QUIET);
      return;
    }
    writeAddress("hit", writeHit(state, scene.view()));
    if (limitTakesLong(state)) safe.ask({ ...state });
  }
  function look(): void {
    scene.look();
    writeView(scene.view());
  }
  function place(): void {
    if (!state) return;
    scene.contact({ frame: state.frame, offset: state.offset, normal: state.normal });
    scene.target(state.object);
    scene.pose(state.q);
  }

  // What was answered, into scene, chart and numbers.
  function show(): void {
    if (!state || !hit) return;
    place();
    const { predict } = hit;
    scene.ellipsoid(predict.studio.inverse_inertia[state.model] ?? null);
    scene.arrow("impulse", (predict.studio.impulse_W[state.model] as Triple | null | undefined) ?? null);
    scene.arrow("before", predict.studio.velocity_W as Triple);
    scene.arrow("after", (predict.studio.velocity_after_W[state.model] as Triple | null | undefined) ?? null);
    showRecord();
    say();
  }
  function showRecord(): void {
    if (!state || !hit) return;
    results?.show(hit.predict, profile(), taken(hit.arm), state.model);
    const drawn = curves();
    chart.draw(drawn.curves, drawn.marks);
  }
  const taken = (answer: Hit["profile"] | undefined): Profile | null => (answer && !("error" in answer) ? answer : null);
  const profile = (): Profile | null => taken(hit?.profile);
  function curves(): { curves: Curve[]; marks: Mark[] } {
    const arm = taken(hit?.arm);
    const all = [profile(), arm].filter((each): each is Profile => each !== null);
    const made = all.map((each): Curve => {
      const look = each === arm ? elasticArmLook() : modelLook(state?.model ?? "");
      const { time, force } = each.studio.course;
      return { name: look.name, colour: look.variable, dash: each === arm ? "" : (DASHES[look.dash] ?? ""), time: numbers(time), force: numbers(force) };
    });
    const peak = all.at(-1)?.events.peak;
    return { curves: made, marks: peak && known(peak.force) && known(peak.time) ? [{ name: "peak", time: peak.time, force: peak.force }] : [] };
  }
  const size = (vector: readonly number[] | null | undefined): string => number(vector ? Math.hypot(...vector) : null, 3);
  const entries = [["impulse", "--red", "N s"], ["velocity before", "--blue", "m/s"], ["velocity after", "--green", "m/s"], ["ellipsoid: √m along each direction", "--violet", ""]].map(([name = "", colour = "", unit = ""]) => {
    const value = element("span", { class: "legend-value" });
    legend.append(element("li", {}, element("span", { class: "dot", style: `background: var(${colour})` }), name, " ", value, unit ? ` ${unit}` : ""));
    return value;
  });
  const links = element("span", {});
  legend.append(element("li", {}, element("span", { class: "dot", style: "background: var(--link-body)" }), links));
  const sayLinks = (drawn: Drawn): void => void (links.textContent = LINKS[drawn]);
  function say(): void {
    if (!hit || !state) return;
    const { predict } = hit;
    [predict.studio.impulse_W[state.model], predict.studio.velocity_W, predict.studio.velocity_after_W[state.model]].forEach((vector, i) => {
      const entry = entries[i];
      if (entry) entry.textContent = size(vector);
    });
  }

  // slow motion
  function motion(): Motion | null {
    if (!hit || !state) return null;
    const option = hit.predict.options[state.model];
    const { time, impulse } = profile()?.studio.course ?? { time: [], impulse: [] };
    if (!option?.joint_velocity_jump || !impulse?.length) return null;
    return { q: state.q, dq: hit.predict.dq, jump: option.joint_velocity_jump.map((value) => value ?? 0), time: numbers(time), impulse: numbers(impulse), object: option.impact?.object?.velocity ?? null };
  }
  const play = player(motion, (instant, slower) => {
    playButton.textContent = instant ? "■ Stop" : "▶ Play in slow motion";
    clock.textContent = instant ? `${number(1000 * instant.time, 3)} ms · ${Math.round(slower)} times slower` : "";
    chart.cursor(instant && instant.time >= 0 ? instant.time : null);
    if (!instant) return place();
    scene.pose(instant.q);
    if (state?.object !== null) scene.target(state?.object ?? null, instant.object);
  });

  function setPicking(on: boolean): void {
    picking = on;
    scene.picking(on);
    pickButton.setAttribute("aria-pressed", String(on));
    help.textContent = on ? "Click on the arm where it is to hit; Escape ends picking." : HELP;
  }

  // inputs of a robot
  function build(): void {
    if (!robot || !state) return;
    fields.length = joints.length = 0;
    const now = state;
    const { frames } = robot.studio;
    const names = shortNames(robot.joints.map(({ name }) => name));
    const change = (apply: (to: HitState) => void): void => {
      if (!state) return;
      apply(state);
      reach = null;
      changed();
    };
    for (const [i, joint] of robot.joints.entries()) {
      const prismatic = joint.type === "prismatic";
      const lower = known(joint.lower) ? joint.lower : prismatic ? -1 : -Math.PI, upper = known(joint.upper) ? joint.upper : prismatic ? 1 : Math.PI;
      joints.push(slider(names[i] ?? joint.name, prismatic ? "m" : "rad", now.q[i] ?? 0, lower, upper, (value) => change((to) => (to.q = to.q.map((old, k) => (k === i ? value : old))))));
    }
    const lawFields = element("div", {});
    const fillLaw = (): void => {
      const list = studio.laws.find(({ name }) => name === state?.law)?.parameters ?? [];
      lawFields.replaceChildren(...list.map(({ name, symbol, unit }) =>
        numberField(`${words(name)} ${symbol}`, unit === "1" ? "" : pretty(unit), state?.parameters[name] ?? 0, (value) => change((to) => (to.parameters = { ...to.parameters, [name]: value ?? 0 })), { min: 0 }).box));
    };
    fillLaw();
    let weight = now.object ?? 1; // of the object, kept while it is a wall [kg]
    const mass = numberField("mass", "kg", weight, (value) => change((to) => (to.object = weight = value ?? 1)), { above: 0 });
    mass.box.hidden = now.object === null;
    const choose = (value: string): void => {
      mass.box.hidden = value === "wall";
      change((to) => (to.object = value === "wall" ? null : weight));
    };
    const target = choice("what is hit", [{ value: "wall", text: "a fixed wall" }, { value: "object", text: "an object, free to move" }], now.object === null ? "wall" : "object", choose);
    switchTarget = (): void => {
      const to = state?.object === null ? "object" : "wall";
      target.set(to);
      choose(to);
      spoken.textContent = to === "wall" ? "What is hit is a fixed wall." : `What is hit is an object of ${Number(weight.toPrecision(3))} kg, free to move.`;
      target.box.scrollIntoView({ block: "nearest" });
      target.box.animate([{ boxShadow: "0 0 0 3px var(--blue)" }, { boxShadow: "0 0 0 3px transparent" }], 1500); // where it is chosen
    };
    pointAtTarget = target.focus;
    inputs.replaceChildren(
      group("Robot",
        choice("robot", robotOptions(studio), now.robot, (name) => context.go("hit", { robot: name })).box,
        bind(choice("drives", named("drives", "not known"), now.drives, (value) => change((to) => (to.drives = value))), (s) => s.drives),
        bind(choice("limits", named("limits", "the robot's own"), now.limits, (value) => change((to) => (to.limits = value))), (s) => s.limits)),
      group("Hit",
        bind(slider("speed", "m/s", now.speed, 0.01, Math.max(1, now.speed), (value) => change((to) => (to.speed = value)), "0.01", { above: 0 }), (s) => s.speed),
        bind(slider("restitution", "", now.restitution, 0, 1, (value) => change((to) => (to.restitution = value)), "0.01"), (s) => s.restitution),
        bind(numberField("friction", "", now.friction, (value) => change((to) => (to.friction = value)), { min: 0, optional: true, step: 0.05 }), (s) => s.friction),
        target.box, mass.box),
      group("Contact law",
        choice("law", studio.laws.map(({ name }) => ({ value: name, text: words(name) })), now.law, (value) => {
          change((to) => {
            to.law = value;
            to.parameters = lawParameters(studio, value);
          });
          fillLaw();
        }).box, lawFields),
      group("Contact point",
        bind(choice("on", frames.map(({ name }) => ({ value: name, text: name })), now.frame, (value) => change((to) => (to.frame = value))), (s) => s.frame),
        bind(vectorField("offset", "m", now.offset, (value) => change((to) => (to.offset = value as Triple))), (s) => s.offset),
        bind(vectorField("normal", "", now.normal, (value) => Math.hypot(...value) > 0 && change((to) => (to.normal = value as Triple))), (s) => s.normal)),
      group("Posture", ...joints.map((joint) => joint.box), button("Start posture", () => change((to) => (to.q = [...robot!.studio.start.q])))),
    );
    results = hitResults(studio.models, robot.joints.map(({ name, type }, i) => ({ name, short: names[i] ?? name, prismatic: type === "prismatic" })), studio.bodies, {
      model: (name) => change((to) => (to.model = name)),
      body: (name) => change((to) => (to.body = name)),
    });
    results.body.set(now.body);
    side.replaceChildren(results.box);
  }
  let switchTarget = (): void => undefined;
  let pointAtTarget = (): void => undefined;

  const keys = (event: KeyboardEvent): void => {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && picking) setPicking(false);
    if (takesKey(event)) return;
    const key = event.key.toLowerCase();
    if (key === "p") setPicking(!picking);
    else if (key === "o") switchTarget();
    else if (event.key === "0") look();
    else if (event.key === " " && !(event.target instanceof Element && event.target.closest('[role="region"]'))) (event.preventDefault(), playButton.click()); // a region scrolls by it
  };

  // A robot, drives or limits that are dropped on the view are used at once.
  async function take(dropped: File[]): Promise<void> {
    const refusals: string[] = [];
    const opened = await openFiles(dropped, (text) => text && refusals.push(text));
    addFiles(studio.files, opened);
    const idOf = (wanted: string): string => opened.findLast(({ kind }) => kind === wanted)?.id ?? "";
    const [robot, drives, limits] = ["robot", "drives", "limits"].map(idOf) as [string, string, string];
    for (const { name, kind } of opened) if (!["robot", "drives", "limits"].includes(kind)) refusals.push(`${name}: ${kind}: is neither a robot nor drives nor limits`);
    ofFiles.say(refusals.join("\n"));
    if (robot) return context.go("hit", { robot, drives, limits });
    if (!state || !(drives || limits)) return;
    if (drives) state.drives = drives;
    if (limits) state.limits = limits;
    build();
    changed();
  }
  acceptDrops(box, (dropped) => void take(dropped));
  const named = (kind: "drives" | "limits", none: string): { value: string; text: string }[] => [
    { value: "", text: none },
    ...studio[kind].map((name) => ({ value: name, text: name })),
    ...studio.files.filter((file) => file.kind === kind).map(({ id, name }) => ({ value: id, text: name })),
  ];

  async function start(values: URLSearchParams): Promise<void> {
    const subject = studio.subject_kind === "robot" ? studio.subject : null;
    const name = values.get("robot") ?? subject ?? "panda";
    open = true;
    stage.replaceChildren(scene.box, legend, tools, help);
    document.addEventListener("keydown", keys);
    const own = ++starts;
    const next = await context.robot(name);
    if (!open || own !== starts) return;
    robot = next;
    state = readHit(studio, robot, name, values);
    reach = null;
    hit = null;
    sayLinks("inertias");
    void scene.robot(robot, name).then((drawn) => robot === next && sayLinks(drawn));
    scene.slice([], 1, 0, -1);
    scene.pose(state.q);
    scene.look();
    if (values.has("view")) scene.view(values.get("view") ?? "");
    keepFocus(inputs, build);
    scene.describe("The arm and what it hits. Arrow keys and Page Up, Page Down move the tool by a centimetre, with Shift by a millimetre; O makes that an object or a wall.");
    scene.listen({
      drag: (to) => {
        reach = to;
        changed();
      },
      turn: (normal) => {
        if (!state) return;
        state.normal = normal;
        sync();
        changed();
      },
      pick: (link, offset, surface) => {
        if (!state) return;
        setPicking(false);
        state.frame = link;
        state.offset = offset;
        state.normal = surface.map((value) => -value) as Triple; // out of what is hit, into the arm
        reach = null;
        sync();
        changed();
      },
      object() {
        switchTarget();
        pointAtTarget();
      },
    });
    changed();
  }

  return {
    box,
    async open(values) {
      try {
        await start(values);
      } catch (error) {
        refused.say(failure(error));
      }
    },
    close() {
      if (state) writeAddress("hit", writeHit(state, scene.view())); // what has not come to rest is kept too
      open = false;
      play.stop();
      setPicking(false);
      ofFiles.say("");
      live.cancel();
      safe.cancel();
      window.clearTimeout(quiet);
      scene.listen({});
      document.removeEventListener("keydown", keys);
    },
    resume: () => (state ? changed() : undefined),
    recolour: () => undefined,
    code: () => code(context, state, hit?.predict.options[state?.model ?? ""]?.effective_mass ?? null),
    picture: async (): Promise<Picture> => scenePicture(scene, chart.svg, state ? `${context.nameOf(state.robot)}, ${number(state.speed, 3)} m/s` : "", `thud-hit`,
      [...legend.querySelectorAll<HTMLElement>("li")].map((each) => ({ colour: getComputedStyle(each.querySelector(".dot")!).backgroundColor, text: (each.textContent ?? "").trim() }))),
  };
}

function code(context: Context, state: HitState | null, mass: number | null): Code {
  if (!state) return { command: "", python: "" };
  const name = context.nameOf(state.robot);
  const without = ({ robot: _, ...options }: Record<string, unknown>): Record<string, never> => options as Record<string, never>;
  const plain = { ...state, drives: context.nameOf(state.drives), limits: context.nameOf(state.limits) };
  const command = [
    commandLine("predict", [name], without(predictOptions(state))),
    ...(mass === null ? [] : [commandLine("profile", [], massProfileOptions(state, mass))]),
    ...(state.drives ? [commandLine("profile", [name], without(armProfileOptions(plain)))] : []),
    commandLine("limit", [name], without(limitOptions(plain))),
  ].join("\n\n");
  const impact = state.friction !== null || state.object !== null;
  const lines = [
    "import thud",
    "",
    ...pythonArm(name, state.frame, state.offset, state.normal),
    `q = ${python(state.q)}`,
    "",
    "dynamics = thud.contact_dynamics(robot, point, q)",
    `dq = thud.nearest_approach(dynamics, ${python(state.speed)}).dq  # rad/s`,
    `prediction = thud.predict(dynamics, dq, restitution=${python(state.restitution)})`,
    ...(impact ? [`hit = thud.predict_impact(dynamics, dq, friction=${python(state.friction ?? 0)}, restitution=${python(state.restitution)}${state.object === null ? "" : `, object=thud.Object(mass=${python(state.object)})`})`] : []),
    `mass = prediction[thud.InertiaModel.${state.model}].inertia.effective_mass  # kg`,
    "",
    `law = ${pythonLaw(state.law, state.parameters)}`,
    `profile = thud.force_profile(law, ${state.object === null ? "mass" : `mass * ${python(state.object)} / (mass + ${python(state.object)})`}, ${python(-state.speed)})  # events, energies`,
    ...(state.drives ? [
      `drives = thud.load_drives(${python(plain.drives)}, robot.size)`,
      `record = thud.elastic_profile(thud.elastic_arm(robot, point, q, drives), law, ${python(-state.speed)}${state.object === null ? "" : `, object_inverse_mass=1 / ${python(state.object)}`})`,
    ] : []),
    `limits = ${state.limits ? `thud.with_limits(thud.robot_limits(robot), thud.load_limits(${python(plain.limits)}, robot.size).limits)` : "thud.robot_limits(robot)"}`,
    `safe = thud.speed_limit(robot, point, q, dq, limits, ${state.body ? `body=thud.BodyContact(thud.body_regions()[${python(state.body)}])` : `law=law${"restitution" in state.parameters ? "" : `, restitution=${python(state.restitution)}`}`}${limitTakesLong(state) ? ", drives=drives" : ""})`,
    `print(f"{mass:.3f} kg, {profile.peak.force:.1f} N, safe up to {safe.speed:.3f} m/s")`,
  ];
  return { command, python: lines.join("\n") };
}
