// A tournament while it plays: the tables of its results file, read again every two seconds.
"use strict";
import { ask, attempt, by, counted, make, number, say, when } from "./common.js";

const EVERY = 2000;
let last = "";

const percent = (share) => (100 * share).toFixed(1);
const head = (...names) => make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name))));

function scores(facts) {
  const cells = new Map(facts.cells.map((cell) => [`${cell.row}\n${cell.column}`, cell]));
  const rows = facts.players.map((row) => make("tr", {}, make("th", { scope: "row" }, row), ...facts.players.map((column) => {
    const cell = cells.get(`${row}\n${column}`);
    if (!cell || cell.score === null) return make("td", { className: "cell soft" }, row === column ? "" : "–");
    const strength = Math.min(0.6, Math.abs(cell.score - 0.5) * 1.2);
    const colour = cell.score >= 0.5 ? "--win" : "--loss";
    return make("td", { className: "cell", style: `background: rgb(var(${colour}) / ${strength})` }, percent(cell.score), make("br"),
      make("span", { className: "small" }, `${Math.round(100 * cell.low)}–${Math.round(100 * cell.high)}, ${cell.games}`));
  })));
  by("scores").replaceChildren(make("table", {}, head("", ...facts.players), make("tbody", {}, ...rows)));
}

function table(id, names, rows) {
  by(id).replaceChildren(rows.length ? make("table", {}, head(...names), make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell)))))) : "None yet.");
}

function watch(game) {
  if (!game.is_kept) return `${game.number}`;
  const open = () => attempt(async () => { const { room } = await ask(`/api/results/games/${game.number}`, {}); location.href = `/room?room=${room}`; });
  return make("button", { onclick: open, "aria-label": `Watch game ${game.number}` }, `▶ ${game.number}`);
}

function playing(facts) {
  const open = (game) => make("button", { "aria-label": `Follow game ${game.number}`, onclick: () => attempt(async () => { const { room } = await ask(`/api/results/live/${game.number}`, {}); location.href = `/room?room=${room}`; }) }, `▶ ${game.number}`);
  table("live", ["Follow", "Players", "Since"], facts.playing.map((game) => [open(game), game.players.join(" – "), when(game.began)]));
  by("playing").hidden = !facts.playing.length;
}

function search(facts) {
  by("bar").parentElement.hidden = true;
  const state = facts.playing.length ? "The search plays games turn by turn." : "No game is being played.";
  by("progress").textContent = facts.has_ended ? `The search has ended. turnwise serve ${facts.name} shows the game that it found.` : state;
  playing(facts);
}

function tuning(facts) {
  const tried = facts.tried ? ` ${counted(facts.tried, "setting")} tried.` : "";
  by("progress").textContent = (facts.total === null ? counted(facts.evaluations, "evaluation") : `${facts.evaluations} of ${counted(facts.total, "evaluation")}`) + `.${tried}`;
  by("bar").parentElement.hidden = facts.total === null;
  by("bar").style.width = `${facts.total ? Math.min(100, (100 * facts.evaluations) / facts.total) : 0}%`;
  table("points", ["Settings", "Evaluations", "Mean fitness", "95 % interval"], facts.points.map((one) => [one.settings, `${one.evaluations}`, number(one.mean), `${number(one.low)} to ${number(one.high)}`]));
  const low = Math.min(...facts.means), high = Math.max(...facts.means), span = high - low || 1;
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("points", facts.means.map((mean, index) => `${(100 * index) / Math.max(1, facts.means.length - 1)},${38 - (36 * (mean - low)) / span}`).join(" "));
  by("means").replaceChildren(line);
  by("means-words").textContent = facts.means.length ? `Mean fitness of all evaluations so far: from ${number(facts.means[0])} to ${number(facts.means.at(-1))}. It rises while the search tries better settings than before.` : "";
}

function show(facts) {
  by("title").textContent = facts.name;
  document.title = `${facts.name} – turnwise`;
  by("loading").hidden = true;
  for (const section of document.querySelectorAll("[data-kind]")) section.hidden = !section.dataset.kind.split(" ").includes(facts.kind);
  if (facts.kind === "tuning") { tuning(facts); return; }
  if (facts.kind === "search") { search(facts); return; }
  const of = facts.total === null ? "" : ` of ${facts.stops_early ? "at most " : ""}${facts.total}`;
  const endings = Object.entries(facts.endings).map(([ending, count]) => `${count} ${ending}`).join(", ");
  by("progress").textContent = (of ? `${facts.played}${of} games.` : `${counted(facts.played, "game")}.`) + (endings ? ` ${endings}.` : "");
  playing(facts);
  by("bar").style.width = `${facts.total ? (100 * facts.played) / facts.total : 0}%`;
  scores(facts);
  by("tests").textContent = facts.tests || facts.pairs.map((pair) => `${pair.first} – ${pair.second}: ${pair.verdict}`).join("; ");
  table("ratings", ["Player", "Elo", "95 % interval", "Games"], facts.ratings.map((one) => [one.player, one.elo.toFixed(0), `${one.low.toFixed(0)} to ${one.high.toFixed(0)}`, `${one.games}`]));
  table("search", ["Figure", ...facts.players], facts.search.map((measure) => {
    const values = new Map(measure.samples);
    return [make("span", { title: measure.meaning }, measure.title), ...facts.players.map((player) => (values.has(player) ? number(values.get(player)) : "–"))];
  }));
  table("games", ["Watch", "Players", "Scenario", "Result", "Turns"], facts.games.map((game) => [watch(game), game.players.join(" – "), game.scenario, game.result, `${game.turns}`]));
}

async function look() {
  try {
    const facts = await ask("/api/results");
    const text = JSON.stringify(facts);
    if (text !== last) { last = text; show(facts); }
    by("link").textContent = facts.kind === "tournament" && facts.total !== null && facts.played < facts.total && !facts.stops_early ? "being played" : "";
    say("");
  } catch (error) { say(error); }
  setTimeout(look, EVERY);
}

await attempt(async () => {
  if ((await ask("/api/catalogue")).watches) look();
  else {
    by("loading").hidden = true;
    by("nothing").hidden = false;
  }
});
