// The list of the uploads on the server, with buttons that check one again and delete one. Elements: #uploads
// (li[data-upload]).

import {connection} from "../shared/connection.js";
import {$, button, h, put} from "../shared/dom.js";
import {t, when} from "../shared/language.js";
import {confirmed, tell} from "../shared/telling.js";

/** The list. `check(upload)` is called with the upload to check, {upload, name}. */
export function uploadList(check) {
  const box = h("section", {class: "panel", "aria-labelledby": "uploads-heading"});
  draw(box, check);
  const off = connection.on("welcome", () => (box.isConnected ? draw(box, check) : off()));
  return box;
}

function draw(box, check) {
  const {uploads} = connection.welcome;
  box.hidden = !uploads.length;
  put(box, h("h2", {id: "uploads-heading", tabindex: "-1"}, t("Your submissions on this server")),
    h("ul", {id: "uploads", class: "plain-list uploads"}, uploads.map((one) => h("li", {data: {upload: one.upload}},
      h("b", {}, one.name), h("small", {}, when(one.added)),
      button("check", t("Check"), () => check(one), {short: true, class: "plain"}),
      button("bin", t("Delete"), () => remove(one, box, check), {short: true, class: "plain"})))));
}

async function remove(one, box, check) {
  if (!await confirmed(t("Delete {name}? Games against it can then only be looked at.", {name: one.name}), t("Delete"))) return;
  try {
    const {uploads} = await connection.ask({type: "delete_upload", upload: one.upload});
    connection.welcome.uploads = uploads;
    draw(box, check);
    $("#uploads-heading")?.focus();
  } catch (error) {
    tell(error);
    connection.refresh();
  }
}
