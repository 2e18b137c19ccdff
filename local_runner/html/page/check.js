// #check: checks a submission as `tengen check` does, and shows how to correct faults. Elements: #file, #check-state,
// #check-log (li), #verdict (data-ready), #findings (li[data-severity]), #thorough, #again, #play-it.

import {connection} from "./connection.js";
import {$$, button, h, put} from "./dom.js";
import {dropped, filePicker} from "./drop.js";
import {t} from "./language.js";
import {loadMore} from "./more.js";
import {HUMAN, uploadedSeat} from "./seats.js";
import {keep, setting} from "./settings.js";
import {say, tell} from "./telling.js";

export function open(main) {
  loadMore();
  return new Checking(main, dropped());
}

class Checking {
  constructor(main, file) {
    this.log = h("ol", {id: "check-log", class: "check-log", "aria-label": t("What was done")});
    this.state = h("p", {id: "check-state", class: "check-state", role: "status"});
    this.verdict = h("div", {id: "verdict", class: "verdict-box", role: "status", hidden: true});
    this.findings = h("ul", {id: "findings", class: "findings plain-list"});
    this.passed = h("ul", {id: "passed", class: "findings plain-list"});
    this.passedBox = h("details", {hidden: true}, h("summary", {}), this.passed);
    this.thorough = h("input", {type: "checkbox", id: "thorough"});
    this.after = h("div", {class: "row wrap", hidden: true});
    this.result = h("section", {class: "panel form", "aria-label": t("Result"), hidden: true}, this.state, this.verdict, this.findings, this.passedBox,
      this.after, h("details", {id: "check-details"}, h("summary", {}, t("Everything that was done")), this.log));
    put(main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("Check a submission")),
      h("section", {class: "panel form"}, filePicker("file", t("Choose a submission.py, or drop it anywhere on this page"), ".py",
        (picked) => this.#begin(picked)),
      h("label", {class: "tick"}, this.thorough, h("span", {}, t("Thorough: a slow agent plays longer games, up to two minutes"))),
      h("p", {class: "note"}, t("The same as tengen check: the file runs in a sandbox, plays, and is measured. Nothing is sent anywhere."))),
      this.result));
    if (file) this.#begin(file);
  }

  close() {
    this.closed = true;
    this.unfollow?.();
  }

  dropped(file) {
    if (!file.name.endsWith(".py")) return false;
    dropped();
    this.#begin(file);
    return true;
  }

  async #begin(file) {
    this.unfollow?.();
    this.file = file;
    this.result.hidden = false;
    this.verdict.hidden = this.after.hidden = this.passedBox.hidden = true;
    put(this.log);
    put(this.findings);
    this.state.hidden = false;
    this.state.textContent = t("Sending {name} …", {name: file.name});
    try {
      this.seat = await uploadedSeat(file);
      if (this.closed) return;
      this.unfollow = connection.follow({type: "check", upload: this.seat.upload, quick: !this.thorough.checked},
        (message) => this.#heard(message), null, (error) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Write a line of the log. A line about a game replaces the earlier line about that game. */
  #note(text) {
    const [game] = text.split(/[:：]/);
    const last = $$("#check-log li").find((line) => line.dataset.game === game);
    if (last) last.textContent = text; else this.log.append(h("li", {data: {game}}, text));
  }

  #failed(error) {
    this.state.hidden = true;
    tell(error);
  }

  #heard({text, finished, ready, verdict, findings}) {
    if (text) {
      this.state.textContent = text;
      this.#note(text);
    }
    if (!finished) return;
    this.unfollow?.();
    this.state.hidden = true;
    this.verdict.hidden = this.after.hidden = false;
    this.verdict.dataset.ready = String(ready);
    put(this.verdict, h("strong", {}, ready ? t("Ready to upload") : t("Not ready yet")), h("span", {}, verdict));
    say(verdict);
    const row = ({severity, title, mend, detail}) => h("li", {data: {severity}}, h("i", {class: "sign", "aria-hidden": "true"},
      {ok: "✓", note: "i", open: "?", failed: "×"}[severity] || "·"), h("div", {}, h("b", {}, title), mend ? h("p", {}, mend) : null,
      detail ? h("pre", {tabindex: "0"}, detail) : null));
    put(this.findings, findings.filter((finding) => finding.severity !== "ok").map(row));
    const passed = findings.filter((finding) => finding.severity === "ok");
    put(this.passed, passed.map(row));
    this.passedBox.hidden = !passed.length;
    this.passedBox.querySelector("summary").textContent = t("Passed: {n}", {n: passed.length});
    put(this.after, button("again", t("Check it again"), () => this.#begin(this.file), {id: "again"}),
      button("play", t("Play against it"), () => this.#play(), {id: "play-it"}));
  }

  #play() {
    keep("form", {...setting("form", {}), black: HUMAN, white: this.seat});
    location.hash = "#play";
  }
}
