import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { speak } from "./lib/language.svelte";
import { settings } from "./lib/settings.svelte";

/** It is here: whatever had to be loaded again is forgotten (public/again.js counts it). */
function forget(): void {
  try {
    sessionStorage.removeItem("ludotheque.tries");
  } catch {
    // a browser that keeps nothing has counted nothing
  }
}

const element = document.getElementById("page");
if (element)
  void speak(settings.preferredLanguage)
    .catch(() => speak("en"))
    .then(() => {
      mount(App, { target: element });
      forget();
    });
