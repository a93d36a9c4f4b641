// A game: the board with what can be clicked, the course, the planners' thoughts.
"use strict";
import { ask, attempt, by, counted, keepSecrets, make, number, numbers, say, secretsOf, shortId, words } from "./common.js";

const room = new URLSearchParams(location.search).get("room");
const isAddress = /^[\w-]+$/.test(room ?? "");
const secret = secretsOf(room);
const asked = `secret=${encodeURIComponent(secret)}`;
const PACE = 350; // milliseconds between two actions of others that are shown
const MOST_SHOWN = 8; // actions that are shown one by one
const LEAST_TEXT = 8; // pixels of the usual small text of a picture; below that the board begins zoomed
const GOOD_TEXT = 11;
const SVG = "http://www.w3.org/2000/svg";

let game = null; // the latest summary
let shown = -1; // number of steps before the position that is shown
let follows = true; // whether the page goes on to new positions
let chosen = []; // areas that were clicked
let frames = new Map(); // step number -> frame
let values = []; // of the game after each step
let drawn = -1; // number of steps before the position to which what can be clicked belongs
let isAwaited = false; // an action was sent
let isFirst = true; // no picture has been drawn yet
let epoch = 0; // rises when steps were taken back

async function frame(index) {
  if (!frames.has(index)) {
    const at = epoch;
    const found = await ask(`/api/rooms/${room}/frames/${index}?${asked}`);
    if (at === epoch) frames.set(index, found);
    return found;
  }
  return frames.get(index);
}

const matching = () => game.legal.filter((one) => chosen.every((area, index) => one.path[index] === area) && one.path.length >= chosen.length);
const isNow = () => game !== null && shown === game.steps;

// A game's picture may hold anything; in a shadow tree its styles stay its own, and the page's policy runs no scripts.
function picture(svg) {
  const host = make("div");
  const shadow = host.attachShadow({ mode: "open" });
  shadow.innerHTML = `<style>svg { display: block; width: 100%; height: auto; max-height: var(--tallest, 78vh); border-radius: 8px; }</style>${svg}`;
  return host;
}

// On a narrow screen the whole picture would have tiny texts: it begins at a size at which they can be read.
function fitBoard() {
  const svg = by("board").querySelector(".sheet > div").shadowRoot.querySelector("svg"), width = svg?.viewBox.baseVal?.width;
  const sizes = [...(svg?.querySelectorAll("text") ?? [])].map((text) => parseFloat(getComputedStyle(text).fontSize)).sort((one, other) => one - other);
  if (!width || !sizes.length) return;
  const usual = sizes[Math.floor(sizes.length / 4)];
  if ((usual * by("board").clientWidth) / width >= LEAST_TEXT) return;
  by("board").style.setProperty("--wide", `${Math.round((GOOD_TEXT * width) / usual)}px`);
  zoom(true);
}

function zoom(isOn) {
  by("board").classList.toggle("zoomed", isOn);
  by("zoom").setAttribute("aria-pressed", isOn);
}

// Where a seat of this page has its units, those in their middle first.
function ownPlaces(view) {
  const layer = by("board").querySelector("svg.areas"), box = layer.viewBox.baseVal, sheet = layer.getBoundingClientRect(), scale = sheet.width / box.width;
  const own = Object.values(view.areas).flat().filter(([,,,,, owner]) => game.seats[owner]?.is_you);
  const mean = (index) => own.reduce((sum, area) => sum + area[index], 0) / own.length, far = ([x, y]) => Math.hypot(x - mean(0), y - mean(1));
  return own.sort((one, other) => far(one) - far(other)).map(([x, y, width, height]) => new DOMRect(sheet.left + scale * (x - box.x), sheet.top + scale * (y - box.y), scale * width, scale * height));
}

// Scrolls to something that can be clicked, unless some of it is in sight already.
function showArea(others = []) {
  const board = by("board"), frame = board.getBoundingClientRect();
  const able = [...board.querySelectorAll(".areas rect.can:not(.other)")].map((area) => area.getBoundingClientRect());
  const places = able.length ? able : others;
  const isInSight = (place) => { // its middle is, so that it can be recognised and hit
    const x = place.left + place.width / 2, y = place.top + place.height / 2;
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  };
  if (!places.length || places.some(isInSight)) return;
  board.scrollLeft += places[0].left + places[0].width / 2 - frame.left - frame.width / 2;
  board.scrollTop += places[0].top + places[0].height / 2 - frame.top - frame.height / 2;
}

let focused = null; // what had the focus before everything that can be clicked was drawn again

function noteFocus() {
  const active = document.activeElement;
  if (active?.dataset?.area !== undefined) focused = () => document.querySelector(`.areas [data-area="${CSS.escape(active.dataset.area)}"][tabindex]`);
  else if (active?.closest("#chips, #list")) focused = () => [...document.querySelectorAll("#chips button, #list button")].find((one) => one.textContent === active.textContent && one.checkVisibility());
  else if (active !== by("board")) focused = null; // somebody else has it; the board has it while what had it is not there
}

function keepFocus() {
  if (focused !== null) (focused() ?? by("board")).focus({ preventScroll: true });
}

function areaLayer(view) {
  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("class", "areas");
  layer.setAttribute("viewBox", /viewBox="([^"]*)"/.exec(view.svg)?.[1] || "0 0 100 100");
  if (!isNow()) return layer;
  const next = new Set(matching().map((one) => one.path[chosen.length]).filter(Boolean));
  const first = new Set(game.legal.map((one) => one.path[0]).filter(Boolean));
  for (const [name, places] of Object.entries(view.areas)) {
    const isOn = chosen.includes(name), isNext = next.has(name), isOther = chosen.length > 0 && first.has(name);
    if (!isOn && !isNext && !isOther) continue;
    for (const [index, [x, y, width, height, label]] of places.entries()) {
      const area = document.createElementNS(SVG, "rect");
      for (const [key, value] of Object.entries({ x: x + 1, y: y + 1, width: width - 2, height: height - 2 })) area.setAttribute(key, value);
      area.setAttribute("class", isOn ? "on" : isNext ? (chosen.length ? "can target" : "can") : "can other");
      area.setAttribute("data-area", name);
      for (const [key, value] of Object.entries(index ? { "aria-hidden": true } : { role: "button", tabindex: 0, "aria-label": label })) area.setAttribute(key, value);
      if (isOther && !isNext && !isOn) area.style.strokeOpacity = .25;
      area.addEventListener("click", () => { if (index) area.parentNode.querySelector(`[data-area="${CSS.escape(name)}"]`).focus({ preventScroll: true }); choose(name); });
      area.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(name); } });
      layer.append(area);
    }
  }
  return layer;
}

function choose(name) {
  if (isAwaited || drawn !== game.steps) return;
  const next = new Set(matching().map((one) => one.path[chosen.length]));
  if (next.has(name)) chosen.push(name);
  else if (chosen.includes(name)) chosen = chosen.slice(0, chosen.indexOf(name));
  else chosen = [name];
  const found = matching();
  if (found.length === 1 && found[0].path.length === chosen.length && (chosen.length > 1 || isAction(found[0]))) play(found[0].action);
  else draw();
}

// A click that only chooses a unit or card plays nothing, even if that can do one thing only: it may be its discard.
const isAction = (one) => one.path[0] === one.action;

async function play(action) {
  if (isAwaited || drawn !== game.steps) return; // the page is about to show another position
  chosen = [];
  isAwaited = true;
  const typed = by("text").value;
  await attempt(async () => {
    try { await ask(`/api/rooms/${room}/play`, { action, at: game.steps, secret }); } catch (error) { isAwaited = false; throw error; }
    if (!typed || by("text").value !== typed) return; // nothing was typed, or the next action is being typed already
    by("text").value = "";
    legalList();
  });
}

function chips() {
  const exact = isNow() ? matching().filter((one) => (chosen.length ? one.path.length === chosen.length : one.path.length === 0)) : [];
  const few = chosen.length ? exact : exact.filter((one) => one.action === "end" || exact.length <= 12);
  by("chips").replaceChildren(...few.map((one) => make("button", { onclick: () => play(one.action) }, one.action)));
}

function legalList() {
  const groups = new Map();
  const prefix = by("text").value.trim().toLowerCase();
  for (const one of isNow() ? game.legal : []) {
    if (!one.action.toLowerCase().startsWith(prefix)) continue;
    if (!groups.has(one.heading)) groups.set(one.heading, []);
    groups.get(one.heading).push(one.action);
  }
  by("list").replaceChildren(...[...groups].flatMap(([heading, actions]) => [
    make("h3", {}, heading || "actions"),
    make("div", { className: "chips" }, ...actions.map((action) => make("button", { onclick: () => play(action) }, action))),
  ]));
}

async function draw() {
  if (shown < 0) return;
  const at = shown;
  const view = await frame(at);
  if (at !== shown) return; // another drawing has overtaken this one
  drawn = at;
  noteFocus();
  by("board").replaceChildren(make("div", { className: "sheet" }, picture(view.svg), areaLayer(view)));
  if (isFirst) fitBoard();
  if (by("board").classList.contains("zoomed")) showArea(isFirst ? ownPlaces(view) : []);
  isFirst = false;
  chips();
  legalList();
  keepFocus();
  by("place").max = game.steps;
  by("place").value = shown;
  by("place").setAttribute("aria-valuetext", `after ${shown} of ${counted(game.steps, "action")}`);
  for (const id of ["first", "back"]) by(id).disabled = shown === 0;
  for (const id of ["last", "forward"]) by(id).disabled = shown >= game.steps;
  const who = view.player >= 0 ? game.seats[view.player].label : "";
  const did = who ? `${who}: ${view.action}. ` : "";
  by("status").textContent = did + (isNow() ? stateWords() : `Position after ${shown} of ${counted(game.steps, "action")}.`);
  const note = view.note;
  by("note").textContent = note ? `Plan: ${note.plan.join("; ")}. Value ${number(note.value)}, ${note.seconds.toFixed(2)} s, ${counted(note.iterations, "iteration")}.` : "";
  markMove();
  by("value").textContent = view.value === null ? "" : `Value here: ${number(view.value)}${game.is_over && game.seats.length > 1 ? `. The curve leaves out the end: ${game.result}` : ""}.`;
}

// The list of actions is one stop of the Tab key; the position that is shown is its active item.
function markMove() {
  const list = by("moves");
  for (const item of list.children) item.setAttribute("aria-selected", Number(item.value) === shown);
  const current = list.children[shown - 1];
  if (!current) { list.removeAttribute("aria-activedescendant"); list.scrollTop = 0; return; }
  list.setAttribute("aria-activedescendant", current.id);
  list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function stateWords() {
  if (game.is_over) return `The game is over: ${game.result}.`;
  if (game.trouble) return "The game stands still; the reason is next to the players.";
  if (!game.goes_on) return game.result ? `The game has ended: ${game.result}.` : "The recording ends here.";
  const seat = game.seats[game.mover];
  if (seat.is_you && !chosen.length) return "It is your turn: click what is to act, or type an action.";
  if (seat.is_you) {
    const found = matching(), hasTarget = found.some((one) => one.path.length > chosen.length), hasButton = found.some((one) => one.path.length === chosen.length);
    return hasTarget ? `Choose a target${hasButton ? ", or a button below the board" : ""}.` : "Choose a button below the board.";
  }
  return `${seat.label} (${seat.name}) ${seat.is_person ? "is to move" : "is thinking"}.`;
}

function players() {
  by("players").replaceChildren(...game.seats.map((seat, index) => make("div", { className: "seat" + (index === game.mover ? " moves" : "") },
    make("span", { className: "dot" }), make("span", {}, `${seat.label}: ${seat.name}${seat.is_you ? " (you)" : ""}`), make("span", { className: "soft small" }, seat.budget))));
  by("trouble").textContent = game.trouble;
  by("resume").hidden = !game.trouble || game.is_record;
  for (const id of ["typed", "chips", "all"]) by(id).hidden = game.is_record;
  by("to-results").hidden = !/^(game|live)-\d+$/.test(room);
  by("undo").disabled = !game.may_undo;
  by("take-back").disabled = !game.may_take_back;
  by("hidden-why").hidden = game.sees_all;
  for (const id of ["replay", "position", "branch"]) {
    by(id).disabled = !game.sees_all;
    by(id).title = game.sees_all ? "" : by("hidden-why").textContent;
  }
  const isPlayer = game.seats.some((seat) => seat.is_you);
  for (const id of ["text", "play"]) by(id).disabled = !isPlayer;
  by("text").placeholder = isPlayer ? "An action as text, or its beginning" : "No seat of this game is yours here: open the link of your seat to play";
  const mine = secret.split(".").filter(Boolean);
  by("invite").replaceChildren(...(mine.length > 1 ? ["Links for one seat each: ", ...mine.flatMap((one, index) => [make("a", { href: `/room?room=${room}#seat=${one}`, target: "_blank" }, `seat ${index + 1}`), " "])] : []));
}

async function moves() {
  const list = by("moves");
  while (list.children.length > game.steps) { list.lastElementChild.remove(); values.pop(); }
  const known = list.children.length;
  if (known === game.steps) { curve(); return; }
  for (const [index, step] of (await ask(`/api/rooms/${room}/course/${known}?${asked}`)).entries()) {
    const number = known + index + 1;
    values.push(step.value);
    const label = `${number}. ${game.seats[step.player].label}: ${step.action}`;
    list.append(make("li", { value: number, id: `move${number}`, role: "option", className: `p${step.player % 2}`, "aria-label": label, onclick: () => go(number) }, step.action));
  }
  curve();
}

// The value at the end of a game is often its result in another size, which would flatten all before it: words name it.
function curve() {
  const isCut = game.is_over && game.seats.length > 1;
  const shownValues = [game.start_value, ...(isCut ? values.slice(0, -1) : values)];
  const known = shownValues.filter((value) => value !== null);
  by("plot").hidden = known.length < 2;
  if (known.length < 2) return;
  const low = Math.min(0, ...known), high = Math.max(0, ...known), span = high - low || 1, last = shownValues.length - 1;
  const height = (value) => 38 - (36 * (value - low)) / span;
  const line = document.createElementNS(SVG, "polyline"), zero = document.createElementNS(SVG, "line");
  line.setAttribute("points", shownValues.map((value, index) => (value === null ? "" : `${(100 * index) / last},${height(value)}`)).join(" "));
  for (const [key, value] of Object.entries({ x1: 0, x2: 100, y1: height(0), y2: height(0), "stroke-dasharray": "2 2" })) zero.setAttribute(key, value);
  by("curve").replaceChildren(zero, line);
  const [highest, lowest] = [Math.max(...known), Math.min(...known)].map((value) => number(value));
  by("high").textContent = high ? highest : "0";
  by("low").textContent = low ? lowest : "0";
  by("zero").hidden = Math.min(high, -low) < span / 6; // one of the other labels is there
  by("plot").style.setProperty("--zero", `${(7 * height(0)) / 40}rem`);
  by("now").textContent = `${counted(last, "action")}${isCut ? ", without the end" : ""}`;
  by("curve").setAttribute("aria-label", `Value of the game from the start to ${counted(last, "action")}: lowest ${lowest}, highest ${highest}`);
}

async function go(index) {
  chosen = [];
  shown = Math.max(0, Math.min(index, game.steps));
  follows = shown === game.steps;
  await attempt(draw);
}

async function update(summary) {
  const before = game;
  isAwaited = false;
  drawn = -1;
  game = summary || (await ask(`/api/rooms/${room}?${asked}`));
  by("title").textContent = game.title;
  by("main").inert = !game.may_look;
  if (!game.may_look) by("status").textContent = "";
  if (!game.may_look) throw new Error("Something is hidden in this game, so only its players can look before it is over. Open the link of your seat.");
  if (before === null || game.edition !== before.edition || game.sees_all !== before.sees_all) {
    frames = new Map();
    epoch += 1;
    by("moves").replaceChildren();
    values = [];
    shown = Math.min(shown < 0 ? game.steps : shown, game.steps);
    if (before !== null && game.edition !== before.edition) { shown = game.steps; follows = true; }
  }
  by("id").textContent = game.is_record ? "" : shortId(room);
  document.title = `${game.title}${game.is_record ? "" : ` ${shortId(room)}`} – turnwise`;
  players();
  await moves();
  if (follows) shown = Math.max(shown, game.steps - MOST_SHOWN); // of many actions only the last ones are shown one by one
  while (follows && shown < game.steps && newest === null) {
    shown += 1;
    await draw();
    if (shown < game.steps) await pause(PACE);
  }
  await draw();
  if (game.thinking < 0) by("thinking").hidden = true;
}

function lines(live) {
  const values = live.lines.map((line) => line.value), shown = numbers(values);
  const notes = [];
  if (live.worlds > 1 && !live.has_ended) notes.push("Values are those of this world; that of the answer is a mean over all worlds.");
  if (values.some((value, index) => index && value > values[index - 1])) notes.push("The planner's choice is first. A line further down may have a higher value because the planner has tested it less.");
  return [make("ol", { className: "lines" }, ...live.lines.map((line, index) => make("li", {}, make("b", {}, shown[index]), line.actions.join("; ")))),
    ...(notes.length ? [make("p", { className: "small soft" }, notes.join(" "))] : [])];
}

function showLive(live, into) {
  const bar = make("i");
  bar.style.width = `${100 * (live.share ?? 0)}%`;
  const world = live.worlds > 1 ? `world ${live.world} of ${live.worlds}, ` : "";
  into.replaceChildren(make("div", { className: "bar" }, bar),
    make("p", { className: "small soft" }, `${world}${number(live.iterations_per_second, 3)} iterations a second, ${live.iterations.toLocaleString("en")} in ${live.seconds.toFixed(1)} s, ${counted(live.forward_calls, "forward call")}; best value ${number(live.value)}`), ...lines(live));
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
let analyses = 0; // number of the analysis that is shown

// Errors stand in the panel, where whoever has asked looks; after a server's restart the search can be asked for again.
async function analyse(question) {
  const own = ++analyses, title = make("strong", {}, `${question.planner}, after ${counted(question.at, "action")}`);
  const buttons = make("span", { className: "row" }), trouble = make("p", { className: "error small", role: "alert" });
  const live = make("div", {}, make("p", { className: "soft small", role: "status" }, "The search begins. It may wait for others, and a planner's first search on this machine takes longer, since it is compiled …"));
  by("analysis").replaceChildren(make("p", { className: "row" }, title, buttons), trouble, live);
  const fail = (error) => {
    trouble.textContent = words(error);
    buttons.replaceChildren(make("button", { onclick: () => analyse(question) }, "Ask again"));
    if (live.querySelector("[role=status]")) live.replaceChildren(); // nothing was found yet
  };
  let analysis;
  try { ({ analysis } = await ask(`/api/rooms/${room}/analyses`, { ...question, secret })); } catch (error) {
    fail(error);
    if (error.isAnswer) buttons.replaceChildren(); // the same question would have the same answer
    return;
  }
  const stop = async () => { try { await ask(`/api/analyses/${analysis}/stop`, {}); } catch (error) { trouble.textContent = words(error); } };
  buttons.replaceChildren(make("button", { onclick: stop }, "Stop"));
  while (own === analyses) {
    let found;
    try { found = await ask(`/api/analyses/${analysis}`); } catch (error) {
      if (error.isAnswer) { fail("The search has ended without an answer: the server was started again, or has forgotten it."); return; }
      trouble.textContent = words(error);
      await pause(1000);
      continue;
    }
    trouble.textContent = "";
    if (found.trouble) { fail(found.trouble); return; }
    if (found.live) showLive(found.live, live);
    if (found.has_ended) {
      buttons.replaceChildren();
      live.prepend(make("p", { className: "answer" }, found.plan.join("; "), ` (value ${number(found.value)})`));
      return;
    }
    await pause(300);
  }
}

async function save(path, name) {
  const data = await ask(path);
  const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify(data)], { type: "application/json" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

let source = null; // the stream of this game
let newest = null; // the latest summary that is not shown yet
let isUpdating = false;

async function showNewest() {
  if (isUpdating) return;
  isUpdating = true;
  while (newest !== null) {
    const summary = newest;
    newest = null;
    await attempt(() => update(summary));
    if (!summary.goes_on) leave(); // nothing more comes, and a browser has few connections
  }
  isUpdating = false;
}

// Lines flow together into paragraphs; a line that begins with two spaces, such as the form of an action, stays on its own.
function prose(text) {
  return text.split(/\n\s*\n/).flatMap((block) => {
    const parts = [];
    for (const line of block.split("\n")) {
      const isOwn = line.startsWith("  ");
      if (isOwn || !parts.length || parts.at(-1).isOwn) parts.push({ isOwn, text: line.trim() });
      else parts.at(-1).text += ` ${line.trim()}`;
    }
    return parts.filter((part) => part.text).map((part) => make("p", { className: part.isOwn ? "own" : "" }, part.text));
  });
}

function leave() {
  source?.close();
  source = null;
}

function close() {
  by("link").textContent = "";
  by("status").textContent = "";
  by("title").textContent = "No game";
  by("main").inert = true;
}

function follow() {
  if (source !== null) return;
  source = new EventSource(`/api/rooms/${room}/events?${asked}`);
  source.addEventListener("game", (event) => {
    by("link").textContent = "";
    newest = JSON.parse(event.data);
    showNewest();
  });
  source.addEventListener("live", (event) => {
    by("thinking").hidden = false;
    by("thinking-title").textContent = game && game.thinking >= 0 ? `${game.seats[game.thinking].label} thinks` : "Thinking";
    showLive(JSON.parse(event.data), by("live"));
  });
  source.addEventListener("error", async () => {
    by("link").textContent = "connection lost, trying again …";
    if (source?.readyState !== 2) return; // the browser tries again
    leave();
    try { await ask(`/api/rooms/${room}?${asked}`); } catch (error) {
      say(error);
      if (error.isAnswer) { close(); return; } // the game is not there
    }
    setTimeout(follow, 1000);
  });
}

by("zoom").onclick = () => { zoom(!by("board").classList.contains("zoomed")); showArea(); };
by("first").onclick = () => go(0);
by("back").onclick = () => go(shown - 1);
by("forward").onclick = () => go(shown + 1);
by("last").onclick = () => go(game.steps);
by("place").oninput = () => go(Number(by("place").value));
by("text").oninput = legalList;

by("guide").addEventListener("toggle", () => attempt(async () => {
  if (!by("guide").open || game === null) return;
  const { rules } = await ask(`/api/rooms/${room}/rules`);
  by("rules").replaceChildren(...(rules ? prose(rules) : ["This game comes without short rules."]));
}));

for (const id of ["undo", "take-back", "resume"]) by(id).onclick = () => attempt(async () => { await ask(`/api/rooms/${room}/${id}`, { secret }); follow(); });
by("analyse").onsubmit = (event) => {
  event.preventDefault();
  analyse({ at: shown, planner: by("planner").value.trim(), budget: by("budget").value.trim() });
};
by("replay").onclick = () => attempt(() => save(`/api/rooms/${room}/replay?${asked}`, `${game.game.split(":")[0]}.replay.json`));
by("position").onclick = () => attempt(() => save(`/api/rooms/${room}/positions/${shown}?${asked}`, `${game.game.split(":")[0]}.state.json`));
by("branch").onclick = () => attempt(async () => {
  const made = await ask(`/api/rooms/${room}/branch`, { at: shown, secret });
  const people = made.secrets.filter(Boolean);
  keepSecrets(made.room, people);
  location.href = `/room?room=${made.room}` + (people.length === 1 ? `#seat=${people[0]}` : "");
});
by("typed").onsubmit = (event) => {
  event.preventDefault();
  const typed = by("text").value.trim();
  if (game === null) return; // it stays in the box until the game is there
  if (!typed) { by("list").parentElement.open = true; return; }
  const found = game.legal.filter((one) => one.action.toLowerCase() === typed.toLowerCase());
  const begun = game.legal.filter((one) => one.action.toLowerCase().startsWith(typed.toLowerCase()));
  if (!found.length && begun.length > 1) say(`${begun.length} legal actions begin with ${typed}; see the list.`);
  else play((found[0] || begun[0])?.action ?? typed); // the rules accept more than they list, or say what they expect
};
document.addEventListener("keydown", (event) => {
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === by("moves")) {
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (steps) { event.preventDefault(); go(shown + steps); return; }
  }
  const keys = { ArrowLeft: () => go(shown - 1), ArrowRight: () => go(shown + 1), Home: () => go(0), End: () => go(game.steps), u: () => by("undo").click(), Escape: () => { chosen = []; draw(); } };
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leave();
  else if (isAddress && (game === null || game.goes_on)) follow();
});
if (isAddress) follow();
else {
  close();
  say(room === null ? "This address names no game. Choose one on the first page." : `There is no game '${room.slice(0, 64)}' on this server: names of games have only letters, digits, - and _.`);
}
