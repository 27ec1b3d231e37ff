// boardgame.io's own server with a Yam Master of our own writing, for the benchmark beside ours: same players, same moves.
// State is kept in memory, as it comes (ours writes every action to disk).
const { Server, Origins } = require("boardgame.io/server");

const free = () => Array.from({ length: 5 }, () => ".....");
const yam = {
  name: "yam",
  setup: () => ({ board: free(), stock: [12, 12], turns: [0, 0], dice: "", kept: "", rolls: 0 }),
  minPlayers: 2,
  maxPlayers: 2,
  moves: {
    roll: {
      move: ({ G, random }) => {
        const again = Array.from({ length: 5 - G.kept.length }, () => random.D6()).join("");
        G.dice = (G.kept + again).split("").sort().join("");
        G.kept = "";
        G.rolls += 1;
      },
      client: false,
    },
    keep: ({ G }, kept) => {
      if (G.rolls === 0 || G.rolls === 3) return "INVALID_MOVE";
      G.kept = kept;
    },
    pass: ({ G, ctx, events }) => {
      G.turns[Number(ctx.currentPlayer)] += 1;
      G.dice = "";
      G.kept = "";
      G.rolls = 0;
      events.endTurn();
    },
  },
};

const port = Number(process.argv[2]);
const server = Server({ games: [yam], origins: [Origins.LOCALHOST] });
// the lobby on a port of its own: with current versions of koa-compose its routes are not found on the game's port
server.run({ port, lobbyConfig: { apiPort: port + 1 }, callback: () => console.log("open") });
