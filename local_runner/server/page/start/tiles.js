// The tiles for the choice of a game, each with a small drawing of its board and two lines about its rules.

import {h, s} from "../dom.js";
import {t} from "../language.js";

function drawing(game) {
  const art = s("svg", {viewBox: "0 0 40 40", class: "tile-art", "aria-hidden": "true"});
  const stone = (x, y, mark) => s("circle", {cx: x, cy: y, r: 4.6, class: mark === 1 ? "brand-black" : "brand-white"});
  if (game.style === "marks") {
    art.append(s("path", {d: "M15 5v30M25 5v30M5 15h30M5 25h30", class: "tile-line"}),
      s("path", {d: "M7 7l6 6M13 7l-6 6M17 17l6 6M23 17l-6 6", class: "tile-cross"}),
      s("circle", {cx: 30, cy: 10, r: 3.4, class: "tile-nought"}));
  } else if (game.style === "crossings") {
    art.append(s("rect", {x: 1, y: 1, width: 38, height: 38, rx: 4, class: "tile-wood"}),
      s("path", {d: "M10 1v38M20 1v38M30 1v38M1 10h38M1 20h38M1 30h38", class: "tile-grain"}));
    const cells = game.start === "stones" ? [[10, 10, 1], [20, 20, 2], [10, 20, 1], [20, 10, 2]]
      : [[10, 30, 1], [20, 20, 1], [30, 10, 1], [20, 10, 2], [30, 20, 2]];
    art.append(...cells.map((cell) => stone(...cell)));
  } else {
    art.append(s("rect", {x: 1, y: 1, width: 38, height: 38, rx: 4, class: "tile-felt"}),
      s("path", {d: game.rows > 8 ? "M8.6 1v38M16.2 1v38M23.8 1v38M31.4 1v38M1 8.6h38M1 16.2h38M1 23.8h38M1 31.4h38"
        : "M10.5 1v38M20 1v38M29.5 1v38M1 10.5h38M1 20h38M1 29.5h38", class: "tile-seam"}));
    if (game.start === "discs") art.append(stone(15.2, 15.2, 2), stone(24.8, 15.2, 1), stone(15.2, 24.8, 1), stone(24.8, 24.8, 2));
  }
  return art;
}

/** The rules in two lines: what wins, and what else a player asks first. */
function rules({in_a_row: k, start}) {
  if (!k) return [t("Most discs win; equal: draw"), t("No legal move: you pass")];
  if (k < 5) return [t("{k} in a row win", {k}), t("Full board: draw")];
  return [t("5 or more win; no forbidden moves"),
    start === "stones" ? t("4 stones set; full board: draw") : t("Starts empty; full board: draw")];
}

/** The tile of a game, a radio button. */
export function tile(game, chosen, choose) {
  return h("label", {class: "tile"},
    h("input", {type: "radio", name: "game", id: `game-${game.env}`, value: game.env, checked: chosen, on: {change: choose}}),
    drawing(game), h("b", {}, game.title), h("small", {}, rules(game).map((line) => h("span", {}, line))));
}
