// Tangled from org/command/page/tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Elements and tables.
function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Text of others keeps the direction of its writing to itself.
function labelText(label) {
  return element("bdi", {}, shownLabel(label));
}

// columns: {title, key, text, order}: text gives what a row has there, order what it is sorted by where that is a number; hides: on a narrow screen.
class SortedTable {
  constructor(parent, caption, columns, sortedBy) {
    this.columns = columns;
    this.rows = [];
    this.by = columns.find(({ title }) => title === sortedBy);
    this.descending = true;
    this.body = element("tbody", {});
    this.heads = columns.map((column) => this.head(column));
    this.caption = element("caption", {}, caption);
    const table = element("table", {}, this.caption, element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    parent.replaceChildren(element("div", { className: "wide" }, table));
  }

  head(column) {
    const button = element("button", { type: "button" }, column.title);
    button.addEventListener("click", () => this.sort(column));
    return element("th", { scope: "col", className: this.look(column) }, button);
  }

  look({ order, hides }) {
    return (order ? "number" : "") + (hides ? " hides" : "");
  }

  sort(column) {
    this.descending = this.by === column ? !this.descending : Boolean(column.order);
    this.by = column;
    this.show(this.rows);
  }

  show(rows) {
    this.rows = rows;
    const { by, descending } = this;
    const compare = by.order
      ? (a, b) => by.order(a) - by.order(b)
      : (a, b) => by.key(a).localeCompare(by.key(b));
    const sorted = [...rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
    this.body.replaceChildren(...sorted.map((row) => this.line(row)));
    this.columns.forEach((column, i) => {
      if (column === by) this.heads[i].setAttribute("aria-sort", descending ? "descending" : "ascending");
      else this.heads[i].removeAttribute("aria-sort");
    });
  }

  line(row) {
    return element(
      "tr",
      {},
      ...this.columns.map((column) => element("td", { className: this.look(column) }, column.text ? column.text(row) : column.key(row))),
    );
  }
}
