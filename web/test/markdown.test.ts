// Rules pages come from games of anybody: whatever they hold, no script of theirs runs here.
import { describe, expect, it } from "vitest";
import { render } from "../src/lib/markdown";

describe("a rules page", () => {
  it("has headings, lists, tables and emphasis", () => {
    const html = render(
      "# Title\n\nSome *soft* and **strong** words.\n\n- one\n- two\n  more\n\n1. first\n\n" +
        "| a | b |\n|---|---|\n| 1 | 2 |",
    );
    for (const part of [
      '<h1 id="title">Title</h1>',
      "<em>soft</em>",
      "<strong>strong</strong>",
      "<li>two more</li>",
      "<ol><li>first</li></ol>",
      "<td>2</td>",
    ])
      expect(html).toContain(part);
  });
  it("brings no script, no foreign address, no handler", () => {
    const html = render(
      "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) " +
        '[y](https://example.org/) [z](/rules/twisty)\n\n# <b onclick="x">',
    );
    const page = document.createElement("div");
    page.innerHTML = html;
    expect(page.querySelectorAll("script, img, b")).toHaveLength(0);
    expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/rules/twisty"]);
  });
});
