// Results that look like those of a study, to develop and test the page with: made up, seeded, valid by the schema. The
// records are the viscoelastic law with noise; what is called a fit here is the chosen law itself (viscoelastic) or a
// curve with the record's peak (the others). They say nothing about any robot.
//
//   node sample.mjs OUT.json [VARIANT]
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SPEEDS = [0.08, 0.1, 0.12, 0.15, 0.18]; // m/s
const REPEATS = 10;
const RATE = 25000; // Hz
const NOISE = 1.2; // N
const MATERIAL_RESTITUTION = 0.627;
const OPTIONS = ["algebraic", "generalized_momentum", "composite_rigid_body", "flexible_joints"];
const LAWS = [
  ["spring", [["stiffness", "k", "N/m"], ["restitution", "e", "1"]]],
  ["maxwell", [["stiffness", "k", "N/m"], ["damping", "c", "N s/m"]]],
  ["viscoelastic", [["stiffness", "k", "N/m"], ["damping", "c", "N s/m^2"]]],
  ["hunt_crossley", [["stiffness", "k", "N/m^n"], ["damping", "c", "N s/m^(n+1)"], ["exponent", "n", "1"]]],
].map(([name, parameters]) => ({ name, parameters: parameters.map(([parameter, symbol, unit]) => ({ name: parameter, symbol, unit })) }));
const CONFIGURATIONS = [
  { name: "one", q: [0, 0.1, 0, -1.5, 0, 3.1708, 0.7854], threshold: 1.8, ratio: 0.918, mass: 5.1, delay: 0.0034 },
  { name: "two", q: [0, 0.4, 0, -1.3, 0, 3.2708, 0.7854], threshold: 1.8, ratio: 0.828, mass: 6.2, delay: 0.0038 },
  { name: "three", q: [0, 0.8, 0, -1.1, 0, 3.4708, 0.7854], threshold: 1.5, ratio: 0.637, mass: 7.6, delay: 0.0044 },
];
// Effective masses of the options, by robot and configuration [kg].
const MASSES = {
  panda: { one: [10.765, 2.455, 8.717, 2.432], two: [12.788, 2.46, 10.308, 2.413], three: [16.739, 2.448, 13.407, 2.371] },
  panda_fer: { one: [9.92, 2.31, 7.92, 2.29], two: [11.8, 2.33, 9.4, 2.28], three: [15.5, 2.32, 12.2, 2.24] },
  panda_gaz: { one: [12.9, 2.74, 10.87, 2.71], two: [15.3, 2.76, 12.7, 2.7], three: [19.8, 2.75, 16.4, 2.66] },
};

// mulberry32
function generator(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

// Two boxes, of which one could not be followed.
const OBJECTS = {
  contact: "friction and restitution of the dataset's campaign",
  models: OPTIONS.map((model, i) => ({
    model,
    trials: i === 3 ? 0 : 1,
    ...(i === 3
      ? { median_ratio: null, median_error: null, largest_error: null, median_spin_error: null, median_angle_error: null }
      : { median_ratio: 1.08 - 0.1 * i, median_error: 0.08, largest_error: 0.08, median_spin_error: 0.04, median_angle_error: 0.01 }),
  })),
  trials: [
    {
      trial: "one_m0.4_o0_0.3_01", status: "ok", mass: 0.4, touch_time: 0.355, approach: 0.297, restitution: 0.63, friction: 0.3, speed: 0.434, spin: -0.05, angle: 0.006,
      predictions: Object.fromEntries(OPTIONS.map((model, i) => [model, i === 3 ? { speed: null, spin: null, angle: null } : { speed: 0.43, spin: 0.01, angle: 0.002 }])),
    },
    {
      trial: "one_m6_o0_0.3_01", status: "the object is not followed for long enough after the hit", mass: 6, touch_time: null, approach: null, restitution: null, friction: null,
      speed: null, spin: null, angle: null, predictions: {},
    },
  ],
};

const six = (value) => Number(value.toPrecision(6));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function spread(values) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { mean: null, std: null, min: null, max: null };
  const middle = mean(known);
  const std = Math.sqrt(known.reduce((sum, v) => sum + (v - middle) ** 2, 0) / (known.length - 1));
  return { mean: middle, std: known.length > 1 ? std : null, min: Math.min(...known), max: Math.max(...known) };
}

// f = c x v - k x from x = 0, v = -speed, by Runge-Kutta; one row a step.
function viscoelastic(m, k, c, speed) {
  const step = 1e-6;
  const rate = ([x, v]) => [v, (c * x * v - k * x) / m, -c * x * v * v];
  const at = (state, slope, by) => state.map((value, i) => value + by * slope[i]);
  let state = [0, -speed, 0];
  const rows = [];
  for (let t = 0; t < 0.03; t += step) {
    const [x, v, lost] = state;
    const force = c * x * v - k * x;
    rows.push({ t, x, v, force, lost });
    if (t > 0.001 && x >= 0) break;
    const a = rate(state), b = rate(at(state, a, step / 2)), d = rate(at(state, b, step / 2)), e = rate(at(state, d, step));
    state = state.map((value, i) => value + (step / 6) * (a[i] + 2 * b[i] + 2 * d[i] + e[i]));
  }
  const peak = rows.reduce((best, row) => (row.force > best.force ? row : best));
  const turn = rows.find((row) => row.v >= 0) ?? rows.at(-1);
  const end = rows.find((row) => row.t > peak.t && row.force < 0.01 * peak.force) ?? rows.at(-1);
  return { rows, peak, turn, end, last: rows.at(-1) };
}

const parameter = (value, width) => ({ value, low: value * (1 - width), high: value * (1 + width) });

// Of noise a twentieth at any frequency; a shape of its own at the first ones.
function residuals(shape, random) {
  const spectrum = Array.from({ length: 40 }, (_, k) => Number((0.05 * random.uniform() ** 3 + shape * Math.exp(-0.5 * (k - 5) ** 2)).toFixed(3)));
  const share = Math.max(...spectrum);
  return { runs: Math.round(120 * (1 - shape)), expected_runs: 121.5, runs_p: shape > 0.1 ? 1e-12 : 0.4, frequency: 31.25 * (spectrum.indexOf(share) + 1), frequency_share: share,
    resolution: 31.25, spectrum };
}

function law(parameters, numbers, curve, random) {
  const shape = numbers.rmse > 2 * NOISE ? 0.6 : 0;
  const told = Object.fromEntries(Object.keys(parameters).map((name) => [name, name === "exponent" ? "correlated" : "identified"]));
  return { status: "converged", message: "", parameters, identifiability: told, ...numbers,
    restitution_interval: { low: 0.9 * numbers.restitution, high: 1.1 * numbers.restitution, identifiability: "identified" },
    noise: NOISE, misfit: numbers.rmse / NOISE, residuals: residuals(shape, random), time_of_parting: numbers.time_of_end * 1.2, touch: 0, curve };
}

function curve(end, force) {
  const time = Array.from({ length: 61 }, (_, i) => six((i * end) / 60));
  return { time, force: time.map((t) => six(force(t))) };
}

function integral(rows, until) {
  let sum = 0;
  for (let i = 1; i < rows.length && rows[i].t <= until; ++i) sum += rows[i].force * (rows[i].t - rows[i - 1].t);
  return sum;
}

function laws(impact, m, k, c, speed, random) {
  const { peak, turn, end, last } = impact;
  const forceAt = (t) => impact.rows[Math.min(impact.rows.length - 1, Math.round(t / 1e-6))].force;
  const measured = integral(impact.rows, turn.t);
  const common = { impulse_compression: m * speed, measured_impulse_compression: measured };
  const w = Math.PI / 2 / peak.t;
  const e = (end.t - peak.t) / peak.t / 1.6;
  const zeta = 0.17 + 0.9 * speed + 0.01 * random.normal();
  const wd = Math.acos(zeta) / peak.t / Math.sqrt(1 - zeta * zeta) * 0.8;
  const rise = (t) => Math.exp((-zeta * wd * t) / Math.sqrt(1 - zeta * zeta)) * Math.sin(wd * t);
  const top = Math.max(...Array.from({ length: 200 }, (_, i) => rise((i * Math.PI) / wd / 200)));
  return {
    spring: law(
      { stiffness: parameter(m * w * w, 0.02), restitution: parameter(e, 0.01), mass: parameter(m * 0.8, 0.02) },
      { rmse: 9.1, r_squared: 0.962, aic: 1661, bic: 1680, restitution: e, impulse_compression: 0.8 * m * speed,
        measured_impulse_compression: measured * 0.6, time_of_peak: peak.t, time_of_compression: peak.t, time_of_end: peak.t * (1 + e) },
      curve(peak.t * (1 + e), (t) => peak.force * (t < peak.t ? Math.sin(w * t) : Math.cos((w * (t - peak.t)) / e))),
      random,
    ),
    maxwell: law(
      { stiffness: parameter(1.4 * k, 0.03), damping: parameter(900, 0.03), mass: parameter(m * 0.9, 0.02) },
      { rmse: 6.3, r_squared: 0.981, aic: 1380, bic: 1399, restitution: Math.exp((-Math.PI * zeta) / Math.sqrt(1 - zeta * zeta)),
        impulse_compression: 0.9 * m * speed, measured_impulse_compression: measured * 0.9, time_of_peak: peak.t,
        time_of_compression: turn.t * 0.9, time_of_end: Math.PI / wd },
      curve(Math.PI / wd, (t) => (peak.force / top) * rise(t)),
      random,
    ),
    viscoelastic: law(
      { stiffness: parameter(k, 0.04), damping: parameter(c, 0.02), mass: parameter(m, 0.01) },
      { rmse: NOISE * 1.03, r_squared: 0.9991, aic: 140.2, bic: 159.8, restitution: last.v / speed, ...common,
        restitution_asymptotic: k / (c * speed), time_of_peak: peak.t, time_of_compression: turn.t, time_of_end: end.t },
      curve(last.t, forceAt),
      random,
    ),
    hunt_crossley: law(
      { stiffness: parameter(k * 1.1, 0.2), damping: parameter(c * 1.1, 0.2), exponent: parameter(1.01, 0.03), mass: parameter(m, 0.01) },
      { rmse: NOISE * 1.029, r_squared: 0.9991, aic: 141.9, bic: 164.9, restitution: last.v / speed * 0.99, ...common,
        time_of_peak: peak.t, time_of_compression: turn.t, time_of_end: end.t },
      curve(last.t, (t) => forceAt(t) * 1.004),
      random,
    ),
  };
}

function elasticArm(impact, m, k, c, random) {
  const bare = (value) => ({ value, low: null, high: null });
  const rows = Array.from({ length: 61 }, (_, i) => impact.rows[Math.floor((i * (impact.rows.length - 1)) / 60)]);
  const impulse = integral(impact.rows, impact.turn.t);
  return { law: "viscoelastic", status: "converged", message: "converged after 240 evaluations",
    parameters: { stiffness: bare(1.01 * k), damping: bare(0.99 * c), start: bare(0.4), baseline: bare(0.02) },
    alone: { "joints.stiffness": 1 + 0.02 * random.normal(), "joints.damping": 0.95 + 0.05 * random.normal() },
    rmse: NOISE, r_squared: 0.9995, residuals: residuals(0, random), time_of_compression: impact.turn.t, impulse_compression: impulse, measured_impulse_compression: impulse * 1.01,
    predicted_impulse_compression: impulse * 1.02, touch: 0,
    curve: { time: rows.map((row) => six(row.t)), force: rows.map((row) => six(row.force)) } };
}

function trial(configuration, speed, repeat, random) {
  const exact = -(speed - 0.0045 + 0.0006 * random.normal());
  const ratio = configuration.ratio + 0.006 * random.normal();
  const m = configuration.mass * (1 + 0.02 * random.normal());
  const k = 6e5 * (1 + 0.05 * random.normal());
  const c = 3e7 * (1 + 0.03 * random.normal());
  const impact = viscoelastic(m, k, c, -exact);
  const time = [], force = [];
  for (let i = -40; i < Math.round((impact.end.t + 0.002) * RATE); ++i) {
    const t = i / RATE;
    const row = t < 0 ? 0 : impact.rows[Math.min(Math.round(t / 1e-6), impact.rows.length - 1)].force;
    time.push(six(t));
    force.push(six(row + NOISE * random.normal()));
  }
  const energyRows = Array.from({ length: 61 }, (_, i) => impact.rows[Math.floor((i * (impact.rows.length - 1)) / 60)]);
  const start = 0.4 + 0.01 * random.uniform();
  return {
    name: `${configuration.name}_${speed.toFixed(2)}_${repeat}`,
    configuration: configuration.name,
    speed,
    repeat,
    status: "ok",
    velocity: { exact, approximate: exact * ratio, ratio, source: "joints" },
    window: { start, end: start + impact.end.t, baseline: -3.2, noise: NOISE, status: "found" },
    peak_force: impact.peak.force + 0.5 * random.normal(),
    peak_time: impact.peak.t,
    contact_time: impact.end.t,
    impulse_compression: integral(impact.rows, impact.turn.t),
    impulse_compression_best: integral(impact.rows, impact.turn.t) * 1.01,
    best_model: "elastic_arm",
    impulse_total: integral(impact.rows, impact.end.t),
    detection_delay: configuration.delay - 0.006 * (speed - 0.08) + 0.0003 * random.normal(),
    observer_delay: 0.6 * configuration.delay + 0.0002 * random.normal(),
    record: { time, force },
    best: "viscoelastic",
    laws: laws(impact, m, k, c, -exact, random),
    elastic_arm: elasticArm(impact, m, k, c, random),
    energy: {
      time: energyRows.map((row) => six(row.t)),
      kinetic: energyRows.map((row) => six((m * row.v * row.v) / 2)),
      potential: energyRows.map((row) => six((k * row.x * row.x) / 2)),
      dissipated: energyRows.map((row) => six(row.lost)),
    },
    truth: {
      law: "viscoelastic", parameters: { stiffness: k * 1.02, damping: c * 0.99 }, velocity: exact * 1.001, peak_force: impact.peak.force,
      compression_time: impact.turn.t, contact_time: impact.last.t, impulse_compression: m * -exact, impulse: integral(impact.rows, 1),
    },
    warnings: ["spring needs a restitution > 1: the force falls slower than it rises"],
  };
}

function predictions(configuration, exact, ratio) {
  const one = (robot, index) => {
    const effective_mass = MASSES[robot][configuration][index];
    const number = { status: "ok", effective_mass, impulse_compression: effective_mass * -exact };
    if (OPTIONS[index] === "composite_rigid_body") number.impulse_compression_approximate = effective_mass * -exact * ratio;
    return number;
  };
  const beyond = (effective_mass) => ({ status: "ok", effective_mass, impulse_compression: effective_mass * -exact });
  const all = Object.fromEntries(
    Object.keys(MASSES).map((robot) => [robot, Object.fromEntries(OPTIONS.map((option, i) => [option, one(robot, i)]))]),
  );
  Object.assign(Object.values(all)[0], { generalized_momentum_with_rotors: beyond(8.2), elastic_joints: beyond(9.4) });
  return all;
}

function cell(configuration, speed, all) {
  const trials = all.filter((t) => t.configuration === configuration.name && t.speed === speed && t.status === "ok");
  const of = (get) => spread(trials.map(get));
  const restitution = (name, key = "restitution") => of((t) => t.laws[name]?.[key] ?? null);
  const velocity_exact = of((t) => t.velocity.exact), ratio = of((t) => t.velocity.ratio);
  return {
    configuration: configuration.name, speed, trials: trials.length, velocity_exact,
    velocity_approximate: of((t) => t.velocity.approximate), ratio,
    impulse_compression: of((t) => t.impulse_compression), impulse_total: of((t) => t.impulse_total), impulse_compression_best: of((t) => t.impulse_compression_best),
    peak_force: of((t) => t.peak_force), contact_time: of((t) => t.window.end - t.window.start),
    detection_delay: of((t) => t.detection_delay), observer_delay: of((t) => t.observer_delay),
    restitution_spring: restitution("spring"), restitution_maxwell: restitution("maxwell"),
    restitution_viscoelastic: restitution("viscoelastic"),
    restitution_asymptotic: restitution("viscoelastic", "restitution_asymptotic"),
    q: configuration.q,
    dq: configuration.q.map(() => 0.1),
    predictions: predictions(configuration.name, velocity_exact.mean, ratio.mean ?? 1),
  };
}

const VERDICTS = [
  ["c1.spring", "The virtual spring fits the records only with a restitution above 1.", "supported", 0.98, 0.5, "1", "VII-A1", "147 of 150 spring fits need e > 1; the median is 1.42."],
  ["c1.maxwell", "Maxwell's restitution varies with the velocity, although the law says that it must not.", "supported", 0.74, 0.2, "1", "VII-A2", "The fitted e falls from 0.49 to 0.36 between the lowest and the highest speed."],
  ["c1.viscoelastic", "The viscoelastic law fits, and its restitution falls as the velocity rises.", "supported", -0.93, -0.5, "1", "VII-A3", "Rank correlation of e with the velocity is -0.93; the median R^2 is 0.999."],
  ["c2.algebraic", "The algebraic option overestimates the impulse.", "supported", 1.12, 0, "1", "VII-B", "The prediction is 2.1 times the measured impulse in the median cell."],
  ["c2.generalized_momentum", "The generalized momentum option underestimates the impulse.", "supported", -0.58, 0, "1", "VII-B", "The prediction is 0.42 times the measured impulse in the median cell."],
  ["c2.flexible_joints", "The flexible joint option underestimates the impulse and agrees with generalized momentum.", "supported", -0.59, 0, "1", "VII-B", "It is 0.99 times the generalized momentum option."],
  ["c2.composite_rigid_body", "The composite rigid body predicts the impulse best.", "not supported", 0.71, 0.58, "1", "VII-B", "Its median error is 71 %, that of the best other option 58 %."],
  ["r1", "The restitution of the materials alone does not apply.", "supported", 0.44, 0.1, "1", "VII", "The viscoelastic restitution is below 0.25 in every cell; the materials' is 0.627."],
  ["r2.phase", "The potential energy does not peak with the force.", "supported", 0.0021, 0.00004, "s", "VII", "The force peaks 2.1 ms before the compression ends, in the median trial."],
  ["r2.residual_compression", "The force is back at zero before the compression is.", "supported", 0.23, 0.01, "1", "VII", "23 % of the largest compression is left when the force has ended."],
  ["small_restitution", "e < 0.15 where e_a > 0.85 and the velocity exceeds 0.1 m/s.", "not testable", null, null, "1", "VII-C", "No joint log <here>: the ratio e_a is unknown."],
].map(([claim, statement, verdict, statistic, threshold, unit, section, why]) =>
  ({ claim, statement, verdict, statistic, threshold, unit, section, why }));

const BEYOND = ["rotors", "elastic_arm"].map((name) => ({ claim: `beyond.${name}`, statement: `What ${name} adds.`, verdict: "supported", statistic: 0.4,
  threshold: 1, unit: "1", why: "Made up.", section: "beyond" }));

const drives = (stiffness, damping) => ({ rotor_inertia: [0.2, 0.1], stiffness: [stiffness, stiffness], damping: [damping, damping], effort: null,
  servo_stiffness: [3000, 2500], servo_damping: null, servo_damping_ratio: 1 });
const ARM = { origin: "the dataset's campaign", law: "viscoelastic", trials: 75, status: "converged", message: "converged after 3 steps",
  factors: { "joints.stiffness": { value: 1.002, low: 0.99, high: 1.015 }, "joints.damping": { value: 0.95, low: 0.8, high: 1.1 } },
  given: drives(1e4, 1), found: drives(1.002e4, 0.95) };

function relative(trials, identified, simulated, quantity, unit) {
  const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const errors = trials.map((t) => Math.abs(identified(t) / simulated(t) - 1));
  return { quantity, unit, trials: trials.length, identified: middle(trials.map(identified)), simulated: middle(trials.map(simulated)),
    median_error: middle(errors), largest_error: Math.max(...errors) };
}

export function sample(seed = 1) {
  const random = generator(seed);
  const trials = CONFIGURATIONS.flatMap((configuration) =>
    SPEEDS.flatMap((speed) => Array.from({ length: REPEATS }, (_, repeat) => trial(configuration, speed, repeat + 1, random))));
  const fitted = (name) => (t) => t.laws.viscoelastic.parameters[name].value;
  return {
    format: "thud results", version: 1, thud: "0.1.0",
    dataset: { file: "sample.h5", source: "simulated", robot: "panda", seed, trials: trials.length, planned: trials.length },
    material_restitution: MATERIAL_RESTITUTION,
    laws: LAWS,
    configurations: CONFIGURATIONS.map(({ name, q, threshold }) => ({ name, q, threshold })),
    speeds: SPEEDS,
    robots: Object.keys(MASSES),
    trials,
    cells: CONFIGURATIONS.flatMap((configuration) => SPEEDS.map((speed) => cell(configuration, speed, trials))),
    verdicts: VERDICTS,
    verdicts_as_in_paper: VERDICTS.map((verdict) => ({ ...verdict, asymptotic: verdict.claim === "r1" ? { ...verdict, verdict: "not supported" } : null })),
    arm: ARM,
    beyond: BEYOND,
    objects: OBJECTS,
    truth: {
      trials: trials.length,
      quantities: [
        relative(trials, fitted("stiffness"), (t) => t.truth.parameters.stiffness, "stiffness", "N/m"),
        relative(trials, fitted("damping"), (t) => t.truth.parameters.damping, "damping", "N s/m^2"),
        relative(trials, (t) => t.impulse_compression, (t) => t.truth.impulse_compression, "impulse_compression", "N s"),
        relative(trials, (t) => t.peak_force, (t) => t.truth.peak_force, "peak_force", "N"),
        relative(trials, (t) => t.laws.viscoelastic.time_of_compression, (t) => t.truth.compression_time * 1.01, "time_of_compression", "s"),
        relative(trials, (t) => t.impulse_compression_best, (t) => t.truth.impulse_compression, "impulse_compression_best", "N s"),
        relative(trials, () => 0.95, () => 1, "joints.damping", "N m s/rad"),
        relative(trials, (t) => t.velocity.exact, (t) => t.truth.velocity, "velocity", "m/s"),
      ],
    },
    warnings: ["The sample is made up: </script> no study is behind it."],
  };
}

const NOTHING = { exact: null, approximate: null, ratio: null, source: "reference" };
const nothing = () => ({ mean: null, std: null, min: null, max: null });

function withoutContact(t) {
  return { ...t, status: "no contact", window: { start: null, end: null, baseline: null, noise: null, status: "no_contact" },
    velocity: NOTHING, peak_force: null, peak_time: null, contact_time: null, impulse_compression: null, impulse_compression_best: null, best_model: null, impulse_total: null,
    detection_delay: null, observer_delay: null, record: { time: [], force: [] }, best: null, laws: {}, elastic_arm: null, energy: null };
}

function unconverged(found, name) {
  const { parameters, identifiability, restitution_interval, curve, status, message, ...numbers } = found;
  return { status: name, message: "the record does not fix all free parameters", parameters: {}, identifiability: {},
    restitution_interval: { low: null, high: null, identifiability: "unknown" }, ...Object.fromEntries(Object.keys(numbers).map((key) => [key, null])), curve: null };
}

function recount(results) {
  const cells = results.cells.map((old) =>
    cell(results.configurations.find((c) => c.name === old.configuration), old.speed, results.trials));
  return { ...results, cells: cells.filter((c) => c.trials > 0) };
}

// Half a sine with the cell's mean peak, in five quantiles.
function band({ peak_force, contact_time }) {
  const time = Array.from({ length: 41 }, (_, i) => six(((i / 40) * 1.2 - 0.1) * contact_time.mean));
  const levels = [0.05, 0.25, 0.5, 0.75, 0.95];
  return { time, levels, force: levels.map((level) => time.map((t) => six((0.8 + 0.4 * level) * peak_force.mean * Math.max(0, Math.sin((Math.PI * t) / contact_time.mean))))) };
}

/** Results with something missing, as in real studies. */
export const variants = {
  full: (results) => results,
  few_drawn: (results) => ({ ...results, dataset: { ...results.dataset, trials: 15100, planned: 15100, drawn: results.trials.length },
    objects: { ...results.objects, objects: 200, followed: 100 }, cells: results.cells.map((c) => ({ ...c, trials: 100 * c.trials, band: band(c) })) }),
  one_configuration: (results) => ({
    ...results,
    configurations: results.configurations.slice(1, 2),
    trials: results.trials.filter((t) => t.configuration === "two"),
    cells: results.cells.filter((c) => c.configuration === "two"),
  }),
  measured_without_joints: (results) => ({
    ...results,
    dataset: { ...results.dataset, source: "measured", seed: null },
    truth: null,
    arm: null,
    trials: results.trials.map((t) => ({ ...t, truth: null, elastic_arm: null, best_model: "viscoelastic", detection_delay: null, observer_delay: null,
      velocity: { exact: -t.speed, approximate: null, ratio: null, source: "reference" } })),
    cells: results.cells.map((c) => ({ ...c, velocity_exact: { mean: -c.speed, std: 0, min: -c.speed, max: -c.speed }, predictions: {}, velocity_approximate: nothing(), ratio: nothing(),
      detection_delay: nothing(), observer_delay: nothing() })),
  }),
  failed_trials: (results) => recount({ ...results,
    trials: results.trials.map((t, i) => (i % 3 === 0 || (t.configuration === "three" && t.speed > 0.1) ? withoutContact(t) : t)) }),
  failed_fits: (results) => recount({ ...results,
    trials: results.trials.map((t, i) => i % 2 ? t : { ...t, best: null, best_model: null, energy: null, impulse_compression: null, impulse_compression_best: null, elastic_arm: null,
      laws: Object.fromEntries(Object.entries(t.laws).map(([name, found]) => [name, unconverged(found, "undetermined")])) }) }),
  failed_predictions: (results) => ({ ...results, robots: results.robots.slice(0, 1),
    cells: results.cells.map((c) => ({ ...c, predictions: { panda: { ...c.predictions.panda,
      algebraic: { status: "singular", effective_mass: null, impulse_compression: null } } } })) }),
  one_trial: (results) => {
    const trials = results.trials.slice(0, 1);
    return recount({ ...results, configurations: results.configurations.slice(0, 1), speeds: [trials[0].speed], trials, cells: results.cells.slice(0, 1),
      dataset: { ...results.dataset, trials: 1 } });
  },
  nothing: (results) => ({ ...results, configurations: [], speeds: [], robots: [], trials: [], cells: [], verdicts: [], verdicts_as_in_paper: [], beyond: [],
    arm: null, truth: null, warnings: [], dataset: { ...results.dataset, trials: 0 } }),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [out, variant = "full"] = process.argv.slice(2);
  writeFileSync(out, JSON.stringify(variants[variant](sample())));
}
