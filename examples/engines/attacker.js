// An engine for games whose actions say what they do, such as Hero Academy: attacks if it can, else heals, plays cards,
// moves, and only then discards or ends the turn. It asks turnwise for the legal actions, so it needs no rules of its own
// and answers one action at a time.
//
//   turnwise match hero-academy "process:node examples/engines/attacker.js" random

const readline = require("node:readline");

const ORDER = ["attack", "heal", "drop", "move", "swap", "discard", "end"];
let legal = [];

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function rank(action) {
  const place = ORDER.indexOf(action.split(" ")[0]);
  return place < 0 ? ORDER.length : place;
}

// A generator of random numbers from a seed, so that equal seeds give equal games (mulberry32).
function generator(seed) {
  let word = Number(BigInt.asUintN(32, BigInt(Math.trunc(seed))));
  return () => {
    word = (word + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function choose(seed) {
  const first = Math.min(...legal.map(rank));
  const good = legal.filter((action) => rank(action) === first);
  return good[Math.floor(generator(seed)() * good.length)];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      send({ type: "hello", protocol: 1, name: "attacker", version: "1", wants: ["legal"] });
      break;
    case "new_game":
      send({ type: "ready" });
      break;
    case "position":
      legal = message.legal;
      break;
    case "go":
      send({ type: "best", id: message.id, actions: [choose(message.seed)], evaluations: legal.length });
      break;
    case "quit":
      process.exit(0);
  }
});
