// The list of the games on the server, newest first. A click opens a game again. Elements: #rooms, li[data-room].

import {connection} from "./connection.js";
import {$, button, h, put} from "./dom.js";
import {side, t} from "./language.js";
import {confirmed, tell} from "./telling.js";

const SHOWN = 8;

export function roomList() {
  const box = h("section", {class: "panel rooms", "aria-labelledby": "rooms-heading"});
  draw(box, SHOWN);
  connection.refresh();
  const off = connection.on("welcome", () => (box.isConnected ? draw(box, SHOWN) : off()));
  return box;
}

function draw(box, most) {
  const {rooms} = connection.welcome;
  box.hidden = !rooms.length;
  put(box, h("h2", {id: "rooms-heading"}, t("My games")), h("ul", {id: "rooms", class: "plain-list"},
    rooms.slice(0, most).map((room) => h("li", {data: {room: room.room}}, h("a", {href: `#room/${room.room}`},
      h("b", {}, connection.title(room.env)), h("span", {}, `${room.names[0]} – ${room.names[1]}`), h("small", {}, outcome(room))),
    button("bin", t("Delete"), () => remove(room, box, most), {short: true, class: "plain"})))),
  rooms.length > most ? h("button", {type: "button", class: "button", id: "more-rooms",
    on: {click: () => draw(box, 1000)}}, t("All {n} games", {n: rooms.length})) : null);
}

function outcome(room) {
  if (room.winner === 3) return t("draw, moves: {n}", {n: room.plies});
  if (room.winner) return t("{side} won, moves: {n}", {side: side(room.winner), n: room.plies});
  return t("moves so far: {n}", {n: room.plies});
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
