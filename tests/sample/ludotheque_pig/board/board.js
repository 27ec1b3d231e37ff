// Pig's board: the contract of docs/add-a-game.md, with nothing but the browser.
export function mount(element, table) {
  const score = document.createElement("p");
  const buttons = document.createElement("p");
  score.dataset.board = "pig";
  element.append(score, buttons);
  function update(table) {
    const { banked, turn } = table.moment.view;
    score.textContent = `${table.names[0]} ${banked[0]} · ${table.names[1]} ${banked[1]} · +${turn}`;
    buttons.replaceChildren(
      ...table.moment.legal.map((action) => {
        const button = document.createElement("button");
        button.textContent = action;
        button.onclick = () => table.play(action);
        return button;
      }),
    );
  }
  update(table);
  return { update, destroy: () => element.replaceChildren() };
}
