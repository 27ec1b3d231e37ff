// What the page and its worker say to each other. The worker is a server for one person: questions as over HTTP, and
// connections to tables as over WebSockets.
export type ToWorker =
  | { do: "start"; base: string; games: string[]; weights: { [game: string]: string }; counted: boolean }
  | {
      do: "ask";
      id: number;
      method: string;
      path: string;
      body: string | null;
      secret: string | null;
      language: string;
      base: string;
    }
  | { do: "open"; socket: number; table: string }
  | { do: "send"; socket: number; text: string }
  | { do: "shut"; socket: number };

export type FromWorker =
  | { what: "progress"; loaded: number }
  | { what: "ready"; kept: boolean }
  | { what: "failed"; why: string }
  | { what: "answer"; id: number; status: number; kind: string; text: string }
  | { what: "opened"; socket: number }
  | { what: "message"; socket: number; text: string }
  | { what: "closed"; socket: number; code: number; reason: string };
