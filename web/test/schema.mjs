// What the library writes against web/schema, key by key in both directions; and the page about it.
//
//   node schema.mjs MAKE_RESULTS
//
// MAKE_RESULTS writes the results.json of studies whose data are known into a folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample, variants } from "../sample.mjs";
import { documentation, properties, readSchema } from "../schema.mjs";
import { faults, unwritten } from "./validate.mjs";

const [makeResults] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "thud-schema-"));
execFileSync(makeResults, [folder]);
const written = Object.fromEntries(readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]));
rmSync(folder, { recursive: true });

const schema = readSchema();
const tests = {
  "every property has a description, and every number a unit"() {
    for (const { type, key, property } of properties(schema)) {
      assert.match(property.description ?? "", /\.$/, `${type}.${key}`);
      const number = [property.type, property.items?.type].flat().includes("number");
      assert.ok(!number || property.unit, `${type}.${key} has no unit`);
    }
  },

  "the library writes what the schema says"() {
    assert.ok(Object.keys(written).length > 1);
    for (const [name, results] of Object.entries(written)) assert.deepEqual(faults(schema, results), [], name);
  },

  "every property of the schema is written by the library"() {
    assert.deepEqual(unwritten(schema, Object.values(written)), []);
  },

  "the sample and its variants are valid"() {
    for (const [name, vary] of Object.entries(variants)) assert.deepEqual(faults(schema, vary(sample())), [], name);
  },

  "a key too many, a key too few, another type and an optional key that nobody writes are found"() {
    const results = Object.values(written)[0];
    const changed = (change) => {
      const copy = structuredClone(results);
      change(copy);
      return faults(schema, copy).length;
    };
    assert.ok(changed((copy) => (copy.cor = 0.5)));
    assert.ok(changed((copy) => (copy.trials[0].laws.spring.cor = 0.5)));
    assert.ok(changed((copy) => delete copy.cells[0].predictions.panda.algebraic.effective_mass));
    assert.ok(changed((copy) => (copy.trials[0].peak_force = "12 N")));
    const planted = readSchema();
    planted.$defs.LawFit.properties.cor = { description: "Planted.", type: "number", unit: "1" };
    assert.deepEqual(unwritten(planted, Object.values(written)), ["LawFit.cor"]);
  },

  "docs/results.md is what the schema says"() {
    const page = readFileSync(new URL("../../docs/results.md", import.meta.url), "utf8");
    assert.equal(page, documentation(), "stale: node web/schema.mjs docs");
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests))
  try {
    test();
    console.log(`ok   ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
process.exit(failed ? 1 : 0);
