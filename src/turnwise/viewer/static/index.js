// The first page: a new game, and the games that there are.
"use strict";
import { ask, attempt, by, counted, keepSecrets, make, remove, secretsOf, shortId, when } from "./common.js";

const PERSON = "person";
let catalogue;
let shown = ""; // the seats that have rows

async function seatRows() {
  const game = { ...catalogue.games.find((one) => one.name === by("game").value) };
  const options = by("options").value.trim(), saved = by("text").value.trim();
  if (options || saved) Object.assign(game, await ask("/api/scenario", { game: game.name + (options ? `:${options}` : ""), saved }));
  if (saved) by("game").value = game.game;
  by("about").textContent = game.trouble || game.summary || "";
  if (shown === JSON.stringify(game.seats)) return; // whoever types in a row keeps it
  shown = JSON.stringify(game.seats);
  const old = [...by("seats").querySelectorAll(".wanted")].map((row) => [row.querySelector(".player").value, row.querySelector(".budget").value]);
  by("seats").replaceChildren(...(game.seats || []).map((label, index) => {
    const first = index === 0 || game.seats.length === 1;
    const player = make("input", { className: "player", id: `player${index}`, value: old[index]?.[0] ?? (first ? PERSON : catalogue.planners[0]), spellcheck: false, autocomplete: "off" });
    player.setAttribute("list", "players");
    const budget = make("input", { className: "budget", id: `budget${index}`, value: old[index]?.[1] ?? "time=1s", spellcheck: false, autocomplete: "off" });
    const hide = () => { budget.disabled = player.value.trim() === PERSON; };
    player.addEventListener("input", hide);
    hide();
    return make("div", { className: "row wanted" },
      make("div", { className: "grow" }, make("label", { htmlFor: player.id }, `${label}: person, or a planner with parameters`), player),
      make("div", { className: "grow" }, make("label", { htmlFor: budget.id }, "Budget of a turn"), budget));
  }));
}

async function begin(event) {
  event.preventDefault();
  await attempt(async () => {
    const text = by("text").value.trim();
    const saved = text ? JSON.parse(text) : null;
    if (text && (saved === null || typeof saved !== "object")) throw new Error("Expected a replay or a state: a JSON object.");
    const isReplay = saved !== null && "steps" in saved;
    const options = by("options").value.trim();
    const seats = [...by("seats").querySelectorAll(".wanted")].map((row) => {
      const player = row.querySelector(".player").value.trim() || PERSON;
      return player === PERSON ? { player } : { player, budget: row.querySelector(".budget").value.trim() };
    });
    const made = await ask("/api/rooms", {
      game: by("game").value + (options ? `:${options}` : ""), seats,
      replay: isReplay ? text : "", state: saved && !isReplay ? text : "",
    });
    const people = made.secrets.filter(Boolean);
    keepSecrets(made.room, people);
    location.href = `/room?room=${made.room}` + (people.length === 1 ? `#seat=${people[0]}` : "");
  });
}

async function list() {
  const { rooms } = await ask("/api/rooms");
  if (!rooms.length) { by("rooms").textContent = "None yet."; return; }
  const body = rooms.map((one) => {
    const forget = make("button", { onclick: () => confirm("Delete this game for everybody?") && attempt(async () => { await remove(`/api/rooms/${one.room}`); await list(); }), "aria-label": `Delete the game ${shortId(one.room)}` }, "Delete");
    if (!one.seats) return make("tr", {}, make("td", {}, one.room), make("td", { colSpan: 5, className: "soft" }, one.trouble), make("td", {}, forget));
    const own = secretsOf(one.room);
    const link = make("a", { href: `/room?room=${one.room}` + (own && !own.includes(".") ? `#seat=${own}` : "") }, one.game);
    const state = one.is_over ? one.result : `${counted(one.steps, "action")} played`;
    const id = make("code", { className: "soft" }, shortId(one.room));
    return make("tr", {}, make("td", {}, link), make("td", {}, id), make("td", {}, one.seats.map((seat) => seat.name).join(" – ")), make("td", {}, state),
      make("td", {}, when(one.began)), make("td", {}, when(one.changed)), make("td", {}, forget));
  });
  by("rooms").replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...["Game", "Id", "Players", "State", "Started", "Last changed", ""].map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...body)));
}

await attempt(async () => {
  catalogue = await ask("/api/catalogue");
  document.body.append(make("datalist", { id: "players" }, ...[PERSON, ...catalogue.planners].map((name) => make("option", { value: name }))));
  by("game").replaceChildren(...catalogue.games.map((game) => make("option", { value: game.name }, game.title)));
  for (const id of ["game", "options", "text"]) by(id).addEventListener("change", () => attempt(seatRows));
  by("file").addEventListener("change", async () => { by("text").value = await by("file").files[0].text(); await attempt(seatRows); });
  by("form").addEventListener("submit", begin);
  await seatRows();
  await list();
  by("to-results").hidden = !catalogue.watches;
});
