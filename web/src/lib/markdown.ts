// The rules pages as HTML: headings, paragraphs, lists, tables, emphasis, code, links and our pictures. Everything is
// escaped first, so that a third party's rules can bring no script; other Markdown stays plain text.

import { unbroken } from "./catalogue";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function inline(text: string): string {
  return escaped(unbroken(text))
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/(^|[^*\w])[*_]([^*_]+)[*_](?!\w)/g, "$1<em>$2</em>")
    .replace(/\[([^\]]+)\]\((\/[^)\s]*|#[^)\s]*)\)/g, '<a href="$2">$1</a>');
}
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

export function render(source: string): string {
  const lines = source.replaceAll("\r", "").split("\n");
  const out: string[] = [];
  let at = 0;
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = line.match(/^(#{1,4}) (.*)$/);
    if (!line.trim()) at += 1;
    else if (heading) {
      const level = heading[1]?.length ?? 1;
      out.push(`<h${level} id="${escaped(slug(heading[2] ?? ""))}">${inline(heading[2] ?? "")}</h${level}>`);
      at += 1;
    } else if (/^```/.test(line)) {
      const block: string[] = [];
      for (at += 1; at < lines.length && !/^```/.test(lines[at] ?? ""); at += 1) block.push(lines[at] ?? "");
      at += 1;
      out.push(`<pre><code>${escaped(block.join("\n"))}</code></pre>`);
    } else if (/^\s*[-*] |^\s*\d+[.)] /.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const items: string[] = [];
      for (; at < lines.length; at += 1) {
        const item = lines[at] ?? "";
        const start = item.match(/^\s*(?:[-*]|\d+[.)]) (.*)$/);
        if (start) items.push(start[1] ?? "");
        else if (/^\s+\S/.test(item) && items.length) items[items.length - 1] += ` ${item.trim()}`;
        else break;
      }
      const list = ordered ? "ol" : "ul";
      out.push(`<${list}>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</${list}>`);
    } else if (line.trim().startsWith("|") && /^\s*\|?[\s:|-]+\|?\s*$/.test(lines[at + 1] ?? "")) {
      const head = cells(line);
      const rows: string[][] = [];
      for (at += 2; (lines[at] ?? "").trim().startsWith("|"); at += 1) rows.push(cells(lines[at] ?? ""));
      const titles = head.map((cell) => `<th scope="col">${inline(cell)}</th>`).join("");
      const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join("")}</tr>`).join("");
      const table = `<table><thead><tr>${titles}</tr></thead><tbody>${body}</tbody></table>`;
      out.push(`<div class="scroll" tabindex="0" role="group">${table}</div>`);
    } else if (/^>/.test(line)) {
      const block: string[] = [];
      for (; /^>/.test(lines[at] ?? ""); at += 1) block.push((lines[at] ?? "").replace(/^> ?/, ""));
      out.push(`<blockquote>${inline(block.join(" "))}</blockquote>`);
    } else {
      const block: string[] = [];
      for (
        ;
        at < lines.length && (lines[at] ?? "").trim() && !/^(#{1,4} |```|>|\s*[-*] |\s*\d+[.)] )/.test(lines[at] ?? "");
        at += 1
      )
        block.push((lines[at] ?? "").trim());
      if (block.length) out.push(`<p>${inline(block.join(" "))}</p>`);
      else at += 1;
    }
  }
  return out.join("\n");
}
