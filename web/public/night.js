// Before the first paint, so that nobody is dazzled at night. A file of its own: the server allows no script in the
// markup.
var theme = "auto";
try {
  theme = JSON.parse(localStorage.getItem("ludotheque.settings") || "{}").theme || theme;
} catch {
  // a browser that keeps nothing: as the system says
}
if (theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches))
  document.documentElement.dataset.night = "";
