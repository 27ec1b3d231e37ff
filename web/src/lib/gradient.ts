// Gradients for the `<defs>` of a drawing, as markup. Places are parts of what they fill, from 0 to 1; stops stand with
// commas between them: "OFFSET COLOUR" or "OFFSET COLOUR OPACITY".
const written = (kind: string, id: string, place: string, stops: string): string =>
  `<${kind}Gradient id="${id}" ${place}>${stops
    .split(", ")
    .map((stop) => stop.split(" "))
    .map(([at, colour, opacity = "1"]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}" />`)
    .join("")}</${kind}Gradient>`;

/** Along the line from one point to another. */
export const linear = (
  id: string,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  stops: string,
): string => written("linear", id, `x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"`, stops);

/** Out from a point. */
export const radial = (id: string, [cx, cy, r]: readonly [number, number, number], stops: string): string =>
  written("radial", id, `cx="${cx}" cy="${cy}" r="${r}"`, stops);
