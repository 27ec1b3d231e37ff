// A rules page falls into text, pictures and positions; what is named but not there stays readable.
import { describe, expect, it } from "vitest";
import { parts } from "../src/lib/rules";

const names = (source: string, ...known: string[]): string[] =>
  parts(source, new Set(known)).map((part) =>
    "html" in part
      ? part.html
      : "pictures" in part
        ? `pictures ${part.pictures}`
        : `positions ${part.positions.map(({ name, caption }) => `${name}: ${caption}`).join(", ")}`,
  );

describe("a rules page", () => {
  it("shows pictures in the place of the drawing that has their name", () => {
    const source = "# A\n\nOne.\n\n```text rails\n  o o\n```\n\nTwo.\n";
    expect(names(source, "rails")).toEqual(['<h1 id="a">A</h1>\n<p>One.</p>', "pictures rails", "<p>Two.</p>"]);
  });
  it("shows the drawing where there is no such picture", () => {
    expect(names("One.\n\n```text rails\n  o o\n```\n")).toEqual(["<p>One.</p>\n<pre><code>  o o</code></pre>"]);
  });
  it("shows positions that follow each other side by side, each with its caption", () => {
    const source =
      "```position a\nThe *first*.\n```\n\n```position b\nThe second.\n```\n\nTwo.\n\n```position c\n3\n```\n";
    expect(names(source)).toEqual([
      "positions a: <p>The <em>first</em>.</p>, b: <p>The second.</p>",
      "<p>Two.</p>",
      "positions c: <p>3</p>",
    ]);
  });
  it("leaves out a drawing right before a position, and only that one", () => {
    const source = "```text\nfirst\n```\n\nOne.\n\n```text\nsecond\n```\n\n```position a\nHere.\n```\n";
    expect(names(source)).toEqual(["<pre><code>first</code></pre>\n<p>One.</p>", "positions a: <p>Here.</p>"]);
  });
  it("shows the pictures of a section in the place of its first drawing, or at its end", () => {
    const source = "# A\n\n## B\n\nOne.\n\n```text\nx\n```\n\nTwo.\n\n## C\n\nThree.\n";
    expect(names(source, "0", "1")).toEqual([
      '<h1 id="a">A</h1>',
      '<h2 id="b">B</h2>\n<p>One.</p>',
      "pictures 0",
      "<p>Two.</p>",
      '<h2 id="c">C</h2>\n<p>Three.</p>',
      "pictures 1",
    ]);
  });
  it("brings no script in a caption", () => {
    expect(names("```position a\n<script>x</script>\n```\n")).toEqual([
      "positions a: <p>&lt;script&gt;x&lt;/script&gt;</p>",
    ]);
  });
});
