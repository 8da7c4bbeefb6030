// A sweep as the library writes it, to develop and test its page with: made up, seeded, valid by the schema. One claim hangs on
// the joints' stiffness, one on nothing, one holds everywhere. It says nothing about any robot.
const CLAIMS = ["c1.spring", "c2.algebraic", "c2.composite_rigid_body", "r1", "beyond.elastic_arm"];
const MATRICES = ["algebraic", "generalized_momentum", "composite_rigid_body", "flexible_joints"];
const MODELS = [...MATRICES, "elastic_joints", "generalized_momentum_with_rotors"];

// mulberry32
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Wilson's 95 % interval.
function share(campaigns, all) {
  if (all === 0) return { campaigns, share: null, low: null, high: null };
  const z = 1.959964, p = campaigns / all, d = 1 + (z * z) / all;
  const middle = (p + (z * z) / (2 * all)) / d, half = (z / d) * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all));
  return { campaigns, share: p, low: campaigns === 0 ? 0 : middle - half, high: campaigns === all ? 1 : middle + half };
}

const RANGES = [
  { key: "contact.law", kind: "values", values: ['"viscoelastic"', '"hunt_crossley"'] },
  { key: "contact.restitution", kind: "linear", low: 0.3, high: 0.9 },
  { key: "joints.rotor_inertia", kind: "scale", low: 0.3, high: 2 },
  { key: "joints.stiffness", kind: "log", low: 2000, high: 30000 },
];

function campaign(row, random) {
  const stiffness = 2000 * 15 ** random(), restitution = 0.3 + 0.6 * random(), law = JSON.parse(RANGES[0].values[row % 2]), rotor = 0.3 * (2 / 0.3) ** random();
  const failure = row % 10 === 7 ? "contact.stiffness: -1: must be greater than 0" : "";
  const made = { row, refined: 0, seed: 1000 + row, "contact.law": law, "contact.restitution": restitution, "joints.rotor_inertia": rotor, "joints.stiffness": stiffness, failure };
  if (failure) return made;
  const verdicts = { "c1.spring": random() < 0.5, "c2.algebraic": null, "c2.composite_rigid_body": stiffness > 8000, r1: restitution > 0.75, "beyond.elastic_arm": true };
  for (const claim of CLAIMS)
    Object.assign(made, { [claim]: verdicts[claim] === null ? "not testable" : verdicts[claim] ? "supported" : "not supported", [`${claim}.statistic`]: verdicts[claim] === null ? null : 0.4 + row / 100, [`${claim}.threshold`]: 0.95 });
  MODELS.forEach((model, i) => {
    const error = (model === "composite_rigid_body" ? 2000 / stiffness : 0.02 + 0.1 * i) * (0.8 + 0.4 * random()) * (i > 3 ? 0.1 : 1);
    Object.assign(made, { [`${model}.error`]: error, [`${model}.ratio`]: 1 + error });
  });
  made.best_matrix = MATRICES.reduce((best, model) => (made[`${model}.error`] < made[`${best}.error`] ? model : best));
  return Object.assign(made, { x: 300000 / stiffness ** 1.1, trials: 12, "trials.ok": 12, supported: CLAIMS.slice(0, 4).filter((claim) => made[claim] === "supported").length });
}

/** The JSON of a sweep of so many campaigns. */
export function sweepSample(points = 40) {
  const random = generator(5);
  const rows = Array.from({ length: points }, (_, row) => campaign(row, random));
  const names = [...new Set(rows.flatMap(Object.keys))];
  const good = rows.filter(({ failure }) => !failure);
  const texts = new Set(["contact.law", "failure", "best_matrix", ...CLAIMS]);
  const claims = CLAIMS.map((claim) => {
    const count = (verdict) => good.filter((row) => row[claim] === verdict).length;
    const counts = ["supported", "not supported", "not testable"].map(count);
    const learnt = claim === "c2.composite_rigid_body" || claim === "r1";
    const majority = good.length ? Math.max(...counts) / good.length : null;
    const losses = RANGES.map(({ key }) => ({ key, loss: (claim === "r1") === (key === "contact.restitution") && /restitution|stiffness/.test(key) ? 0.41 : 0.004 })).sort((a, b) => b.loss - a.loss);
    return { claim, statement: `What ${claim} says.`, supported: share(counts[0], good.length), not_supported: share(counts[1], good.length), not_testable: share(counts[2], good.length),
      surrogate: { accuracy: majority === 1 || good.length < 20 ? null : learnt ? 0.95 : 0.5, majority, learnt: learnt && good.length >= 20 }, deciding: learnt && good.length >= 20 ? losses : [] };
  });
  const models = MODELS.map((model) => {
    const errors = good.map((row) => row[`${model}.error`]).sort((a, b) => a - b);
    const at = (part) => errors[Math.floor(part * (errors.length - 1))] ?? null;
    const isMatrix = MATRICES.includes(model) && good.length > 0;
    return { model, error: { median: at(0.5), lower: at(0.25), upper: at(0.75) }, best: isMatrix ? share(good.filter((row) => row.best_matrix === model).length, good.length) : null };
  });
  return {
    format: "thud sweep", version: 1, thud: "0.0.0", file: "sample.h5", planned: points, complete: true,
    plan: { design: "sobol", points, repeats: 1, seed: 5, ranges: RANGES },
    answers: { campaigns: points, failed: points - good.length, refined: 0, most_supported: good.length ? Math.max(...good.map(({ supported }) => supported)) : null, claims: good.length ? claims : [], models: good.length ? models : [] },
    columns: names.map((name) => ({ name, unit: texts.has(name) || RANGES.some(({ key }) => key === name) ? "" : "1", values: rows.map((row) => row[name] ?? (texts.has(name) ? "" : null)) })),
  };
}
