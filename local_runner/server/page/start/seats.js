// The players of a side: a human, our engine at a level, an agent that comes with the project or that the command line
// names, or an uploaded submission. `seatPicker` makes the list from which the user chooses one.

import {connection, post} from "../connection.js";
import {h, put} from "../dom.js";
import {t, when} from "../language.js";

export const HUMAN = {kind: "human"};
const MOST_UPLOADS = 8; // most uploads in the list of players, the newest

/**
 * The players that a side may have in a game: [heading, players, the most in the list]. A player is [value in the list, seat,
 * name, a word about it]. tengen plays a game at its levels.
 */
function groups({agents, given}) {
  const {levels, uploads} = connection.welcome, apart = t("runs in a sandbox of its own");
  const agent = (about) => (name) => [`agent-${name}`, {kind: "agent", name}, name, about];
  return [
    ["", [["human", HUMAN, t("You"), t("by mouse, touch or keys")]]],
    [t("tengen, our engine"), (agents.includes("tengen") ? levels : []).map(({level, name, about}) =>
      [`level-${level}`, {kind: "level", level}, t("level {number} ({name})", {number: level, name}), about])],
    [t("Built-in agents"), agents.map(agent(t("an agent that comes with the project")))],
    [t("Agents of the command line"), given.map(agent(apart))],
    [t("Your submissions"), uploads.map(({upload, name, added}) => [`upload-${upload}`, {kind: "upload", upload}, name,
      `${when(added)} · ${apart}`]), MOST_UPLOADS],
  ];
}

/** The player with this seat, undefined if the side may not have it. */
const playerOf = (seat, kind) => groups(kind).flatMap(([, players]) => players)
  .find(([, each]) => JSON.stringify(each) === JSON.stringify(seat));

/** The given seat if it is possible in this game; else `otherwise`, the first agent, or a human. */
export const possible = (seat, kind, otherwise) => [seat, otherwise, {kind: "agent", name: kind.agents[0]}, HUMAN]
  .find((each) => playerOf(each, kind));

/** Upload a submission.py. Returns its seat. Rejects with Refused if the server refuses the file. */
export async function uploadedSeat(file) {
  const {welcome} = connection, answer = await post("/upload", file.name, file);
  welcome.uploads = [{...answer, added: new Date().toISOString()}, ...welcome.uploads.filter((one) => one.upload !== answer.upload)];
  return {kind: "upload", upload: answer.upload};
}

/** The list of possible players of a side. `chosen(seat)` is called after every choice. */
export function seatPicker(id, label, seat, kind, chosen) {
  const select = h("select", {id, "aria-label": label, on: {change: () => {
    const player = groups(kind).flatMap(([, players]) => players).find(([value]) => value === select.value);
    if (player) take(player[1]);
    else {
      fill(); // the list shows the old player while the file is chosen
      file.click();
    }
  }}});
  const about = h("p", {class: "note", id: `${id}-about`});
  const file = h("input", {type: "file", id: `${id}-upload`, accept: ".py", class: "unseen", tabindex: "-1",
    "aria-label": t("Upload a submission.py"), on: {change: async () => {
      const [picked] = file.files;
      file.value = "";
      if (picked) take(await uploadedSeat(picked));
    }}});
  const fill = () => {
    const [now, , , words] = playerOf(seat, kind) || []; // an upload may have been deleted
    const option = ([value, , word]) => h("option", {value, selected: value === now}, word);
    put(select, groups(kind).map(([heading, players, most]) => {
      const options = players.slice(0, most).map(option);
      if (most) options.push(option(["new", null, t("Upload a submission.py …")]));
      return heading && options.length ? h("optgroup", {label: heading}, options) : options;
    }));
    about.textContent = words;
  };
  const take = (wanted) => {
    seat = wanted;
    fill();
    chosen(seat);
  };
  fill();
  return h("div", {class: "seat"}, select, file, about);
}
