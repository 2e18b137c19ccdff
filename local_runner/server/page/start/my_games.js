// The list of the games on the server, newest first, each with a picture of its board, which is asked for when its row
// comes into view. A click opens a game again. Elements: #rooms, li[data-room], #more-rooms.

import {connection} from "../connection.js";
import {button, h, put} from "../dom.js";
import {stonesAfter} from "../board/geometry.js";
import {outcome, t, when} from "../language.js";
import {playerNames} from "../room/players.js";
import {atWelcome, bin, keptList} from "../telling.js";
import {thumbnail} from "../board/thumbnail.js";

const SHOWN = 8;
const pictures = new Map(); // by room and number of plies

export function roomList() {
  const {box, show} = keptList("rooms", t("My games"));
  let most = SHOWN;
  const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({target}) => {
    seen.unobserve(target);
    picture(connection.welcome.rooms.find(({room}) => room === /** @type {HTMLElement} */ (target).dataset.of), target);
  }));
  const draw = () => {
    const {rooms, damaged} = connection.welcome;
    show(rooms.slice(0, most).map(row), damaged, rooms.length > most
      ? button(null, t("All {n} games", {n: rooms.length}), () => { most = Infinity; draw(); }, {id: "more-rooms"}) : null);
    for (const place of box.querySelectorAll(".room-picture")) seen.observe(place);
  };
  if (document.documentElement.dataset.ready) connection.refresh(); // the first view has a new Welcome
  return atWelcome(box, draw);
}

const row = (room) => [{data: {room: room.room}}, h("a", {href: `#room/${room.room}`},
  h("i", {class: "room-picture", data: {of: room.room}}),
  h("b", {}, connection.title(room.env)), h("small", {class: "room-date"}, when(room.changed)),
  h("span", {}, playerNames(room, connection.kind(room.env)).join(" – ")), h("small", {}, standing(room))),
bin(t("Delete"), t("Delete this game?"), {type: "command", room: room.room, ply: room.plies, command: "delete"})];

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
