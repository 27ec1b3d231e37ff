// Writes src/lib/network.ts from the server's JSON Schema (on standard input), so that no message is described twice:
// python -m ludotheque.server.schemas | node scripts/types.mjs > src/lib/network.ts
import { readFileSync } from "node:fs";

const { $defs: models } = JSON.parse(readFileSync(0, "utf-8"));

function typeOf(schema) {
  if (schema === true) return "Json";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(", ")}]`;
      return `(${schema.items ? typeOf(schema.items) : "Json"})[]`;
    case "object":
      if (schema.properties) return fields(schema);
      return `{ [key: string]: ${typeOf(schema.additionalProperties ?? {})} }`;
    default:
      return "Json";
  }
}

function fields(schema, indent = "  ") {
  const lines = Object.entries(schema.properties).map(([name, field]) => {
    const told = field.description ? `${indent}/** ${field.description} */\n` : "";
    return `${told}${indent}${name}${schema.required?.includes(name) ? "" : "?"}: ${typeOf(field)};\n`;
  });
  return `{\n${lines.join("")}${indent.slice(2)}}`;
}

const parts = Object.entries(models)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([name, schema]) => {
    const told = schema.description ? `/** ${schema.description.replaceAll("\n", " ")} */\n` : "";
    const body = schema.properties ? `interface ${name} ${fields(schema)}` : `type ${name} = ${typeOf(schema)};`;
    return `${told}export ${body}\n`;
  });
process.stdout.write(
  "// What goes over the network. Written by scripts/types.mjs from the server's schemas: change those and run\n" +
    "// `make page-types`.\n" +
    'import type { Json } from "../contract";\n\n' +
    parts.join("\n"),
);
