// The first page: a new game, and the games that there are.
"use strict";
import { ask, attempt, by, counted, keepSecrets, make, remove, secretsOf, shortId, when } from "./common.js";

const PERSON = "person";
const AGAIN = 1000; // milliseconds until a check that has no answer yet is asked for again
let catalogue;
let shown = ""; // the seats that have rows

async function seatRows() {
  const game = { ...catalogue.games.find((one) => one.name === by("game").value) };
  const saved = by("text").value.trim();
  if (by("options").value.trim() || saved) Object.assign(game, await ask("/api/scenario", { game: scenario(), saved }));
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
    for (const field of [player, budget]) {
      field.setAttribute("aria-describedby", `problem${index}`);
      field.addEventListener("change", () => attempt(check));
    }
    hide();
    return make("div", { className: "row wanted" },
      make("div", { className: "grow" }, make("label", { htmlFor: player.id }, `${label}: person, or a planner with parameters`), player),
      make("div", { className: "grow" }, make("label", { htmlFor: budget.id }, "Budget of a turn"), budget),
      make("p", { className: "error small wide", id: `problem${index}`, role: "status" }));
  }));
}

const scenario = () => by("game").value + (by("options").value.trim() ? `:${by("options").value.trim()}` : "");

const wanted = () => [...by("seats").querySelectorAll(".wanted")].map((row) => {
  const player = row.querySelector(".player").value.trim() || PERSON;
  return player === PERSON ? { player } : { player, budget: row.querySelector(".budget").value.trim() };
});

let checked = ""; // the seats that were checked last

async function check() {
  const asked = { game: scenario(), saved: by("text").value.trim(), seats: wanted() };
  checked = JSON.stringify(asked);
  const { problems, is_checked: isChecked } = await ask("/api/seats", asked);
  if (checked !== JSON.stringify(asked)) return; // another check has begun meanwhile
  problems.forEach((problem, index) => {
    by(`problem${index}`).textContent = problem;
    for (const id of [`player${index}`, `budget${index}`]) by(id).setAttribute("aria-invalid", isChecked && problem !== "");
  });
  if (!isChecked) setTimeout(() => { if (checked === JSON.stringify(asked)) attempt(check); }, AGAIN);
}

async function begin(event) {
  event.preventDefault();
  await attempt(async () => {
    const text = by("text").value.trim();
    const saved = text ? JSON.parse(text) : null;
    if (text && (saved === null || typeof saved !== "object")) throw new Error("Expected a replay or a state: a JSON object.");
    const isReplay = saved !== null && "steps" in saved;
    by("begin").disabled = true;
    by("waiting").textContent = "The game begins. A game's first use on this machine takes longer, since its rules are compiled …";
    const made = await ask("/api/rooms", {
      game: scenario(), seats: wanted(),
      replay: isReplay ? text : "", state: saved && !isReplay ? text : "",
    });
    const people = made.secrets.filter(Boolean);
    keepSecrets(made.room, people);
    location.href = `/room?room=${made.room}` + (people.length === 1 ? `#seat=${people[0]}` : "");
  });
  by("begin").disabled = false;
  by("waiting").textContent = "";
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
  for (const id of ["game", "options", "text"]) by(id).addEventListener("change", () => attempt(async () => { await seatRows(); if (wanted().some((seat) => seat.player !== PERSON) && checked) await check(); }));
  by("file").addEventListener("change", async () => { by("text").value = await by("file").files[0].text(); await attempt(seatRows); });
  by("form").addEventListener("submit", begin);
  await seatRows();
  by("begin").disabled = false;
  by("rooms").classList.remove("soft");
  await list();
  by("to-results").hidden = !catalogue.watches;
});
