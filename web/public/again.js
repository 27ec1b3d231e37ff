// A script that did not arrive, as when the network has just changed, would leave an empty page: it is loaded again,
// a few times. A file of its own: the server allows no script in the markup.
addEventListener("error", (event) => event.target instanceof HTMLScriptElement && loadAgain(), true);
addEventListener("unhandledrejection", () => document.getElementById("page")?.childElementCount || loadAgain());

function loadAgain() {
  try {
    const tries = Number(sessionStorage.getItem("ludotheque.tries"));
    sessionStorage.setItem("ludotheque.tries", tries + 1);
    if (tries < 4) setTimeout(() => location.reload(), 500 * 2 ** tries);
  } catch {
    // a browser that keeps nothing cannot count: whoever sits there loads it again
  }
}
