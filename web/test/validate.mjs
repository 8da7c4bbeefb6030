// Documents against a schema of web/schema, in both directions.
import Ajv from "ajv/dist/2020.js";
import { properties } from "../schema.mjs";

/** What is wrong with a document: one line each. */
export function faults(schema, results) {
  const ajv = new Ajv({ allErrors: true, keywords: ["unit"], strict: true, allowUnionTypes: true });
  const validate = ajv.compile(schema);
  validate(results);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${Object.values(params).join()}`);
}

/** Properties of the schema, as Type.key, that none of the documents has. */
export function unwritten(schema, all) {
  const missing = new Set([...properties(schema)].map(({ type, key }) => `${type}.${key}`));
  const visit = (part, value, type) => {
    if (value === null) return;
    if (part.$ref) type = part.$ref.replace("#/$defs/", "");
    const form = part.$ref ? schema.$defs[type] : part;
    for (const each of form.anyOf ?? []) visit(each, value, type);
    if (Array.isArray(value)) for (const item of value) visit(form.items ?? {}, item, type);
    else if (typeof value === "object")
      for (const [key, inner] of Object.entries(value)) {
        if (form.properties) missing.delete(`${type}.${key}`);
        visit(form.properties?.[key] ?? form.additionalProperties ?? {}, inner, type);
      }
  };
  for (const results of all) visit(schema, results, schema.title);
  return [...missing];
}
