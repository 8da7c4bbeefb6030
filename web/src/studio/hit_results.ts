// The numbers of a hit. Made once for a robot; while the tool is dragged only texts and widths change.
import type { Limit, Predict, Profile } from "../../generated/studio";
import { known, type Maybe } from "../maybe";
import { DASH, element, number } from "../text";
import { modelLook } from "../theme";
import { choice, warningList, type Field } from "./controls";
import type { HitState } from "./hit_state";

export interface HitResults {
  box: HTMLElement;
  /** `arm` is the record of the elastic arm, `rigid` that of the model's mass. */
  show: (predict: Predict, rigid: Profile | null, arm: Profile | null, model: string) => void;
  limit: (answer: Limit | null, waiting: boolean, refused: string) => void;
  /** What the safe speed leaves out of this hit is said beside it. */
  against: (state: HitState) => void;
  body: Field<string>;
  warnings: HTMLElement;
}

const digits = (value: Maybe, count = 3): string => number(value, count);

// A cell whose text is set only when it changes.
function cell(className = "number"): { td: HTMLElement; set: (text: string, why?: string) => void } {
  const td = element("td", { class: className });
  let now = "", reason = "";
  return {
    td,
    set(text, why = "") {
      if (text !== now) td.textContent = now = text;
      if (why !== reason) td.title = reason = why;
    },
  };
}

function bar(colour: string): { box: HTMLElement; set: (share: number, over: boolean) => void } {
  const fill = element("span", { class: "bar-fill", style: `background: var(${colour})` });
  return {
    box: element("span", { class: "bar-box", "aria-hidden": "true" }, fill),
    set(share, over) {
      fill.style.transform = `scaleX(${Math.max(0, Math.min(1, share)).toFixed(4)})`;
      fill.classList.toggle("over", over);
    },
  };
}

const head = (...titles: (string | [string, string])[]): HTMLElement =>
  element("thead", {}, element("tr", {}, ...titles.map((title, i) => element("th", { scope: "col", ...(i ? { class: "number" } : {}) }, ...(typeof title === "string" ? [title] : [title[0], " ", element("span", { class: "unit" }, title[1])])))));

export const LIMIT_NAMES: Record<string, string> = {
  joint_speed_before: "joint speed before the hit", joint_speed_after: "joint speed after the hit", joint_torque: "joint torque", collision_torque: "collision torque",
  collision_force: "collision force", peak_force: "peak force", body_force: "force on the body", body_pressure: "pressure on the body",
};

export const words = (name: string): string => name.replaceAll("_", " ");

/** Names without the prefix that all of them share: panda_joint1 is joint1. */
export function shortNames(names: readonly string[]): string[] {
  const [first = ""] = names;
  const shared = names.length > 1 ? [...first].findIndex((sign, i) => names.some((name) => name[i] !== sign)) : 0;
  const cut = first.slice(0, Math.max(0, shared)).lastIndexOf("_") + 1;
  return names.map((name) => name.slice(cut));
}

// A rate to the thousandth, so that a column of them is aligned.
const rateText = (value: Maybe): string => (known(value) ? value.toFixed(3).replace(/^-(?=0\.000$)/, "").replace("-", "−") : DASH);

export function hitResults(models: readonly string[], joints: readonly { name: string; short: string; prismatic: boolean }[], bodies: readonly string[], change: { model: (name: string) => void; body: (name: string) => void }): HitResults {
  // effective mass and impulse by model
  const rows = [...models, "elastic_arm"].map((model) => {
    const look = modelLook(model);
    const mass = cell(), impulse = cell(), share = bar(look.variable);
    const radio = element("input", { type: "radio", name: "model", value: model, "aria-label": `Show ${look.name}` });
    radio.addEventListener("change", () => change.model(model));
    const name = element("label", { class: "model" }, model === "elastic_arm" ? element("span", { class: "radio-space" }) : radio, element("span", {}, look.name), share.box);
    return { model, radio, mass, impulse, share, tr: element("tr", {}, element("th", { scope: "row" }, name), mass.td, impulse.td) };
  });
  const masses = element("table", { class: "live", id: "masses" }, head("effective mass by", ["m", "[kg]"], ["ι", "[N s]"]), element("tbody", {}, ...rows.map(({ tr }) => tr)));

  // joints
  const lines = joints.map(({ name, short, prismatic }) => {
    const before = cell(), after = cell(), limit = cell(), share = bar("--blue");
    return { before, after, limit, share, tr: element("tr", {}, element("th", { scope: "row", title: `${name} [${prismatic ? "m/s" : "rad/s"}]` }, element("span", {}, short), share.box), before.td, after.td, limit.td) };
  });
  const unit = joints.every(({ prismatic }) => prismatic) ? "[m/s]" : joints.some(({ prismatic }) => prismatic) ? "[rad/s, m/s]" : "[rad/s]";
  const jumps = element("table", { class: "live", id: "jumps" }, head(`joint rates ${unit}`, "before", "after", "limit"), element("tbody", {}, ...lines.map(({ tr }) => tr)));

  // the record, by the model's mass and by the elastic arm
  const facts = ["peak force [N]", "time of peak [ms]", "contact time [ms]", "restitution"].map((name) => {
    const values = [cell(), cell()] as const;
    return { values, tr: element("tr", {}, element("th", { scope: "row" }, name), ...values.map(({ td }) => td)) };
  });
  const columns = [element("th", { scope: "col", class: "number" }, "rigid"), element("th", { scope: "col", class: "number" }, "elastic")];
  const record = element("table", { class: "live", id: "record" }, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "record of the arm as"), ...columns)), element("tbody", {}, ...facts.map(({ tr }) => tr)));

  // the safe speed
  const safe = element("strong", { class: "big", id: "safe-speed" }, DASH);
  const why = element("span", { class: "why-speed" });
  const against = element("span", { id: "safe-against" });
  const body = choice("against", [{ value: "", text: "this contact law, and joints" }, ...bodies.map((name) => ({ value: name, text: `a person: ${words(name)}` }))], "", change.body);
  const warnings = element("div", { class: "warning-box" });

  const box = element("div", { class: "results" },
    element("section", { "aria-label": "Effective mass and impulse" }, element("h2", {}, "How heavy"), masses),
    element("section", { "aria-label": "Force" }, element("h2", {}, "How hard"), record),
    element("section", { "aria-label": "Joints" }, element("h2", {}, "What the joints feel"), jumps),
    element("section", { "aria-label": "Safe speed" }, element("h2", {}, "How fast is safe"), element("p", { class: "safe" }, safe, " ", against, " ", why), body.box),
    warnings,
  );

  let said = "";
  return {
    box,
    body,
    warnings,
    show(predict, rigid, arm, model) {
      const massOf = (name: string): Maybe => (name === "elastic_arm" ? arm?.effective_mass?.compression : predict.options[name]?.effective_mass);
      const most = Math.max(...rows.map(({ model: name }) => massOf(name) ?? 0), 1e-12);
      for (const { model: name, radio, mass, impulse, share, tr } of rows) {
        const option = predict.options[name];
        radio.checked = name === model;
        tr.classList.toggle("chosen", name === model);
        tr.hidden = name === "elastic_arm" && !arm;
        const m = massOf(name);
        mass.set(known(m) ? digits(m, 4) : option ? words(option.status) : DASH);
        const all = name === "elastic_arm" ? arm?.impulse.compression : option?.impulse;
        impulse.set(digits(all, 4), known(all) ? "" : predict.warnings.filter((text) => text.startsWith(name)).join("\n"));
        share.set((m ?? 0) / most, false);
      }
      const jump = predict.options[model]?.joint_velocity_jump ?? [];
      lines.forEach(({ before, after, limit, share }, i) => {
        const rate = predict.dq[i] ?? 0;
        const then = known(jump[i]) ? rate + jump[i] : null;
        const bound = predict.studio.joint_limits.velocity[i];
        before.set(rateText(rate));
        after.set(rateText(then));
        limit.set(rateText(bound));
        const worst = Math.max(Math.abs(rate), Math.abs(then ?? 0));
        share.set(known(bound) && bound > 0 ? worst / bound : 0, known(bound) && worst > bound);
      });
      record.classList.toggle("single", !arm);
      [rigid, arm].forEach((profile, column) => {
        const { peak, end_of_contact: contact, end_of_force: end } = profile?.events ?? {};
        const time = contact?.time ?? end?.time;
        [known(peak?.force) ? number(peak.force, 4) : DASH, known(peak?.time) ? digits(1000 * peak.time) : DASH, known(time) ? digits(1000 * time) : profile ? "lasts" : DASH, digits(profile?.restitution)].forEach((text, row) => facts[row]?.values[column]?.set(text));
      });
      const all = [...predict.warnings, ...(rigid?.warnings ?? []), ...(arm?.warnings ?? [])];
      if (all.join("\n") !== said) {
        said = all.join("\n");
        warnings.replaceChildren(...(all.length ? [warningList(all)] : []));
      }
    },
    against({ object, friction, body: person }) {
      const wall = person ? "the joints as against a fixed wall, without friction" : "against a fixed wall, without friction";
      const text = object !== null || friction !== null ? `${wall}:` : "";
      if (against.textContent !== text) against.textContent = text;
    },
    limit(answer, waiting, refused) {
      box.classList.toggle("waiting", waiting);
      if (waiting) return;
      safe.textContent = answer ? (known(answer.speed) ? `${digits(answer.speed)} m/s` : "no limit binds") : DASH;
      const binding = answer?.binding;
      why.textContent = refused || (binding?.name ? `${LIMIT_NAMES[binding.name] ?? words(binding.name)}${binding.joint ? `, ${binding.joint}` : ""}; ${answer?.model ? modelLook(answer.model).name : ""}` : "");
    },
  };
}
