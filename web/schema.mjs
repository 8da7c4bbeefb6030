// What is made from schema/, the one list of the keys of results.json, of answers.json and of what the studio's program answers:
//
//   node schema.mjs types    generated/results.ts, answers.ts and studio.ts, the types that src/ is checked with
//   node schema.mjs docs     docs/results.md, docs/answers.md
//
// The keyword "unit" is ours: an annotation, which validators are told to ignore.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

const DOCUMENTED = ["results", "answers"];
const NAMES = [...DOCUMENTED, "studio"];

/** A schema, read anew each time, so that the caller may change it. */
export const readSchema = (name = "results") => JSON.parse(readFileSync(path(`schema/${name}.schema.json`), "utf8"));

/** Every property of an object type, with the type's name. The root's name is its title. */
export function* properties(schema) {
  const types = [[schema.title, schema], ...Object.entries(schema.$defs)];
  for (const [type, { properties: list = {}, required = [] }] of types)
    for (const [key, property] of Object.entries(list)) yield { type, key, property, optional: !required.includes(key) };
}

// TypeScript

// Units go into the comments. A reference with a description of its own would become a type of its own: the reference
// moves into allOf, where it stays one.
function forTypes(schema) {
  if (Array.isArray(schema)) return schema.map(forTypes);
  if (schema === null || typeof schema !== "object") return schema;
  const { $ref, unit, ...rest } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, forTypes(value)]));
  if (typeof unit === "string") rest.description += ` [${unit}]`;
  else if (unit) rest.unit = unit; // a property of that name
  if (!$ref) return rest;
  return Object.keys(rest).length ? { ...rest, allOf: [{ $ref }] } : { $ref };
}

/** The types as TypeScript. */
export async function types(name) {
  const { compile } = await import("json-schema-to-typescript");
  const schema = readSchema(name);
  return compile(forTypes(schema), schema.title, { bannerComment: `// Made by schema.mjs from schema/${name}.schema.json.` });
}

// Documentation

const nameOf = (ref) => ref.replace("#/$defs/", "");
const link = (ref) => `[${nameOf(ref)}](#${nameOf(ref).toLowerCase()})`;

// A type in words.
function typeText(property) {
  if (property.$ref) return link(property.$ref);
  if (property.anyOf) return property.anyOf.map(typeText).join(" or ");
  if ("const" in property) return `\`${JSON.stringify(property.const)}\``;
  if (property.enum) return property.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (property.type === "array") return `list of ${typeText(property.items)}`;
  if (property.type === "object") return `${typeText(property.additionalProperties)} by name`;
  return [property.type].flat().map((name) => (name === "string" ? "text" : name)).join(" or ");
}

function section(heading, { description, properties: list, required }) {
  const rows = Object.entries(list).map(
    ([key, property]) =>
      `| \`${key}\`${required.includes(key) ? "" : " (optional)"} | ${typeText(property)} | ${property.unit ?? ""} | ${property.description.replaceAll("|", "\\|")} |`,
  );
  return [heading, ...(description ? [description] : []), ["| key | type | unit | meaning |", "|---|---|---|---|", ...rows].join("\n")].join("\n\n");
}

/** The page in docs/ of that name. */
export function documentation(name = "results") {
  const schema = readSchema(name);
  const made = `<!-- Made from web/schema/${name}.schema.json: node web/schema.mjs docs -->`;
  const parts = Object.entries(schema.$defs).map(([type, form]) => section(`## ${type}`, form));
  return `${[section(`# ${name}.json\n\n${made}`, schema), ...parts].join("\n\n")}\n`;
}

// Replaced whole or not at all, as several builds may share the folder.
function write(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "types") {
    mkdirSync(path("generated"), { recursive: true });
    for (const name of NAMES) write(path(`generated/${name}.ts`), await types(name));
  } else if (process.argv[2] === "docs") for (const name of DOCUMENTED) write(path(`../docs/${name}.md`), documentation(name));
  else throw new Error("usage: node schema.mjs types|docs");
}
