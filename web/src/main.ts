import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { speak } from "./lib/language.svelte";
import { settings } from "./lib/settings.svelte";

const element = document.getElementById("page");
if (element)
  void speak(settings.preferredLanguage)
    .catch(() => speak("en"))
    .then(() => mount(App, { target: element }));
