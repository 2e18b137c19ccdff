// The list of the games on the server, newest first, each with a picture of its board, which is asked for when its row
// comes into view. A click opens a game again. Elements: #rooms, li[data-room].

import {connection} from "../connection.js";
import {$, button, h, put} from "../dom.js";
import {stonesAfter} from "../board/geometry.js";
import {outcome, t, when} from "../language.js";
import {playerNames} from "../room/players.js";
import {confirmed, damagedFiles, tell} from "../telling.js";
import {thumbnail} from "../board/thumbnail.js";

const SHOWN = 8;
const pictures = new Map(); // by room and number of plies

export function roomList() {
  const box = h("section", {class: "panel rooms", "aria-labelledby": "rooms-heading"});
  draw(box, SHOWN);
  connection.refresh();
  const off = connection.on("welcome", () => (box.isConnected ? draw(box, SHOWN) : off()));
  return box;
}

function draw(box, most) {
  const {rooms, damaged} = connection.welcome;
  const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({target}) => {
    seen.unobserve(target);
    picture(rooms.find(({room}) => room === /** @type {HTMLElement} */ (target).dataset.of), target);
  }));
  box.hidden = !rooms.length && !damaged.length;
  put(box, h("h2", {id: "rooms-heading", tabindex: "-1"}, t("My games")), h("ul", {id: "rooms", class: "plain-list"},
    rooms.slice(0, most).map((room) => {
      const place = h("i", {class: "room-picture", data: {of: room.room}});
      seen.observe(place);
      return h("li", {data: {room: room.room}},
        h("a", {href: `#room/${room.room}`}, place,
          h("b", {}, connection.title(room.env)), h("small", {class: "room-date"}, when(room.changed)),
          h("span", {}, playerNames(room, connection.kind(room.env)).join(" – ")), h("small", {}, standing(room))),
        button("bin", t("Delete"), () => remove(room, box, most), {short: true, class: "plain"}));
    })),
  rooms.length > most ? h("button", {type: "button", class: "button", id: "more-rooms",
    on: {click: () => draw(box, 1000)}}, t("All {n} games", {n: rooms.length})) : null, damagedFiles(damaged));
}

async function picture({room, plies}, place) {
  const key = `${room} ${plies}`;
  try {
    if (!pictures.has(key)) pictures.set(key, await connection.ask({type: "show", room}));
    const {board, moves} = pictures.get(key);
    put(place, thumbnail(board, stonesAfter(board, moves, moves.moves.length).stones, moves.moves.at(-1)));
  } catch { /* the game was deleted meanwhile; its row goes with the next Welcome */ }
}

/** The result of a game, or whose turn it is. */
function standing({env, winner, to_move: player, plies, seats, names}) {
  const kind = connection.kind(env);
  const yours = seats.filter((seat) => seat.kind === "human").length === 1;
  const moves = t("moves: {n}", {n: plies});
  if (winner === 3 || !yours && winner) return `${outcome(winner, kind)} · ${moves}`;
  if (winner) return `${seats[winner - 1].kind === "human" ? t("you won") : t("you lost")} · ${moves}`;
  if (!player) return `${t("cannot go on")} · ${moves}`;
  if (yours && seats[player - 1].kind === "human") return `${t("your turn")} · ${moves}`;
  return `${t("to move: {name}", {name: playerNames({seats, names}, kind)[player - 1]})} · ${moves}`;
}

async function remove(room, box, most) {
  if (!await confirmed(t("Delete this game?"), t("Delete"))) return;
  try {
    await connection.ask({type: "command", room: room.room, ply: room.plies, command: "delete"});
    connection.welcome.rooms = connection.welcome.rooms.filter((other) => other.room !== room.room);
    draw(box, most);
    $("#rooms-heading")?.focus?.();
  } catch (error) {
    tell(error);
    connection.refresh();
  }
}
