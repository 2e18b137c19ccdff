// #check: checks a submission as `tengen check` does, and shows how to correct faults; the list of the uploads on the server.

import {connection} from "../connection.js";
import {button, h, keep, put, setting} from "../dom.js";
import {filePicker} from "../files/games.js";
import {number, t, when} from "../language.js";
import {HUMAN, uploadedSeat} from "../start/seats.js";
import {atWelcome, bin, keptList, say, tell, toast} from "../telling.js";

let kept = null; // the check begun last; it goes on while another view is open

const RUNNING = "tengen.check"; // in the tab's storage: {name, seat, thorough} of the check that runs

export function openCheck(main) {
  kept ||= new Checking();
  kept.show(main);
  return kept;
}

/** Check a file, and open this view. */
export function check(file) {
  kept ||= new Checking();
  kept.begin(file);
  location.hash = "#check";
}

class Checking {
  constructor() {
    this.log = h("ol", {id: "check-log", class: "check-log", "aria-label": t("What was done")});
    this.state = h("p", {id: "check-state", class: "check-state", role: "status"});
    this.outcome = h("div", {class: "form"}); // the outcome, after the check has ended
    this.thorough = h("input", {type: "checkbox", id: "thorough"});
    this.name = h("h2", {id: "check-name"});
    this.bar = h("progress", {id: "check-progress", "aria-label": t("Games played"), max: "1", hidden: true});
    this.stopper = button("close", t("Stop"), () => {
      this.turn += 1;
      this.#ended(t("Stopped."));
    }, {id: "stop-check"});
    this.turn = 0; // number of the check; messages of earlier checks are dropped
    this.result = h("section", {class: "panel form", "aria-label": t("Result"), hidden: true},
      this.name, h("div", {class: "row spread"}, this.state, this.stopper), this.bar, this.outcome,
      h("details", {id: "check-details"}, h("summary", {}, t("Everything that was done")), this.log));
    this.page = h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("Check a submission")),
      h("section", {class: "panel form"}, filePicker("file", t("Choose a submission.py, or drop it anywhere on this page"), ".py",
        (picked) => this.begin(picked)),
      h("label", {class: "tick"}, this.thorough, h("span", {}, t("Thorough: a slow agent plays longer games, up to two minutes"))),
      h("p", {class: "note"},
        t("The same as tengen check: the file runs in a sandbox, plays, and is measured. Nothing is sent anywhere."))),
      this.result, this.uploads = h("div"));
    this.#wasEnded();
  }

  #begun(file) {
    this.file = file;
    this.name.textContent = file.name;
    this.result.hidden = false;
  }

  /** After a reload, which ends a check: say so, and offer to begin the check again. */
  #wasEnded() {
    const ended = JSON.parse(sessionStorage.getItem(RUNNING));
    if (!ended) return;
    this.#begun(ended);
    this.seat = ended.seat;
    this.thorough.checked = ended.thorough;
    this.#ended(t("The check of {name} ended when the page was loaded again.", {name: ended.name}));
    sessionStorage.setItem(RUNNING, JSON.stringify(ended)); // so that a second reload says it, too
  }

  /** Say how the check ended, and offer to begin it again. */
  #ended(sentence, ...found) {
    sessionStorage.removeItem(RUNNING);
    this.unfollow?.();
    this.stopper.hidden = this.bar.hidden = true;
    this.state.textContent = sentence;
    put(this.outcome, found, h("div", {class: "row wrap"}, button("again", t("Check it again"), () => this.begin(this.file), {id: "again"}),
      this.seat ? button("play", t("Play against it"), () => this.#play(), {id: "play-it"}) : null));
  }

  show(main) {
    put(main, this.page);
    put(this.uploads, uploadList(({upload, name}) => this.begin({name, seat: {kind: "upload", upload}})));
  }

  async begin(file) {
    const turn = this.turn += 1;
    this.unfollow?.();
    this.seat = null;
    this.#begun(file);
    this.bar.hidden = true;
    put(this.log);
    put(this.outcome);
    this.stopper.hidden = false;
    const name = file.size > 1e6 ? `${file.name} (${number(file.size / 1e6, 1)} MB)` : file.name;
    this.state.textContent = t("Sending {name} …", {name});
    try {
      const seat = file.seat || await uploadedSeat(file);
      if (turn !== this.turn) return;
      this.seat = seat;
      sessionStorage.setItem(RUNNING, JSON.stringify({name: file.name, seat, thorough: this.thorough.checked}));
      this.unfollow = connection.follow({type: "check", upload: this.seat.upload, quick: !this.thorough.checked},
        (message) => this.#heard(message), true, (error) => this.#failed(error));
    } catch (error) {
      if (turn === this.turn) this.#failed(error);
    }
  }

  /** Write a line of the log. A line about a game replaces the earlier line about that game. */
  #note(text) {
    const [game] = text.split(/[:：]/);
    const last = /** @type {HTMLElement[]} */ ([...this.log.children]).find((line) => line.dataset.game === game);
    if (last) last.textContent = text; else this.log.append(h("li", {data: {game}}, text));
  }

  #failed(error) {
    this.#ended(error.message);
    if (!this.page.isConnected) tell(error);
  }

  #heard(message) {
    const {text, done, all, finished, ready, verdict, findings} = message;
    if (text) {
      this.state.textContent = all ? t("Games: {done} of {all}. Now {what}", {done, all, what: text}) : text;
      this.bar.hidden = !all;
      this.bar.value = all ? done / all : 0;
      this.#note(text);
    }
    if (!finished) return;
    say(verdict);
    if (!this.page.isConnected) toast(this.file.name + t(": ") + verdict);
    const row = ({severity, title, mend, detail, about}) => h("li", {data: {severity}}, h("i", {class: "sign", "aria-hidden": "true"},
      {ok: "✓", note: "i", open: "?", failed: "×"}[severity] || "·"), h("div", {},
      h("b", {}, about ? h("a", {href: about, target: "_blank"}, title) : title), mend ? h("p", {}, mend) : null,
      detail ? h("pre", {tabindex: "0"}, detail) : null));
    const list = (id, rows) => h("ul", {id, class: "findings plain-list"}, rows.map(row));
    const passed = findings.filter(({severity}) => severity === "ok"), others = findings.filter(({severity}) => severity !== "ok");
    this.#ended("", h("div", {id: "verdict", class: "verdict-box", role: "status", data: {ready}},
      h("strong", {}, ready ? t("Ready to upload") : t("Not ready yet")), h("span", {}, verdict)), list("findings", others),
    passed.length ? h("details", {}, h("summary", {}, t("Passed: {n}", {n: passed.length})), list("passed", passed)) : null,
    h("p", {id: "next"}, nextStep(message)));
  }

  #play() {
    keep("form", {...setting("form", {}), black: HUMAN, white: this.seat});
    location.hash = "#play";
  }
}

/** The advice shown after a check. */
function nextStep({ready, few_moves: few}) {
  if (ready === false) return t("Next: mend what is marked with ×, save the file, and choose it again.");
  if (ready === null) return t("Next: install the missing packages on this machine, and check again.");
  if (few) return t("Next: tick Thorough and check again, so that whole games are played.");
  return t("Next: upload it to the site as submission.py. Open the log of a game there in Replay.");
}

/** The list of the uploads on the server. `begin(upload)` is called with the upload to check, {upload, name}. */
function uploadList(begin) {
  const {box, show} = keptList("uploads", t("Your submissions on this server"));
  return atWelcome(box, () => show(connection.welcome.uploads.map((one) => [{data: {upload: one.upload}},
    h("b", {}, one.name), h("small", {}, when(one.added)), button("check", t("Check"), () => begin(one), {short: true, class: "plain"}),
    bin(t("Delete"), t("Delete {name}? Games against it can then only be looked at.", {name: one.name}),
      {type: "delete_upload", upload: one.upload})])));
}
