// The arm in the scene: frames as the core has them; links by the user's meshes, or drawn from their inertia.
import {
  BufferGeometry, Color, CylinderGeometry, Group, LoadingManager, Matrix4, Mesh, MeshLambertMaterial, Object3D, Quaternion, SphereGeometry, Vector3, type Material,
} from "three";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import URDFLoader from "urdf-loader";
import type { Robot } from "../../generated/studio";
import { bytesOf } from "./api";

// Each as it is drawn at rest, and with fewer corners for a processor that draws what moves.
const BALL = { fine: new SphereGeometry(1, 20, 14), coarse: new SphereGeometry(1, 10, 7) };
const ROD = { fine: new CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2), coarse: new CylinderGeometry(1, 1, 1, 7).rotateX(Math.PI / 2) }; // along z
const UP = new Vector3(0, 0, 1);

export interface Paint {
  link: Color;
  bone: Color;
  joint: Color;
  hit: Color; // the link that is hit
}

/** What a ray may hit: the frame of the core it belongs to. */
export interface Piece extends Mesh {
  userData: { link: string; frame: Object3D; joint: number };
}

/** How links are drawn. */
export type Drawn = "meshes" | "inertias" | "both";

export interface Model {
  root: Group;
  pose: (q: readonly number[]) => void;
  /** How finely what is drawn from numbers is drawn. */
  detail: (detail: "fine" | "coarse") => void;
  frame: (name: string) => Object3D | undefined;
  pieces: Piece[];
  paint: (colours: Paint, hit: string) => void;
  /** Meshes instead of inertias, for the links that have any; resolves when they are loaded. */
  meshes: Promise<Drawn>;
  size: number; // reach of the arm [m]
  places: () => Vector3[]; // of frames, in the posture last given [m]
  dispose: () => void;
}

type Triple = [number, number, number];

/** Of a rotation by columns and a position. */
function placement(R: readonly number[], p: readonly number[]): Matrix4 {
  const column = (k: number): Vector3 => new Vector3(R[3 * k], R[3 * k + 1], R[3 * k + 2]);
  return new Matrix4().makeBasis(column(0), column(1), column(2)).setPosition(...(p as Triple));
}

function fixed(place: Matrix4): Group {
  const made = new Group();
  made.matrixAutoUpdate = false;
  made.matrix.copy(place);
  return made;
}

/** Semi-axes of the solid ellipsoid of that mass with those principal moments, a_i^2 = 5 (I_j + I_k - I_i)/(2 m) [m]. */
export function ellipsoidAxes(mass: number, moments: readonly number[]): Triple {
  const sum = moments.reduce((a, b) => a + b, 0);
  const axis = (moment: number): number => Math.sqrt(Math.max((2.5 * (sum - 2 * moment)) / mass, 1e-5)); // what is not physical is drawn thin
  return [axis(moments[0] ?? 0), axis(moments[1] ?? 0), axis(moments[2] ?? 0)];
}

// From one point to another.
function rod(material: Material, from: Vector3, to: Vector3, radius: number): Mesh {
  const along = to.clone().sub(from);
  const made = new Mesh(ROD.fine, material);
  made.position.copy(from).addScaledVector(along, 0.5);
  made.quaternion.setFromUnitVectors(UP, along.clone().normalize());
  made.scale.set(radius, radius, along.length());
  return made;
}

export function armModel(robot: Robot, meshAddress: (index: number) => string, loaded: () => void): Model {
  const { joints, frames, bodies, urdf, meshes, base } = robot.studio;
  const root = new Group();
  const named = new Map<string, Object3D>();
  const carriers = new Map(frames.map(({ name, joint }) => [name, joint]));
  const paints = { link: new MeshLambertMaterial(), bone: new MeshLambertMaterial(), joint: new MeshLambertMaterial(), hit: new MeshLambertMaterial() };
  const pieces: Piece[] = [];
  const linkOf = new Map([[-1, base], ...bodies.map(({ joint, link }) => [joint, link] as const)]);
  const shapes: { mesh: Mesh; form: typeof BALL | typeof ROD; link: string }[] = []; // drawn from numbers; a link's meshes take their place

  // frames: a fixed placement and a motion in it
  const moving = joints.map(({ R, p }) => {
    const motion = new Group();
    fixed(placement(R, p)).add(motion);
    return motion;
  });
  joints.forEach(({ parent }, i) => (moving[parent] ?? root).add(moving[i]!.parent!));
  for (const { name, joint, R, p } of frames) {
    const frame = fixed(placement(R, p));
    (moving[joint] ?? root).add(frame);
    named.set(name, frame);
  }
  root.updateMatrixWorld(true);

  const reach = joints.reduce((sum, { p }) => sum + Math.hypot(...p), 0);
  const size = Math.max(0.2, reach);
  const thin = 0.012 * Math.min(1.2, size);

  // bones between the joints, the joints' axes, and the links
  const draw = (joint: number, mesh: Mesh, form: typeof BALL | typeof ROD): void => {
    (moving[joint] ?? root).add(mesh);
    shapes.push({ mesh, form, link: linkOf.get(joint) ?? "" });
  };
  joints.forEach(({ parent, p, axis }, i) => {
    const at = new Vector3(...(p as Triple));
    if (at.length() > thin) draw(parent, rod(paints.bone, new Vector3(), at, thin), ROD);
    const along = new Vector3(...(axis as Triple)).normalize().multiplyScalar(2.2 * thin);
    draw(i, rod(paints.joint, along.clone().negate(), along, 2.1 * thin), ROD);
  });
  draw(-1, rod(paints.joint, new Vector3(), new Vector3(0, 0, 2 * thin), 6 * thin), ROD); // the base stands on the floor
  for (const { link, joint, mass, com, axes, moments } of bodies) {
    if (!(mass > 0)) continue;
    const ball = new Mesh(BALL.fine, paints.link) as unknown as Piece;
    ball.applyMatrix4(placement(axes, com));
    ball.scale.set(...ellipsoidAxes(mass, moments));
    ball.userData = { link, frame: named.get(link) ?? root, joint };
    draw(joint, ball, BALL);
    pieces.push(ball);
  }

  const ready = urdf && meshes.length ? loadMeshes(urdf) : Promise.resolve<Drawn>("inertias");

  // The user's meshes, each where the URDF has it.
  async function loadMeshes(description: string): Promise<Drawn> {
    const manager = new LoadingManager();
    const loader = new URDFLoader(manager);
    loader.parseCollision = false;
    loader.packages = (name: string) => `package://${name}`;
    const loads: Promise<void>[] = [];
    loader.loadMeshCb = (path, _manager, _material, done) => {
      const mesh = meshes.find(({ name }) => name === path); // as the URDF has it: nothing is put before it
      if (!mesh) return done(new Object3D());
      // of one that cannot be read nothing is drawn, and its link stays as it was
      loads.push(bytesOf(meshAddress(mesh.index)).then((bytes) => readMesh(mesh.name, bytes)).catch(() => new Object3D()).then((read) => done(read)));
    };
    const arm = loader.parse(description);
    await Promise.all(loads);
    // each link's meshes go to the frame of that link, so that one kinematics moves both
    const shown: Piece[] = [];
    for (const [name, link] of Object.entries(arm.links)) {
      const frame = named.get(name);
      if (!frame) continue;
      for (const part of [...link.children]) {
        if (!("isURDFVisual" in part)) continue;
        frame.add(part);
        part.traverse((each) => {
          if (!(each instanceof Mesh) || !(each.geometry.getAttribute("position")?.count > 0)) return;
          each.material = paints.link;
          each.userData = { link: name, frame, joint: carriers.get(name) ?? -1 };
          shown.push(each as unknown as Piece);
        });
      }
    }
    const dressed = new Set(shown.flatMap(({ userData: { link, joint } }) => (joint < 0 ? [link, base] : [link])));
    const bare = pieces.filter(({ userData }) => !dressed.has(userData.link));
    for (const { mesh, link } of shapes) mesh.visible = !dressed.has(link);
    pieces.splice(0, pieces.length, ...bare, ...shown);
    root.updateMatrixWorld(true);
    loaded();
    return shown.length === 0 ? "inertias" : bare.length === 0 ? "meshes" : "both";
  }

  return {
    root,
    size,
    pieces,
    meshes: ready,
    frame: (name) => named.get(name),
    places: () => [...named.values()].map((frame) => new Vector3().setFromMatrixPosition(frame.matrixWorld)),
    pose(q) {
      const turn = new Quaternion();
      joints.forEach((joint, i) => {
        const value = joint.multiplier * (q[joint.leader] ?? 0) + joint.offset;
        const axis = new Vector3(...(joint.axis as Triple));
        const motion = moving[i]!;
        if (joint.prismatic) motion.position.copy(axis.multiplyScalar(value));
        else motion.quaternion.copy(turn.setFromAxisAngle(axis, value));
      });
      root.updateMatrixWorld(true);
    },
    detail(detail) {
      for (const { mesh, form } of shapes) mesh.geometry = form[detail];
    },
    paint(colours, hit) {
      paints.link.color.copy(colours.link);
      paints.bone.color.copy(colours.bone);
      paints.joint.color.copy(colours.joint);
      paints.hit.color.copy(colours.hit);
      const carrier = carriers.get(hit);
      for (const piece of pieces) piece.material = piece.userData.joint === carrier ? paints.hit : paints.link;
    },
    dispose() {
      for (const piece of pieces) if (!shapes.some(({ mesh }) => mesh === piece)) piece.geometry.dispose();
      for (const paint of Object.values(paints)) paint.dispose();
    },
  };
}

// By the file's ending: STL, COLLADA or OBJ.
function readMesh(name: string, bytes: ArrayBuffer): Object3D {
  if (/\.stl$/i.test(name)) return new Mesh<BufferGeometry>(new STLLoader().parse(bytes));
  const text = new TextDecoder().decode(bytes);
  if (/\.dae$/i.test(name)) return new ColladaLoader().parse(text, "")?.scene ?? new Object3D();
  if (/\.obj$/i.test(name)) return new OBJLoader().parse(text);
  return new Object3D();
}
