/* The replay player: chooses, unpacks and shows games. Frame i is the state after i actions. */
(function () {
  const index = document.getElementById("game-index");
  if (!index) return;
  const games = JSON.parse(index.textContent);
  const $ = function (id) { return document.getElementById(id); };
  const player = $("player"), scrub = $("scrub"), list = $("list"), thought = $("thought"), fault = $("fault");
  // A shadow root keeps ids and rules of a picture away from the page; the page's policy keeps scripts out of it.
  const screen = $("board").attachShadow({ mode: "open" });
  screen.innerHTML = "<style>svg { display: block } :host(:not(.full)) svg { width: 100%; height: auto; max-height: 82vh }</style><div></div>";
  const picture = screen.querySelector("div");
  let meta = null, game = null, puzzle = false, at = 0, timer = 0, wanted = 0, isAddressed = false;

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }
  const colour = function (seat) { return "var(--s" + (seat % 8) + ")"; };
  // Text for people counts turns and rounds from 1.
  const turnText = function (step) { return game.turn[0] + " " + (step ? step.t - game.turn[1] + 1 : "–"); };
  const isAlone = function () { return meta.players.length === 1; };
  // In such a game every turn is one action: headings and "to move" would be redundant.
  const isPuzzle = function () { return isAlone() && game.steps.every(function (_, i) { return isTurnStart(i); }); };
  const seatName = function (seat) {
    if (seat < 0) return "chance";
    const name = meta.players[seat] || "player";
    return isAlone() ? name : name + " (seat " + (seat + 1) + ")";
  };
  const number = function (value) {
    if (value === null || value === undefined) return "–";
    if (Number.isInteger(value)) return value.toLocaleString("en");
    const size = Math.abs(value);
    return size >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
  };

  /* ------------------------------------------------------------------------------------------ choosing a game */

  function options(select, values, all) {
    select.replaceChildren(...(all ? [new Option(all, "")] : []), ...values.map(function (v) { return new Option(v[1], v[0]); }));
  }
  const picks = ["reading", "pair", "winner", "ending", "game"].map(function (name) { return $("pick-" + name).querySelector("select"); });
  const distinct = function (field, among) {
    return [...new Set(among.map(function (g) { return g[field]; }))].map(function (v) { return [v, v]; });
  };

  // A filter without a choice says what all games have in common: "won (all games)".
  function filter(select, field, among, all) {
    const values = distinct(field, among);
    if (values.length === 1) options(select, [], values[0][1] + " (all games)"); else options(select, values, all);
  }
  function fill(from) {
    const inReading = games.filter(function (g) { return !picks[0].value || g.reading === picks[0].value; });
    if (from < 1) filter(picks[1], "pair", inReading, "all pairs");
    const ofPair = inReading.filter(function (g) { return !picks[1].value || g.pair === picks[1].value; });
    if (from < 2) filter(picks[2], "winner", ofPair, "any");
    const wonBy = ofPair.filter(function (g) { return !picks[2].value || g.winner === picks[2].value; });
    if (from < 3) filter(picks[3], "ending", wonBy, "any");
    const shown = wonBy.filter(function (g) { return !picks[3].value || g.ending === picks[3].value; });
    options(picks[4], shown.map(function (g) {
      const where = picks[0].value || !g.reading ? "" : g.reading + ": ";
      return [String(g.number), where + g.title + ": " + g.result + ", " + g.turns + (g.turns === 1 ? " turn" : " turns")];
    }));
  }
  picks.slice(0, 4).forEach(function (pick, place) {
    pick.addEventListener("change", function () { fill(place); choose(Number(picks[4].value)); });
  });
  picks[4].addEventListener("change", function () { choose(Number(picks[4].value)); });

  /* The address names the game and the action that are shown, both as people count them. */
  const address = function (which, action) { return "#game=" + (which + 1) + "&action=" + action; };
  function fromAddress() {
    const found = /^#game=(\d+)(?:&action=(\d+))?$/.exec(location.hash);
    const which = found ? Number(found[1]) - 1 : -1;
    if (!games.some(function (g) { return g.number === which; })) return false;
    const action = Number(found[2] || 0);
    if (meta && meta.number === which) { jump(action); return true; }
    for (const pick of picks.slice(0, 4)) pick.value = "";
    fill(0);
    picks[4].value = String(which);
    choose(which, action).then(function () { player.scrollIntoView(); });
    return true;
  }
  window.addEventListener("hashchange", fromAddress);
  document.addEventListener("games-of-cell", function (event) {
    const cell = event.detail, pair = [cell.dataset.row, cell.dataset.column];
    const found = games.filter(function (g) {
      return g.reading === cell.dataset.reading && pair.every(function (name) { return g.players.includes(name); });
    });
    const place = cell.closest("table").parentElement.parentElement.querySelector(".cell-games");
    place.hidden = false;
    place.replaceChildren(...found.map(function (g) {
      return element("li", {}, element("a", { href: address(g.number, 0) }, g.title + ": " + g.result));
    }));
    location.hash = address(found[0].number, 0);
  });

  async function choose(which, action) {
    pause();
    wanted = which;
    fault.hidden = true;
    player.classList.add("loading");
    let loaded;
    try {
      loaded = await unpack($("game-" + which).textContent);
    } catch (error) {
      fault.textContent = String(error.message || error);
      fault.hidden = false;
      return;
    }
    if (which !== wanted) return; // another game was chosen meanwhile
    meta = games.find(function (g) { return g.number === which; });
    game = loaded;
    player.classList.remove("loading");
    player.hidden = false;
    puzzle = isPuzzle();
    scrub.max = String(game.frames.length - 1);
    buildList();
    options($("pick-metric").querySelector("select"), game.metrics.map(function (m) { return [m[0], m[0]]; }));
    $("pick-metric").hidden = !game.metrics.length;
    $("legend").hidden = !game.rules;
    $("legend").querySelector("pre").textContent = flowing(game.rules);
    curves.build();
    go(action || 0);
  }

  // The rules are written for a terminal: its line breaks go, except around the forms of actions, which are indented.
  function flowing(text) {
    return text.split("\n").reduce(function (lines, line) {
      const before = lines[lines.length - 1], isForm = line.startsWith("  ");
      if (isForm || before === undefined || before.startsWith("  ")) lines.push(line.replace(/(\S) {2,}/, "$1: "));
      else lines[lines.length - 1] = before + " " + line;
      return lines;
    }, []).join("\n");
  }

  async function unpack(text) {
    if (typeof DecompressionStream === "undefined")
      throw new Error("This browser cannot unpack the games (it has no DecompressionStream). Use Chrome 80, Firefox 113, Safari 16.4 or a later version.");
    const bytes = Uint8Array.from(atob(text.trim()), function (c) { return c.charCodeAt(0); });
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    try {
      return JSON.parse(await new Response(stream).text());
    } catch (error) {
      throw new Error("This game cannot be unpacked; the file is damaged (" + error.message + "). Write the report again.");
    }
  }

  /* --------------------------------------------------------------------------------------------- moving about */

  const last = function () { return game.frames.length - 1; };

  function go(to) {
    at = Math.max(0, Math.min(last(), to));
    picture.innerHTML = game.frames[at].map(function (part) { return game.parts[part]; }).join("");
    scrub.value = String(at);
    showWhere();
    showThought();
    showCurrent();
    curves.mark();
    offerSize();
    if (at === last()) pause();
    if (isAddressed) history.replaceState(null, "", address(meta.number, at));
    isAddressed = true;
  }
  // A picture that has been made smaller to fit can be shown in its own size, in which it is scrolled.
  function offerSize() {
    const drawn = picture.querySelector("svg"), isFull = $("board").classList.contains("full");
    const shrinks = drawn && Number(drawn.getAttribute("width")) > $("board").clientWidth + 8;
    $("size").hidden = !shrinks && !isFull;
  }
  new ResizeObserver(function () { if (game) offerSize(); }).observe($("board"));
  const isTurnStart = function (i) {
    const before = game.steps[i - 1], after = game.steps[i];
    return !before || !after || before.t !== after.t || before.p !== after.p;
  };
  function turnFrom(direction) {
    let to = at + direction;
    while (to > 0 && to < last() && !isTurnStart(to)) to += direction;
    return to;
  }
  function pause() {
    clearTimeout(timer);
    timer = 0;
    $("controls").classList.remove("playing");
  }
  function play() {
    if (at === last()) go(0);
    $("controls").classList.add("playing");
    const tick = function () { go(at + 1); if (at < last()) timer = setTimeout(tick, Number($("speed").value)); };
    timer = setTimeout(tick, Math.min(300, Number($("speed").value)));
  }
  const toggle = function () { if (timer) pause(); else play(); };
  const jump = function (to) { pause(); go(to); };
  const deeds = {
    start: function () { jump(0); },
    end: function () { jump(last()); },
    back: function () { jump(at - 1); },
    step: function () { jump(at + 1); },
    "turn-back": function () { jump(turnFrom(-1)); },
    "turn-step": function () { jump(turnFrom(1)); },
    play: toggle,
    size: function () { $("size").setAttribute("aria-pressed", String($("board").classList.toggle("full"))); offerSize(); },
  };
  $("controls").addEventListener("click", function (event) {
    const button = event.target.closest("button[data-do]");
    if (button && game) deeds[button.dataset.do]();
  });
  scrub.addEventListener("input", function () { jump(Number(scrub.value)); });
  $("board").addEventListener("click", function () { player.focus({ preventScroll: true }); });
  player.addEventListener("keydown", function (event) {
    if (!game || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    const keys = { ArrowLeft: "back", ArrowRight: "step", Home: "start", End: "end", " ": "play" };
    const deed = keys[event.key];
    if (!deed) return;
    event.preventDefault();
    deeds[event.shiftKey && event.key.startsWith("Arrow") ? "turn-" + deed : deed]();
  });

  /* ------------------------------------------------------------------------------------------ words and lists */

  function showWhere() {
    const next = game.steps[at], before = game.steps[at - 1];
    const left = document.createElement("span"), right = document.createElement("span");
    const end = game.stopped ? "recording stops: " + game.stopped : meta.result;
    const head = puzzle ? "Action " + at + " of " + last() : turnText(next || before);
    const what = next ? (puzzle ? "" : seatName(next.p) + " to move") : end;
    left.append(element("b", {}, head), what ? " · " + what : "");
    right.append(before ? "after " : "first position", before ? element("code", {}, before.a) : "", puzzle ? "" : " · " + at + " of " + last());
    right.className = "soft";
    $("where").replaceChildren(left, right);
  }

  function buildList() {
    const items = [element("button", { type: "button", "data-at": 0 }, "first position")];
    game.steps.forEach(function (step, i) {
      if (!puzzle && isTurnStart(i)) items.push(element("h4", {}, turnText(step) + " · " + seatName(step.p)));
      const button = element("button", { type: "button", "data-at": i + 1, style: "--c: " + colour(step.p) }, step.a);
      if (step.n >= 0) { button.className = "thinks"; button.title = "The planner searched before this action"; }
      items.push(button);
    });
    list.replaceChildren(...items);
  }
  list.addEventListener("click", function (event) {
    const button = event.target.closest("button[data-at]");
    if (button) jump(Number(button.dataset.at));
  });
  function showCurrent() {
    const old = list.querySelector('[aria-current="true"]');
    if (old) old.removeAttribute("aria-current");
    const button = list.querySelector('[data-at="' + at + '"]');
    button.setAttribute("aria-current", "true");
    list.scrollTop = button.offsetTop - list.clientHeight / 2;
  }

  /* The step whose note is shown: the decision made in this position, or the one that is being carried out. */
  function deciding() {
    let i = Math.min(at, game.steps.length - 1);
    while (i >= 0 && game.steps[i].n < 0) i -= 1;
    return i;
  }

  function showThought() {
    const from = deciding();
    if (from < 0) {
      thought.replaceChildren(element("h3", {}, "The planner's search"), element("p", { class: "soft" }, "No decision has been recorded so far."));
      return;
    }
    const step = game.steps[from], note = game.notes[step.n];
    const head = from === at ? "searches here" : "follows its plan";
    const parts = [element("h3", {}, element("span", { class: "who", style: "--c: " + colour(step.p) }, seatName(step.p)), element("span", { class: "soft small" }, " " + head))];
    parts.push(planList(note.plan, from));
    const figures = [["value of the plan", note.value], ["time", note.seconds === null ? null : number(note.seconds * 1000) + " ms"],
      ["forward-model calls", note.calls], ["evaluations", note.evaluations], ["iterations", note.iterations], ["stopped by", note.stopped],
      ...Object.entries(note.details).map(function (entry) { return [entry[0].replaceAll("_", " "), entry[1]]; })];
    parts.push(element("dl", { class: "cost" }, ...figures.map(function (f) {
      return element("div", {}, element("dt", {}, f[0]), element("dd", {}, typeof f[1] === "string" ? f[1] : number(f[1])));
    })));
    if (note.others.length) parts.push(alternatives(note));
    thought.replaceChildren(...parts);
  }

  function planList(plan, from) {
    const made = element("ol", { class: "plan", "aria-label": "Planned turn" });
    plan.forEach(function (action, i) {
      const played = game.steps[from + i], done = from + i < at;
      let kind = done ? "done" : from + i === at ? "next" : "";
      if (played && played.a !== action && done) kind = "other";
      made.append(element("li", kind ? { class: kind } : {}, action));
    });
    return made;
  }
  function alternatives(note) {
    const open = thought.querySelector("details");
    const made = element("details", open && !open.open ? {} : { open: "" });
    made.append(element("summary", {}, note.others.length + " other turn" + (note.others.length === 1 ? "" : "s") + " it rated"));
    made.append(element("ol", { class: "others" }, ...note.others.map(function (other) {
      return element("li", {}, element("b", {}, number(other[1])), "  " + other[0].join(", "));
    })));
    return made;
  }

  /* ------------------------------------------------------------------------------------------- value curves */

  const curves = (function () {
    const svg = $("curves"), tall = 62, left = 58, gap = 22;
    const shape = function (tag, attributes, text) {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      if (text !== undefined) made.textContent = text;
      return made;
    };
    const x = function (i) { return left + (wide - left - 8) * i / Math.max(1, last()); };
    let now = null, wide = 0;

    /* Lines of one scale, one above the other lanes. */
    function lane(name, lines, top) {
      const values = lines.flatMap(function (line) { return line.points.map(function (p) { return p[1]; }); });
      const low = Math.min(...values), high = Math.max(...values), span = high - low || 1;
      const y = function (v) { return top + tall - 6 - (tall - 12) * (v - low) / span; };
      svg.append(shape("rect", { class: "lane", x: left, y: top, width: wide - left - 8, height: tall, rx: 4 }));
      if (low < 0 && high > 0) svg.append(shape("path", { class: "zero", d: "M" + left + " " + y(0) + "H" + (wide - 8) }));
      svg.append(shape("text", { x: left - 6, y: top + 10, "text-anchor": "end" }, number(high)));
      svg.append(shape("text", { x: left - 6, y: top + tall - 1, "text-anchor": "end" }, number(low)));
      for (const line of lines) {
        const path = line.points.map(function (p) { return x(p[0]).toFixed(1) + " " + y(p[1]).toFixed(1); }).join("L");
        svg.append(shape("path", { class: "line", stroke: colour(line.seat), d: "M" + path }));
      }
      heading(name, top - 6);
    }
    /* The name of a lane, above it and clear of the numbers on its left; what is too long ends in "…" with a hint. */
    function heading(name, y) {
      const made = svg.appendChild(shape("text", { class: "name", x: left, y: y }, name)), room = wide - left - 8;
      if (made.getComputedTextLength() <= room) return;
      for (let kept = Math.min(name.length, 300); kept > 1 && made.getComputedTextLength() > room; kept -= 1)
        made.textContent = name.slice(0, kept - 1).trimEnd() + "…";
      made.append(shape("title", {}, name));
    }
    const points = function (numbers) {
      return numbers.map(function (v, i) { return [i, v]; }).filter(function (p) { return p[1] !== null; });
    };
    const bySeat = function (rows) {
      return rows.map(function (row, seat) { return { seat: seat, points: points(row) }; }).filter(function (l) { return l.points.length; });
    };
    /* Without an evaluation of the game: the planners' values of their plans; the second player's change their sign. */
    function planned() {
      const found = [];
      game.steps.forEach(function (step, i) {
        const value = step.n < 0 ? null : game.notes[step.n].value;
        if (value !== null) found.push([i, meta.players.length === 2 && step.p === 1 ? -value : value]);
      });
      return found.length > 1 && meta.players.length < 3 ? [{ seat: 0, points: found }] : [];
    }
    function build() {
      svg.replaceChildren();
      now = null;
      const own = bySeat(game.values), lines = own.length ? own : planned(), lanes = [];
      const whose = meta.players.length === 2 ? " for " + seatName(0) : "";
      if (lines.length) lanes.push([(own.length ? "“" + game.evaluation + "”" : "values of the plans") + whose, lines]);
      const metric = game.metrics.find(function (m) { return m[0] === $("pick-metric").querySelector("select").value; });
      const measured = metric ? bySeat(metric[1]) : [];
      if (measured.length) lanes.push([metric[0], measured]);
      const height = lanes.length * (tall + gap);
      svg.style.display = lanes.length ? "" : "none";
      $("curves-note").textContent = lanes.length
        ? (whose ? "One curve for both players: higher is better for " + seatName(0) + ". " : "") + "Click to go to the position."
        : "This game has no evaluation and no metrics, and its planners gave no values.";
      if (!lanes.length) return;
      wide = Math.max(260, svg.clientWidth);
      svg.setAttribute("viewBox", "0 0 " + wide + " " + height);
      lanes.forEach(function (one, place) { lane(one[0], one[1], place * (tall + gap) + gap); });
      now = svg.appendChild(shape("path", { class: "now" }));
      now.dataset.lanes = String(lanes.length);
    }
    $("pick-metric").addEventListener("change", function () { build(); mark(); });
    svg.addEventListener("click", function (event) {
      const box = svg.getBoundingClientRect();
      const across = (event.clientX - box.left) * wide / box.width;
      jump(Math.round((across - left) / (wide - left - 8) * last()));
    });
    new ResizeObserver(function () {
      if (game && Math.abs(svg.clientWidth - wide) > 4) { build(); mark(); }
    }).observe(svg);
    /* The stroke at the position that is shown; it leaves out the names between the lanes. */
    function mark() {
      if (!now) return;
      const strokes = Array.from({ length: Number(now.dataset.lanes) }, function (_, place) {
        return "M" + x(at).toFixed(1) + " " + (place * (tall + gap) + gap) + "v" + tall;
      });
      now.setAttribute("d", strokes.join(""));
    }
    return { build: build, mark: mark };
  })();

  const readings = distinct("reading", games);
  document.querySelector(".pickers").hidden = games.length < 2;
  $("pick-reading").hidden = readings.length < 2;
  options(picks[0], readings.length < 2 ? [] : readings, "all readings");
  $("pick-winner").hidden = games.every(function (g) { return !g.winner; }); // games for one player
  fill(0);
  if (!fromAddress()) choose(Number(picks[4].value));
})();
