// The list of games with its filters, and the replay of one game.
//
// data: rows, cols; stones: the start board, row by row, 0 free, 1 Black, 2 White; first: who moves first; discs: whether
// the game is Reversi; names: of the agents; games: by number. A game has players (Black, White; indices of names),
// opening (the number of its moves), moves (cell numbers, -1 is a pass), turned (the discs that each move turns over),
// line (the winning line), and by call on turn, that is, from the first move after the opening: ms and, if the agent
// gives them, depth, value and nodes.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  if (!find("rows")) return;
  const SIDES = ["Black", "White"], CELL = Math.max(40, 360 / data.cols), EDGE = 32, RIM = 10, STEP_MS = 550;
  const rows = [...find("rows").rows];
  const board = find("board"), clock = find("clock"), table = find("moves");
  let game = null, row = null, ply = 0, timer = 0;

  function element(name, attributes, parent, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  // ---- the game

  const mover = (step) => (data.first + step + 1) % 2; // 0 Black, 1 White
  const place = (cell) => `(${Math.floor(cell / data.cols)}, ${cell % data.cols})`;
  const said = (key, step) => (game[key] ? game[key][step - game.opening] : null);
  const figures = () => ["depth", "value", "nodes"].filter((key) => game[key]); // those that an agent reports
  const figure = (value) => (value === null || value === undefined ? "" : value.toLocaleString("en"));

  function stonesAfter(count) {
    const stones = data.stones.slice(), numbers = {};
    for (let step = 0; step < count; step++) {
      const cell = game.moves[step];
      if (cell < 0) continue;
      stones[cell] = mover(step) + 1;
      numbers[cell] = step + 1;
      if (game.turned) for (const over of game.turned[step]) stones[over] = mover(step) + 1;
    }
    return { stones, numbers };
  }

  // ---- drawing

  const x = (cell) => EDGE + (cell % data.cols + 0.5) * CELL;
  const y = (cell) => EDGE + (Math.floor(cell / data.cols) + 0.5) * CELL;

  function drawGround() {
    const width = data.cols * CELL, height = data.rows * CELL;
    board.setAttribute("viewBox", `0 0 ${width + EDGE + RIM} ${height + EDGE + RIM}`);
    board.replaceChildren();
    const [ground, grid] = data.discs ? ["var(--felt)", "var(--felt-grid)"] : ["var(--board)", "var(--grid)"];
    element("rect", { width: width + EDGE + RIM, height: height + EDGE + RIM, fill: ground }, board);
    const lines = element("g", { stroke: grid, "stroke-width": 1.2 }, board);
    const between = data.discs || data.rows < 5; // stones are in squares, else on intersections
    const shift = between ? 0 : CELL / 2, more = between ? 1 : 0;
    for (let i = 0; i < data.rows + more; i++) {
      const at = EDGE + shift + i * CELL;
      element("line", { x1: EDGE + shift, x2: EDGE + width - shift, y1: at, y2: at }, lines);
    }
    for (let i = 0; i < data.cols + more; i++) {
      const at = EDGE + shift + i * CELL;
      element("line", { y1: EDGE + shift, y2: EDGE + height - shift, x1: at, x2: at }, lines);
    }
    const colour = data.discs ? "#e7f3ec" : "#4a3714";
    const names = element("g", { "font-size": 19, "text-anchor": "middle", fill: colour }, board);
    for (let i = 0; i < data.cols; i++) element("text", { x: x(i), y: EDGE - 9 }, names, i);
    for (let i = 0; i < data.rows; i++) element("text", { x: EDGE / 2, y: y(i * data.cols) + 6.5 }, names, i);
    element("g", { id: "stones" }, board);
  }

  function drawStones() {
    const group = find("stones"), { stones, numbers } = stonesAfter(ply), last = ply ? game.moves[ply - 1] : -1;
    group.replaceChildren();
    stones.forEach((stone, cell) => {
      if (!stone) return;
      element("circle", { cx: x(cell), cy: y(cell), r: CELL * 0.44, "stroke-width": 1.2, "data-cell": cell,
        "data-stone": stone, fill: stone === 1 ? "#1b1d20" : "#fdfdfb", stroke: stone === 1 ? "#000" : "#77716a" }, group);
      if (find("numbers").checked && numbers[cell]) {
        const ink = cell === last ? "#e5484d" : stone === 1 ? "#fff" : "#111";
        element("text", { x: x(cell), y: y(cell) + 5.5, "font-size": 15, "text-anchor": "middle", fill: ink }, group, numbers[cell]);
      }
    });
    if (ply === game.moves.length) {
      for (const cell of game.line || []) {
        element("circle", { cx: x(cell), cy: y(cell), r: CELL * 0.44, fill: "none", stroke: "#e5484d", "stroke-width": 3 }, group);
      }
    }
    if (last >= 0 && !find("numbers").checked) element("circle", { cx: x(last), cy: y(last), r: CELL * 0.15, fill: "#e5484d", id: "last" }, group);
    const count = [1, 2].map((side) => stones.filter((stone) => stone === side).length);
    board.setAttribute("aria-label", `The board after ${ply} moves: Black has ${count[0]} stones, White ${count[1]}`);
  }

  function drawClock() {
    const longest = Math.max(1, ...game.ms), width = Math.max(20, game.moves.length + 1);
    clock.setAttribute("viewBox", `0 0 ${width} 100`);
    clock.replaceChildren();
    game.ms.forEach((ms, index) => {
      const step = game.opening + index, height = 3 + (95 * ms) / longest;
      const bar = element("rect", { x: step + 0.1, width: 0.8, y: 100 - height, height, fill: "var(--muted)", "data-ply": step + 1 }, clock);
      element("title", {}, bar, `move ${step + 1}: ${ms} ms`);
    });
    clock.setAttribute("aria-label", `Time per move, at most ${longest} ms`);
  }

  function drawMoves() {
    table.replaceChildren();
    for (const head of document.querySelectorAll("[data-figure]")) head.hidden = !figures().includes(head.dataset.figure);
    find("figures").hidden = !figures().length;
    const steps = Math.max(game.moves.length, game.opening + game.ms.length);
    for (let step = 0; step < steps; step++) {
      const line = table.insertRow(), index = step - game.opening;
      line.dataset.ply = Math.min(step + 1, game.moves.length);
      const first = line.insertCell(), stone = document.createElement("span");
      stone.className = `stone ${mover(step) ? "white" : "black"}`;
      first.append(stone, step + 1);
      const cell = game.moves[step];
      line.insertCell().textContent = cell === undefined ? "fault" : cell < 0 ? "pass" : place(cell);
      line.insertCell().textContent = index < 0 ? "opening" : figure(game.ms[index]);
      for (const key of figures()) line.insertCell().textContent = index < 0 ? "" : figure(said(key, step));
    }
  }

  function tellMove() {
    let text = "The start of the game.";
    if (ply) {
      const step = ply - 1, cell = game.moves[step], side = mover(step);
      const name = data.names[game.players[side]];
      text = `Move ${ply} of ${game.moves.length}: ${SIDES[side]} (${name}) ${cell < 0 ? "passes" : `plays ${place(cell)}`}`;
      if (step < game.opening) text += ", set by the opening.";
      else {
        const more = figures().filter((key) => figure(said(key, step)) !== "");
        text += `, ${figure(game.ms[step - game.opening])} ms`;
        text += more.length ? `; ${more.map((key) => `${key} ${figure(said(key, step))}`).join(", ")}.` : ".";
      }
    }
    find("move").textContent = text;
  }

  // ---- navigation

  function show(wanted) {
    ply = Math.max(0, Math.min(game.moves.length, wanted));
    drawStones();
    tellMove();
    for (const bar of clock.children) bar.setAttribute("fill", +bar.dataset.ply === ply ? "#e5484d" : "var(--muted)");
    for (const line of table.rows) line.toggleAttribute("aria-current", +line.dataset.ply === ply && line.rowIndex <= ply);
    const current = table.rows[ply - 1], box = table.closest(".moves");
    box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
    if (ply === game.moves.length) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    document.querySelector('[data-do="play"]').textContent = "play";
  }

  function play() {
    if (timer) return stop();
    if (ply === game.moves.length) show(0);
    document.querySelector('[data-do="play"]').textContent = "stop";
    timer = setInterval(() => show(ply + 1), STEP_MS);
  }

  const actions = {
    first: () => show(0),
    prev: () => show(ply - 1),
    next: () => show(ply + 1),
    last: () => show(game.moves.length),
    play,
  };

  function act(name) {
    if (name !== "play") stop();
    actions[name]();
  }

  function open(number) {
    if (!data.games[number]) return false;
    stop();
    if (row) row.removeAttribute("aria-current");
    game = data.games[number];
    row = rows.find((found) => found.dataset.game === String(number));
    row.setAttribute("aria-current", "true");
    const [black, white] = game.players.map((player) => data.names[player]);
    find("players").textContent = `Game ${number}: ${black} (Black) – ${white} (White)`;
    find("ending").textContent = `${row.querySelector(".result").textContent} after ${game.moves.length} moves: ${row.querySelector(".text").textContent.trim()}`;
    drawMoves();
    drawClock();
    show(game.moves.length);
    return true;
  }

  function filter() {
    const { agent, other, end } = Object.fromEntries(new FormData(find("filters")));
    let count = 0;
    for (const each of rows) {
      const { black, white, winner, fault } = each.dataset;
      const side = agent === black ? "1" : agent === white ? "2" : "";
      const played = (name) => name === "" || name === black || name === white;
      const both = agent === "" || agent !== other; // no agent plays against itself
      const ended = { "": true, won: side && winner === side, lost: side && winner !== side && winner !== "3", fault: fault !== undefined };
      each.hidden = !(played(agent) && played(other) && both && (end in ended ? ended[end] : winner === end));
      count += !each.hidden;
    }
    find("count").textContent = count === rows.length ? `${count} games` : `${count} of ${rows.length} games`;
  }

  function follow() {
    const found = /^#game-(\d+)$/.exec(location.hash);
    if (found && open(found[1])) {
      find("replay").scrollIntoView({ block: "nearest" });
      find("players").focus({ preventScroll: true });
    }
  }

  find("rows").addEventListener("click", (event) => {
    const chosen = event.target.closest("tr");
    if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return; // these open the link elsewhere
    event.preventDefault();
    const wanted = `#game-${chosen.dataset.game}`;
    if (location.hash === wanted) follow();
    else location.hash = wanted;
  });
  document.querySelector(".buttons").addEventListener("click", (event) => {
    if (event.target.dataset.do) act(event.target.dataset.do);
  });
  for (const strip of [clock, table]) {
    strip.addEventListener("click", (event) => {
      const chosen = event.target.closest("[data-ply]");
      if (chosen) { stop(); show(+chosen.dataset.ply); }
    });
  }
  document.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "prev", ArrowRight: "next" };
    const box = event.target.closest(".wide"); // the keys scroll it if it is wider than its frame
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input")) return;
    if (box && box.scrollWidth > box.clientWidth) return;
    if (find("replay").contains(event.target)) Object.assign(keys, { Home: "first", End: "last" });
    if (keys[event.key]) { event.preventDefault(); act(keys[event.key]); }
  });
  find("numbers").addEventListener("change", drawStones);
  find("filters").addEventListener("change", filter);
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", follow);
  filter(); // a reload may keep the selected filters
  drawGround();
  if (rows.length) open(rows[0].dataset.game);
  follow();
})();
