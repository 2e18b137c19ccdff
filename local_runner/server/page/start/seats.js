// The players of a side: a human, our engine at a level, an agent that comes with the project or that the command line
// names, or an uploaded submission. `seatPicker` makes the list from which the user chooses one. Elements: #seat-black,
// #seat-white (select), #seat-black-upload, #seat-white-upload.

import {connection, post} from "../connection.js";
import {h, put} from "../dom.js";
import {t} from "../language.js";

export const HUMAN = {kind: "human"};
const MOST_UPLOADS = 8; // newest uploads in a list

/** The value of a seat in the list, such as level-3. */
const key = (seat) => [seat.kind, seat.level ?? seat.name ?? seat.upload].filter((part) => part !== undefined).join("-");

function seatOf(text) {
  const [kind, ...rest] = text.split("-");
  const value = rest.join("-");
  if (kind === "level") return {kind, level: Number(value)};
  if (kind === "agent") return {kind, name: value};
  if (kind === "upload") return {kind, upload: value};
  return HUMAN;
}

function levelName(number) {
  const level = connection.welcome.levels.find((one) => one.level === number);
  return level ? t("level {number} ({name})", {number, name: level.name}) : t("tengen");
}

/** The levels of our engine; [] if it does not play the game. */
const levelsFor = (kind) => (kind.agents.includes("tengen") ? connection.welcome.levels : []);

/** The uploads on the server, the newest first. */
const uploads = () => connection.welcome.uploads;

/** Upload a submission.py. Returns its seat. Rejects with Refused if the server refuses the file. */
export async function uploadedSeat(file) {
  const answer = await post("/upload", file.name, file);
  const others = uploads().filter((one) => one.upload !== answer.upload);
  connection.welcome.uploads = [{...answer, added: new Date().toISOString()}, ...others];
  return {kind: "upload", upload: answer.upload};
}

/** The list of possible players of a side. `chosen(seat)` is called after every choice. */
export function seatPicker(id, label, seat, kind, chosen) {
  const select = h("select", {id, "aria-label": label});
  const about = h("p", {class: "note", id: `${id}-about`});
  const file = h("input", {type: "file", id: `${id}-upload`, accept: ".py", class: "unseen", tabindex: "-1",
    "aria-label": t("Upload a submission.py")});
  const fill = (now) => {
    const option = (value, word) => h("option", {value, selected: value === key(now)}, word);
    put(select,
      option("human", t("You")),
      levelsFor(kind).length ? h("optgroup", {label: t("tengen, our engine")},
        levelsFor(kind).map((level) => option(`level-${level.level}`, levelName(level.level)))) : null,
      h("optgroup", {label: t("Built-in agents")}, kind.agents.map((name) => option(`agent-${name}`, name))),
      kind.given.length ? h("optgroup", {label: t("Agents of the command line")},
        kind.given.map((name) => option(`agent-${name}`, name))) : null,
      h("optgroup", {label: t("Your submissions")},
        uploads().slice(0, MOST_UPLOADS).map((one) => option(`upload-${one.upload}`, one.name)),
        option("new", t("Upload a submission.py …"))));
    about.textContent = aboutSeat(now);
  };
  select.addEventListener("change", () => {
    if (select.value === "new") {
      fill(seat);
      file.click();
      return;
    }
    seat = seatOf(select.value);
    about.textContent = aboutSeat(seat);
    chosen(seat);
  });
  file.addEventListener("change", async () => {
    const picked = file.files[0];
    file.value = "";
    if (!picked) return;
    seat = await uploadedSeat(picked);
    fill(seat);
    chosen(seat);
  });
  fill(seat);
  return h("div", {class: "seat"}, select, file, about);
}

function aboutSeat(seat) {
  if (seat.kind === "level") return connection.welcome.levels.find((one) => one.level === seat.level)?.about || "";
  const isGiven = connection.welcome.games.some((kind) => kind.given.includes(seat.name));
  if (seat.kind === "agent" && !isGiven) return t("an agent that comes with the project");
  if (seat.kind === "agent" || seat.kind === "upload") return t("runs in a sandbox of its own");
  return t("by mouse, touch or keys");
}

/** The given seat if it is still possible in this game; else `otherwise`, another agent, or a human. */
export function possible(seat, kind, otherwise) {
  const levels = levelsFor(kind);
  if (!seat) return possible(otherwise, kind, HUMAN);
  if (seat.kind === "level" && !levels.some((one) => one.level === seat.level)) {
    return kind.agents.length ? {kind: "agent", name: kind.agents[0]} : HUMAN;
  }
  const names = [...kind.agents, ...kind.given];
  if (seat.kind === "agent" && !names.includes(seat.name)) return possible(otherwise, kind, HUMAN);
  if (seat.kind === "upload" && !uploads().some((one) => one.upload === seat.upload)) {
    return possible(otherwise, kind, HUMAN);
  }
  return seat;
}
