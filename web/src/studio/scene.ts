// The scene: arm, contact, what is hit, ellipsoid of effective mass, arrows, slices of a map. Drawn when something has
// changed, never otherwise. Without WebGL all of it goes on but the drawing.
import {
  AmbientLight, Box3, BoxGeometry, Color, CylinderGeometry, ConeGeometry, DirectionalLight, DoubleSide, GridHelper, Group, InstancedMesh, Matrix4, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera, Plane, PlaneGeometry, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer, type Object3D,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Robot } from "../../generated/studio";
import { element } from "../text";
import { variable } from "../theme";
import { armModel, type Drawn, type Model, type Piece } from "./model";

export type Triple = [number, number, number];

export interface Contact {
  frame: string;
  offset: Triple; // in the frame [m]
  normal: Triple; // out of the environment, world axes
}

export type ArrowName = "impulse" | "before" | "after";

/** A coloured cell of a slice. */
export interface SliceCell {
  centre: Triple;
  colour: string;
}

export interface SceneEvents {
  /** The tool is pulled to a place in the world [m]; the last call of a drag has `done`. */
  drag: (target: Triple, done: boolean) => void;
  /** The normal is turned. */
  turn: (normal: Triple, done: boolean) => void;
  /** A point of a link was picked, with the arm's surface normal there, world axes. */
  pick: (link: string, offset: Triple, normal: Triple) => void;
  /** What is hit was clicked. */
  object: () => void;
  /** A cell of the slice was clicked. */
  cell: (index: number) => void;
  /** An arrow key, Page Up or Page Down asks for the next cell: along the slice's axes, first and second, or across it; one of them is 1 or -1. */
  step: (first: number, second: number, across: number) => void;
}

export interface StudioScene {
  box: HTMLElement;
  webgl: boolean;
  robot: (robot: Robot, name: string) => Promise<Drawn>;
  pose: (q: readonly number[]) => void;
  /** Where the contact point is, by the posture last given [m]. */
  place: () => Triple | null;
  contact: (contact: Contact | null) => void;
  /** What is hit: something fixed, or a cube of that mass [kg]; and how far it has moved [m]. */
  target: (mass: number | null, moved?: Triple) => void;
  ellipsoid: (W: readonly number[] | null) => void;
  arrow: (name: ArrowName, vector: Triple | null) => void;
  slice: (cells: SliceCell[], edge: number, axis: 0 | 1 | 2, chosen: number) => void;
  picking: (on: boolean) => void;
  listen: (events: Partial<SceneEvents>) => void;
  /** What is seen, and what the keys do there. */
  describe: (text: string) => void;
  /** The usual view, so many times as far away. */
  look: (far?: number) => void;
  view: (text?: string) => string;
  recolour: () => void;
  image: () => { url: string; width: number; height: number } | null;
}

const VELOCITY = 1.2; // length of an arrow [m per m/s]
const IMPULSE = 0.12; // [m per N s]
const LONGEST = 0.6; // [m]
const RADIUS = 0.06; // of the ellipsoid in a direction where the effective mass is 1 kg [m]
const DENSITY = 600; // of the cube that stands for an object [kg/m^3]
const NEAR = 18; // a handle is taken within so many pixels
const SLOW = 45; // after a frame that takes longer fewer pixels are drawn [ms]
const COARSE = 0.35; // pixels drawn along one of the page, at the least: where the processor draws, while anything moves
const ABOVE = 10; // drawn after what hides it
const REST = 180; // after so long without a change all pixels are drawn [ms]

export const LENGTHS = { velocity: VELOCITY, impulse: IMPULSE, radius: RADIUS };

function webgl(canvas: HTMLCanvasElement): { renderer: WebGLRenderer; software: boolean } | null {
  try {
    const probe = document.createElement("canvas").getContext("webgl2");
    if (!probe) return null;
    const info = probe.getExtension("WEBGL_debug_renderer_info");
    const name = info ? String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    probe.getExtension("WEBGL_lose_context")?.loseContext();
    const software = /swiftshader|llvmpipe|software/i.test(name);
    return { renderer: new WebGLRenderer({ canvas, antialias: !software, powerPreference: "low-power" }), software };
  } catch {
    return null;
  }
}

interface Arrow {
  group: Group;
  set: (vector: Vector3 | null) => void;
  material: MeshBasicMaterial;
}

const SHAFT = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
const TIP = new ConeGeometry(1, 1, 14).translate(0, -0.5, 0);

function arrow(radius: number): Arrow {
  const material = new MeshBasicMaterial({ depthTest: false, transparent: true }); // seen through the arm
  const shaft = new Mesh(SHAFT, material), tip = new Mesh(TIP, material), group = new Group();
  group.add(shaft, tip);
  shaft.renderOrder = tip.renderOrder = ABOVE;
  const up = new Vector3(0, 1, 0);
  return {
    group,
    material,
    set(vector) {
      const length = vector?.length() ?? 0;
      group.visible = vector !== null && length > 1e-4;
      if (!vector || !group.visible) return;
      const drawn = Math.min(LONGEST, length);
      const head = Math.min(5 * radius, 0.5 * drawn);
      shaft.scale.set(radius, drawn - head, radius);
      tip.scale.set(2.4 * radius, head, 2.4 * radius);
      tip.position.set(0, drawn, 0);
      group.quaternion.setFromUnitVectors(up, vector.clone().divideScalar(length));
    },
  };
}

// Cells of a slice, none of them drawn yet.
function cellMesh(room: number): InstancedMesh<PlaneGeometry, MeshBasicMaterial> {
  const made = new InstancedMesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.9 }), room);
  made.count = 0;
  made.frustumCulled = false;
  return made;
}

const vector = (values: readonly number[]): Vector3 => new Vector3(values[0], values[1], values[2]);
const triple = ({ x, y, z }: Vector3): Triple => [x, y, z];

/** `turned` hears from where the camera looks, and whither, when the user has let go of it. */
export function studioScene(turned: (view: string) => void): StudioScene {
  const canvas = element("canvas", { class: "scene-canvas", tabindex: "0", role: "application", "aria-roledescription": "3D scene", "aria-describedby": "scene-help", "aria-label": "The arm" });
  const box = element("div", { class: "scene" }, canvas);
  const drawing = webgl(canvas);
  const renderer = drawing?.renderer ?? null;
  if (!renderer) box.append(element("p", { class: "scene-none" }, "This browser has no WebGL: the arm is not drawn. Numbers and charts work."));
  const scene = new Scene();
  const camera = new PerspectiveCamera(35, 1, 0.02, 60);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.zoomSpeed = 0.8;

  const sun = new DirectionalLight(0xffffff, 2.1);
  sun.position.set(1.5, -2.5, 4);
  scene.add(new AmbientLight(0xffffff, 1.5), sun);
  let floor = new GridHelper();
  const contactGroup = new Group(); // at the contact point; its z axis is the normal
  const wall = new Mesh(new PlaneGeometry(0.34, 0.34), new MeshLambertMaterial({ transparent: true, opacity: 0.5, side: DoubleSide }));
  const cube = new Mesh(new BoxGeometry(1, 1, 1), new MeshLambertMaterial({ transparent: true, opacity: 0.85 }));
  const point = new Mesh(new SphereGeometry(0.013, 16, 12), new MeshBasicMaterial({ depthTest: false, transparent: true }));
  const normal = arrow(0.0035);
  const handle = new Mesh(new SphereGeometry(0.011, 14, 10), normal.material);
  point.renderOrder = handle.renderOrder = ABOVE + 1;
  contactGroup.add(wall, cube, point);
  const arrows: Record<ArrowName, Arrow> = { impulse: arrow(0.008), before: arrow(0.006), after: arrow(0.006) };
  const ellipsoid = new Mesh(new SphereGeometry(1, 24, 16), new MeshLambertMaterial({ transparent: true, opacity: 0.16, depthWrite: false }));
  ellipsoid.visible = false;
  ellipsoid.matrixAutoUpdate = false;
  let cells = cellMesh(1024);
  const frameOfCell = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial({ wireframe: true }));
  frameOfCell.visible = false;
  scene.add(floor, contactGroup, normal.group, handle, ...Object.values(arrows).map(({ group }) => group), ellipsoid, cells, frameOfCell);

  let model: Model | null = null;
  let shown: Contact | null = null;
  let events: Partial<SceneEvents> = {};
  let picks = false;
  const HANDLE_LENGTH = 0.16;

  // drawing on demand, with fewer pixels while frames are slow
  let wanted = false;
  let ratio = 1;
  let lastFrame = 0;
  let rest = 0;
  let size = { width: 0, height: 0 }; // [px]; kept, since to ask for it lays out the page
  const full = (): number => Math.min(2, window.devicePixelRatio || 1);
  function want(): void {
    if (wanted || !box.isConnected) return;
    wanted = true;
    requestAnimationFrame(draw);
  }
  function draw(now: number): void {
    wanted = false;
    camera.updateMatrixWorld(); // where nothing is drawn too: handles and picks go by it
    sayWhere();
    if (!renderer) return;
    const took = now - lastFrame;
    lastFrame = now;
    const coarser = drawing?.software ? COARSE : took < 400 && took > SLOW ? Math.max(COARSE, 0.7 * ratio) : ratio;
    if (coarser < ratio) setRatio(coarser);
    renderer.render(scene, camera);
    window.clearTimeout(rest);
    if (ratio < full()) rest = window.setTimeout(sharpen, REST);
  }
  function sharpen(): void {
    setRatio(full());
    lastFrame = 0;
    renderer?.render(scene, camera);
  }
  function setRatio(value: number): void {
    ratio = value;
    renderer?.setPixelRatio(value);
    model?.detail(value < full() ? "coarse" : "fine");
  }
  function resize(): void {
    const { clientWidth: width, clientHeight: height } = box;
    if (width === 0 || height === 0) return;
    size = { width, height };
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    setRatio(full());
    renderer?.setSize(width, height, false);
    renderer?.render(scene, camera);
    want();
  }
  new ResizeObserver(resize).observe(box);
  controls.addEventListener("change", want);
  controls.addEventListener("end", () => turned(viewText()));
  const viewText = (): string => [...triple(camera.position), ...triple(controls.target)].map((value) => Number(value.toFixed(3))).join(",");

  function place(): Vector3 | null {
    const frame = shown ? model?.frame(shown.frame) : undefined;
    return frame && shown ? vector(shown.offset).applyMatrix4(frame.matrixWorld) : null;
  }

  // Everything that hangs on the contact point follows it.
  function follow(): void {
    const at = place();
    const there = at !== null && shown !== null;
    contactGroup.visible = normal.group.visible = handle.visible = there;
    for (const each of Object.values(arrows)) each.group.visible &&= there;
    if (!at || !shown) return want();
    const n = vector(shown.normal).normalize();
    contactGroup.position.copy(at);
    contactGroup.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), n);
    normal.group.position.copy(at);
    normal.set(n.clone().multiplyScalar(HANDLE_LENGTH));
    handle.position.copy(at).addScaledVector(n, HANDLE_LENGTH);
    for (const each of Object.values(arrows)) each.group.position.copy(at);
    placeEllipsoid(at);
    want();
  }

  // Where the handles of the tool and of the normal are on the canvas [px].
  function sayWhere(): void {
    const at = place();
    if (!at) return;
    for (const [name, where] of [["tool", at], ["normal", handle.position.clone()]] as const) {
      const { x, y } = where.project(camera);
      canvas.dataset[name] = `${Math.round(((x + 1) / 2) * size.width)},${Math.round(((1 - y) / 2) * size.height)}`;
    }
  }

  let axes: Matrix4 | null = null; // of the ellipsoid
  function placeEllipsoid(at: Vector3): void {
    ellipsoid.visible = axes !== null;
    if (axes) ellipsoid.matrix.copy(axes).setPosition(at);
  }

  // Pointer: a handle, a point to pick, or else the camera.
  type Held = { kind: "tool" | "normal"; plane: Plane };
  const CURSORS = { tool: "move", normal: "grab", target: "pointer", camera: "" };
  let held: Held | null = null;
  let down: Vector2 | null = null;
  let corner = { left: 0, top: 0 }; // of the canvas on the screen, as the pointer came or went down [px]
  const whereIsCanvas = (): void => {
    const { left, top } = canvas.getBoundingClientRect();
    corner = { left, top };
  };
  const ray = new Raycaster();
  const onScreen = (at: Vector3): Vector2 => {
    const { x, y } = at.clone().project(camera);
    return new Vector2(corner.left + ((x + 1) / 2) * size.width, corner.top + ((1 - y) / 2) * size.height);
  };
  function aim({ clientX, clientY }: PointerEvent): void {
    ray.setFromCamera(new Vector2((2 * (clientX - corner.left)) / size.width - 1, 1 - (2 * (clientY - corner.top)) / size.height), camera);
  }
  const facing = (at: Vector3): Plane => new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), at);
  function take(event: PointerEvent): Held | null {
    const at = place();
    if (!at) return null;
    const pointer = new Vector2(event.clientX, event.clientY);
    if (events.drag && onScreen(at).distanceTo(pointer) < NEAR) return { kind: "tool", plane: facing(at) };
    if (events.turn && onScreen(handle.position).distanceTo(pointer) < NEAR) return { kind: "normal", plane: facing(handle.position) };
    return null;
  }
  function pull(event: PointerEvent, done: boolean): void {
    if (!held) return;
    aim(event);
    const to = ray.ray.intersectPlane(held.plane, new Vector3());
    const at = place();
    if (!to || !at) return;
    if (held.kind === "tool") events.drag?.(triple(to), done);
    else if (to.distanceTo(at) > 1e-3) events.turn?.(triple(to.sub(at).normalize()), done);
  }
  canvas.addEventListener("pointerdown", (event) => {
    whereIsCanvas();
    down = new Vector2(event.clientX, event.clientY);
    held = picks || event.button !== 0 ? null : take(event);
    controls.enabled = held === null;
    if (held) canvas.setPointerCapture(event.pointerId);
  }, { capture: true });
  canvas.addEventListener("pointermove", (event) => {
    if (held) pull(event, false);
    else if (event.buttons === 0) {
      whereIsCanvas();
      aim(event);
      canvas.style.cursor = picks ? "crosshair" : CURSORS[take(event)?.kind ?? (onTarget() ? "target" : "camera")];
    }
  });
  const release = (event: PointerEvent): void => {
    if (held) pull(event, true);
    else if (event.button === 0 && down && down.distanceTo(new Vector2(event.clientX, event.clientY)) < 4) click(event);
    held = down = null;
    controls.enabled = true;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", () => {
    held = down = null;
    controls.enabled = true;
  });
  function click(event: PointerEvent): void {
    aim(event);
    if (picks && model) {
      const [first] = ray.intersectObjects<Object3D>(model.pieces, false);
      const piece = first?.object as Piece | undefined;
      if (!first?.face || !piece) return;
      const { link, frame } = piece.userData;
      events.pick?.(link, triple(frame.worldToLocal(first.point.clone())), triple(first.face.normal.clone().transformDirection(piece.matrixWorld)));
      return;
    }
    if (cells.count > 0 && events.cell) {
      const [first] = ray.intersectObject(cells, false);
      if (first?.instanceId !== undefined) return events.cell(first.instanceId);
    }
    if (onTarget()) events.object?.();
  }
  // Whether the ray meets what is hit before the arm, where it can be clicked.
  function onTarget(): boolean {
    if (!events.object || !contactGroup.visible) return false;
    contactGroup.updateMatrixWorld();
    const [first] = ray.intersectObjects([wall, cube].filter(({ visible }) => visible), false);
    if (!first) return false;
    const [before] = ray.intersectObjects<Object3D>(model?.pieces ?? [], false);
    return !before || before.distance > first.distance;
  }
  // to the right, up, and a page on
  const STEPS: Record<string, Triple> = { ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1] };
  canvas.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const at = place();
    if (!step || !(events.step || (events.drag && at)) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const [right, up, page] = step;
    if (events.step) events.step(right, up, page);
    else if (at) events.drag?.(triple(at.addScaledVector(new Vector3(up, right, page), event.shiftKey ? 0.001 : 0.01)), true);
  });

  function look(far = 1): void {
    const size = model?.size ?? 1;
    new Box3().setFromPoints([new Vector3(), ...(model?.places() ?? [])]).getCenter(controls.target); // the middle of the arm as it stands
    camera.position.set(0.81, -1.5, 0.56).multiplyScalar(far * size * Math.max(1, 1.1 / camera.aspect)).add(controls.target);
    controls.update();
    want();
  }

  function recolour(): void {
    const colour = (name: string): Color => new Color(variable(name));
    scene.background = colour("--scene");
    wall.material.color = colour("--wall");
    cube.material.color = colour("--ochre");
    point.material.color = colour("--red");
    normal.material.color = colour("--muted");
    arrows.impulse.material.color = colour("--red");
    arrows.before.material.color = colour("--blue");
    arrows.after.material.color = colour("--green");
    ellipsoid.material.color = colour("--violet");
    frameOfCell.material.color = colour("--ink");
    const size = floor.userData["size"] as number | undefined;
    scene.remove(floor);
    floor.dispose();
    floor = new GridHelper(size ?? 4, 20, colour("--grid-strong"), colour("--grid"));
    floor.rotation.x = Math.PI / 2;
    floor.userData["size"] = size ?? 4;
    scene.add(floor);
    model?.paint({ link: colour("--link-body"), bone: colour("--bone"), joint: colour("--joint"), hit: colour("--link-hit") }, shown?.frame ?? "");
    want();
  }
  recolour();
  look();

  return {
    box,
    webgl: renderer !== null,
    async robot(robot, name) {
      if (model) {
        scene.remove(model.root);
        model.dispose();
      }
      model = armModel(robot, (index) => `/api/robots/${encodeURIComponent(name)}/meshes/${index}`, () => {
        recolour();
        want();
      });
      scene.add(model.root);
      recolour();
      look();
      return model.meshes;
    },
    pose(q) {
      model?.pose(q);
      follow();
    },
    place: () => {
      const at = place();
      return at && triple(at);
    },
    contact(contact) {
      const another = contact?.frame !== shown?.frame;
      shown = contact;
      if (another) recolour();
      follow();
    },
    target(mass, moved = [0, 0, 0]) {
      wall.visible = mass === null;
      cube.visible = mass !== null;
      if (mass !== null) {
        const edge = Math.cbrt(mass / DENSITY);
        cube.scale.setScalar(edge);
        const turned = vector(moved).applyQuaternion(contactGroup.quaternion.clone().invert());
        cube.position.set(0, 0, -edge / 2).add(turned);
      }
      want();
    },
    ellipsoid(W) {
      axes = W ? principal(W) : null;
      follow();
    },
    arrow(name, value) {
      const scale = name === "impulse" ? IMPULSE : VELOCITY;
      arrows[name].set(value ? vector(value).multiplyScalar(scale) : null);
      want();
    },
    slice(list, edge, axis, chosen) {
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...([0, 1, 2].map((i) => Number(i === axis)) as Triple)));
      const scale = new Vector3(0.94 * edge, 0.94 * edge, 1);
      if (list.length > cells.instanceMatrix.count) {
        scene.remove(cells);
        for (const each of [cells, cells.geometry, cells.material]) each.dispose();
        cells = cellMesh(2 ** Math.ceil(Math.log2(list.length)));
        scene.add(cells);
      }
      cells.count = list.length;
      canvas.dataset["cells"] = String(cells.count);
      list.forEach(({ centre, colour }, i) => {
        cells.setMatrixAt(i, new Matrix4().compose(vector(centre), turn, scale));
        cells.setColorAt(i, new Color(colour));
      });
      cells.instanceMatrix.needsUpdate = true;
      if (cells.instanceColor) cells.instanceColor.needsUpdate = true;
      cells.computeBoundingSphere();
      const there = list[chosen];
      frameOfCell.visible = there !== undefined;
      if (there) {
        frameOfCell.position.copy(vector(there.centre));
        frameOfCell.scale.setScalar(edge);
      }
      want();
    },
    picking(on) {
      picks = on;
      canvas.style.cursor = on ? "crosshair" : "";
    },
    listen(next) {
      events = next;
    },
    describe: (text) => canvas.setAttribute("aria-label", text),
    look,
    view(text) {
      const numbers = text?.split(",").map(Number) ?? [];
      if (numbers.length === 6 && numbers.every(Number.isFinite)) {
        camera.position.copy(vector(numbers));
        controls.target.copy(vector(numbers.slice(3)));
        controls.update();
        want();
      }
      return viewText();
    },
    recolour,
    image() {
      if (!renderer || box.clientWidth === 0) return null;
      setRatio(2);
      renderer.render(scene, camera);
      const made = { url: canvas.toDataURL("image/png"), width: box.clientWidth, height: box.clientHeight };
      sharpen();
      return made;
    },
  };
}

// The ellipsoid n.W n = 1, whose radius along n is the square root of the effective mass: W^-1/2 of the symmetric part,
// by Jacobi's rotations.
function principal(W: readonly number[]): Matrix4 | null {
  const a = [0, 1, 2].map((i) => [0, 1, 2].map((j) => ((W[3 * i + j] ?? 0) + (W[3 * j + i] ?? 0)) / 2));
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 12; ++sweep)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const off = a[p]![q]!;
      if (Math.abs(off) < 1e-15) continue;
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * off);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1), s = t * c;
      for (let k = 0; k < 3; ++k) [a[k]![p], a[k]![q]] = [c * a[k]![p]! - s * a[k]![q]!, s * a[k]![p]! + c * a[k]![q]!];
      for (let k = 0; k < 3; ++k) [a[p]![k], a[q]![k]] = [c * a[p]![k]! - s * a[q]![k]!, s * a[p]![k]! + c * a[q]![k]!];
      for (let k = 0; k < 3; ++k) [v[k]![p], v[k]![q]] = [c * v[k]![p]! - s * v[k]![q]!, s * v[k]![p]! + c * v[k]![q]!];
    }
  const radii = [0, 1, 2].map((i) => (a[i]![i]! > 0 ? Math.min(LONGEST, RADIUS / Math.sqrt(a[i]![i]!)) : LONGEST));
  const column = (i: number): Vector3 => new Vector3(v[0]![i], v[1]![i], v[2]![i]).multiplyScalar(radii[i]!);
  return new Matrix4().makeBasis(column(0), column(1), column(2));
}
