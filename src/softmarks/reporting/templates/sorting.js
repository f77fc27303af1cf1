"use strict";
// Makes the heads of a table's columns buttons: once sorts up, again down, a third time as it came.
// What is no number stands last, either way.
const words = new Intl.Collator(undefined, { numeric: true });
const next = { none: "ascending", ascending: "descending", descending: "none" };

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const asItCame = [...body.rows];
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = next[head.getAttribute("aria-sort") ?? "none"];
      heads.forEach(other => other.removeAttribute("aria-sort"));
      if (order !== "none") head.setAttribute("aria-sort", order);
      body.append(...sorted(asItCame, place, order));
      table.parentElement.scrollTop = 0;
    });
  });
}
for (const note of document.querySelectorAll("[data-sorting]")) note.hidden = false;

function sorted(rows, place, order) {
  if (order === "none") return rows;
  const sign = order === "ascending" ? 1 : -1;
  const keyed = rows.map(row => {
    const text = row.cells[place].textContent.trim();
    return { row, text, number: parseFloat(text) };
  });
  keyed.sort((one, other) => {
    if (place === 0) return sign * words.compare(one.text, other.text);
    if (isNaN(one.number) || isNaN(other.number)) {
      return isNaN(one.number) - isNaN(other.number) || words.compare(one.text, other.text);
    }
    return sign * (one.number - other.number);
  });
  return keyed.map(each => each.row);
}
