// The magnet lab as a page of its own.
import type { PageHost, PageModule } from "../../../contract";
import { mountedPage } from "../../mounting.svelte";
import Lab from "./Lab.svelte";

export const mount: PageModule["mount"] = (element: HTMLElement, host: PageHost) => mountedPage(Lab, element, host);
