// #check: an upload is checked as `tengen check` does, with what to mend. Elements: #file, #check-log (li), #check-state,
// #verdict (data-ready), #findings (li[data-severity]), #thorough, #again, #play-it.

import {connection, post} from "./connection.js";
import {button, h, put} from "./dom.js";
import {dropped, filePicker} from "./drop.js";
import {t} from "./language.js";
import {loadMore} from "./more.js";
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
    this.thorough = h("input", {type: "checkbox", id: "thorough"});
    this.after = h("div", {class: "row wrap", hidden: true});
    this.result = h("section", {class: "panel form", "aria-label": t("Result"), hidden: true}, this.state, this.verdict, this.findings,
      this.after, h("details", {id: "check-details"}, h("summary", {}, t("Everything that was done")), this.log));
    put(main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("Check a submission")),
      h("section", {class: "panel form"}, filePicker("file", t("Choose a submission.py, or drop it anywhere on this page"), ".py",
        (picked) => this.#begin(picked)),
      h("label", {class: "tick"}, this.thorough, h("span", {}, t("Thorough: more games, some minutes"))),
      h("p", {class: "note"}, t("The same as tengen check: the file runs in a sandbox, plays, and is measured. Nothing is sent anywhere."))),
      this.result));
    if (file) this.#begin(file);
  }

  close() {
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
    this.verdict.hidden = this.after.hidden = true;
    put(this.log);
    put(this.findings);
    this.state.hidden = false;
    this.state.textContent = t("Sending {name} …", {name: file.name});
    try {
      const answer = await post("/upload", file.name, file);
      keep("uploads", [answer, ...setting("uploads", []).filter((one) => one.upload !== answer.upload)].slice(0, 8));
      this.upload = answer;
      this.unfollow = connection.follow({type: "check", upload: answer.upload, quick: !this.thorough.checked},
        (message) => this.#heard(message), null, (error) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error) {
    this.state.hidden = true;
    tell(error);
  }

  #heard({text, finished, ready, verdict, findings}) {
    if (text) {
      this.state.textContent = text;
      this.log.append(h("li", {}, text));
    }
    if (!finished) return;
    this.unfollow?.();
    this.state.hidden = true;
    this.verdict.hidden = this.after.hidden = false;
    this.verdict.dataset.ready = String(ready);
    put(this.verdict, h("strong", {}, ready ? t("Ready to upload") : t("Not ready yet")), h("span", {}, verdict));
    say(verdict);
    put(this.findings, findings.map((finding) => h("li", {data: {severity: finding.severity || finding.level || finding.kind || ""}},
      h("b", {}, finding.title || finding.problem || finding.what || finding.text || ""), finding.detail ? h("pre", {tabindex: "0"}, finding.detail) : null,
      finding.advice || finding.remedy || finding.mend ? h("p", {}, finding.advice || finding.remedy || finding.mend) : null)));
    put(this.after, button("again", t("Check it again"), () => this.#begin(this.file), {id: "again"}),
      button("play", t("Play against it"), () => this.#play(), {id: "play-it"}));
  }

  #play() {
    keep("form", {...setting("form", {}), black: {kind: "human"}, white: {kind: "upload", upload: this.upload.upload}});
    location.hash = "#play";
  }
}
