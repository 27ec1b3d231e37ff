// Pig's board, as docs/boards.md describes one, with nothing but the browser. Its sentences are in the catalogues.
const CARD = {
  flex: "1",
  minWidth: "9rem",
  padding: "0.8rem 1rem",
  borderRadius: "var(--radius)",
  background: "var(--accent-soft)",
};
const TRACK = {
  height: "10px",
  borderRadius: "5px",
  background: "var(--paper)",
  overflow: "hidden",
  marginTop: "0.5rem",
};

const MARKS = [
  { colour: "#a83f5c", path: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0" },
  { colour: "#3a3336", path: "M-5-5H5V5H-5Z" },
];

function make(tag, style = {}, ...children) {
  const element = document.createElement(tag);
  Object.assign(element.style, style);
  element.append(...children);
  return element;
}

export function mount(element, table) {
  const board = make("div", { display: "flex", flexWrap: "wrap", gap: "0.8rem", alignContent: "center" });
  const actions = make("div", { justifyContent: "center", minHeight: "3.4rem", marginTop: "0.8rem" });
  board.dataset.board = "pig";
  actions.className = "row actions hand"; // the hand is not part of a picture in the rules
  element.append(make("div", { width: "min(34rem, 100%)", margin: "0 auto", alignContent: "center" }, board, actions));

  function update(next) {
    table = next;
    const { say, names, options, moment } = table;
    const { banked, turn, player } = moment.view;
    const goal = options.goal ?? 100;
    board.replaceChildren(
      ...banked.map((points, seat) => {
        const mine = seat === player ? turn : 0;
        const bar = make("div", {
          width: `${Math.min(100, (100 * points) / goal)}%`,
          height: "100%",
          background: `var(--seat-${seat})`,
        });
        const text = make("p", { margin: "0" }, make("strong", {}, `${names[seat]} ${points}`), ` +${mine}`);
        return make(
          "div",
          { ...CARD, outline: seat === player && !moment.over ? "3px solid var(--accent)" : "" },
          text,
          make("div", TRACK, bar),
        );
      }),
    );
    const possible = table.seats.includes(moment.toMove) ? moment.legal : [];
    actions.replaceChildren(
      ...possible.map((action) => {
        const button = make("button", {}, say(action));
        button.className = action === "roll" ? "button main" : "button";
        button.dataset.action = action;
        button.onclick = () => table.play(action);
        return button;
      }),
    );
    if (table.rollsByHand && moment.toMove === "chance" && table.seats.includes(moment.acting)) {
      const button = make("button", {}, say("throw"));
      button.className = "button main";
      button.onclick = () => table.roll();
      actions.append(button);
    }
  }
  update(table);
  return {
    update,
    destroy: () => element.replaceChildren(),
    mark: (seat) => MARKS[seat],
    standing: (seat) => table.say("standing", { count: table.moment.view.banked[seat] }),
  };
}
