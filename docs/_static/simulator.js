// The simulator of the page "Why Weft": plays back what the library's engines do on simulated ranks. A change of a slider, a delayed
// message or a stopped rank is another whole run (simulator_engines.js).
(() => {
  const { calls, sliders, kinds, microseconds, machineFile, commandOf } = weftEngines;
  const { draw } = weftDiagram;

  const make = (name, attributes = {}, ...content) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) key in made ? (made[key] = value) : made.setAttribute(key, value);
    made.append(...content);
    return made;
  };
  const button = (text, pressed, attributes = {}) => make("button", { type: "button", onclick: pressed, ...attributes }, text);
  const timeText = (seconds) => `${(seconds / microseconds).toFixed(2)} µs`;
  const numberText = (number) => number.toLocaleString("en");
  const legend = [["data", "data"], ["control", "control (the library's own)"], ["asking", "request to send"], ["answering", "answer"],
    ["late", "delayed"]].map(([kind, text]) => make("li", { className: kind }, text));
  const states = [["busy", "busy"], ["stopped", "stopped"], ["done", "done"]].map(([state, text]) =>
    make("li", { className: `state ${state}` }, `rank ${text}`));

  const start = (root, run) => {
    const set = { call: "exchange", way: "nbx" };
    for (const [name, [, , , first]] of Object.entries(sliders)) set[name] = first;
    for (const [name, value] of new URLSearchParams(location.hash.replace(/^#simulator:?/, "")))
      if (name in set) set[name] = name in sliders ? Number(value) : value;
    if (!(set.call in calls)) set.call = "exchange";
    if (!calls[set.call].ways.includes(set.way)) set.way = calls[set.call].first ?? calls[set.call].ways[0];
    if (!/[:&]amount=/.test(location.hash)) set.amount = calls[set.call].amount[3];
    let changes = [];
    let made = null; // the run that is shown
    let usual = null; // the same without changes
    let now = 0; // simulated seconds
    let playing = false;

    // The settings of a run.
    const begin = () => { pause(); changes = []; show(); };
    const callChoice = make("select", {}, ...Object.entries(calls).map(([value, { title }]) => make("option", { value }, title)));
    const wayChoice = make("select", {});
    const about = make("p", { className: "about" });
    const inputs = {};
    const labels = {};
    const values = {};
    for (const [name, [min, max, step, , text]] of Object.entries(sliders)) {
      inputs[name] = make("input", { type: "range", min, max, step });
      labels[name] = make("span", {}, text);
      values[name] = make("output", {});
      inputs[name].addEventListener("input", () => { set[name] = Number(inputs[name].value); begin(); });
    }
    callChoice.addEventListener("change", () => {
      set.call = callChoice.value;
      set.way = calls[set.call].first ?? calls[set.call].ways[0];
      set.amount = calls[set.call].amount[3];
      begin();
    });
    wayChoice.addEventListener("change", () => { set.way = wayChoice.value; begin(); });

    // The picture of a moment.
    const picture = draw("svg", { class: "moment", viewBox: "-112 -112 224 224", role: "img",
      "aria-label": "ranks on a circle, messages between them" });
    const lines = picture.appendChild(draw("g", {}));
    const dots = picture.appendChild(draw("g", {}));
    const ranks = picture.appendChild(draw("g", {}));
    const radiusOf = () => Math.min(8, 230 / set.ranks);
    const placeOf = (rank, radius = 92) => {
      const gaps = Math.ceil(set.ranks / set.node);
      const apart = set.node > 1 ? 0.7 : 0; // between nodes
      const angle = (2 * Math.PI * (rank + apart * Math.floor(rank / set.node))) / (set.ranks + apart * gaps) - Math.PI / 2;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    };
    const diagram = weftDiagram.make((time) => { pause(); paint(time); });

    // The time.
    const play = button("play", () => {
      if (playing) { pause(); return; }
      if (now >= made.seconds) now = 0;
      playing = true;
      play.textContent = "pause";
      requestAnimationFrame((stamp) => requestAnimationFrame(goOn(stamp)));
    }, { className: "go" });
    const step = button("step", () => {
      pause();
      let next = made.seconds;
      const earlier = (time) => { if (time > now && time < next) next = time; };
      for (const each of made.messages) [each.leaves, each.arrives, each.received].forEach(earlier);
      made.doneAt.forEach(earlier);
      paint(next);
    }, { title: "to the next time at which a message leaves or arrives" });
    const again = button("restart", () => { pause(); paint(0); });
    const speed = make("select", { ariaLabel: "time that a run takes" },
      ...[4, 12, 40].map((value) => make("option", { value }, `in ${value} s`)));
    speed.value = 12;
    const timeSlider = make("input", { type: "range", className: "time", min: 0, max: 1000, step: 1, ariaLabel: "time" });
    timeSlider.addEventListener("input", () => { pause(); paint((Math.max(made.seconds, usual) * timeSlider.value) / 1000); });
    const shownNumbers = {};
    const readout = make("dl", { className: "readout" }, ...["time", "messages sent", "bytes sent", "ranks done"].map((name) =>
      make("div", {}, make("dt", {}, name), (shownNumbers[name] = make("dd", {})))));

    // Changes of a run.
    const amount = make("select", {}, ...[5, 20, 100].map((value) => make("option", { value }, `${value} L`)));
    const messageChoice = make("select", {});
    const rankChoice = make("select", {});
    const delayIt = button("delay", () => delay(made.messages.find((each) => each.number === Number(messageChoice.value))));
    const stopIt = button("stop", () => halt(Number(rankChoice.value)));
    const changeList = make("ul", { className: "changes" });
    const effect = make("p", { className: "effect", role: "status" });
    const command = make("pre", {});
    const trouble = make("p", { className: "trouble", role: "alert" });
    root.append(
      make("div", { className: "calls" }, make("label", {}, make("span", {}, "call"), callChoice),
        make("label", {}, make("span", {}, "by"), wayChoice)),
      about, picture,
      make("div", { className: "player" }, play, speed, step, again), diagram.picture, timeSlider,
      make("ul", { className: "legend" }, ...legend, ...states), readout,
      make("div", { className: "change" },
        make("label", {}, make("span", {}, "message"), messageChoice, delayIt),
        make("label", {}, make("span", {}, "rank"), rankChoice, stopIt),
        make("label", {}, make("span", {}, "for"), amount)),
      changeList, effect, trouble,
      make("div", { className: "settings" },
        ...Object.keys(sliders).map((name) => make("label", {}, labels[name], inputs[name], values[name]))),
      make("details", {}, make("summary", {}, "The same run by the command"), command));

    /** Changes that hold if the run changes at this time: a message that leaves later may have another number. */
    const kept = (time) => changes.filter((each) => "rank" in each || each.time <= time);
    const change = (what) => {
      pause();
      changes = [...kept(what.time).filter((each) => !("message" in what) || each.message !== what.message), what];
      show(now);
    };
    const delay = (message) => {
      const before = changes.find((each) => each.message === message.number)?.amount ?? 0;
      const late = before + Number(amount.value);
      change({ message: message.number, amount: late, time: message.leaves,
        text: `The message from ${message.source} to ${message.destination} that left at ${timeText(message.leaves)} is ${late} L late.` });
    };
    const halt = (rank) => {
      const until = now + Number(amount.value) * set.latency * microseconds;
      change({ rank, time: now, until, text: `Rank ${rank} is stopped from ${timeText(now)} to ${timeText(until)}.` });
    };
    const undo = (which) => {
      pause();
      changes = kept(which.time).filter((each) => each !== which);
      show(now);
    };

    /** Runs the engines as set, and shows the time `at`: at first one at which messages are under way. */
    const show = (at) => {
      const call = calls[set.call];
      wayChoice.replaceChildren(...call.ways.map((value) => make("option", { value }, value)));
      callChoice.value = set.call;
      wayChoice.value = set.way;
      about.textContent = call.about;
      [inputs.amount.min, inputs.amount.max, inputs.amount.step] = call.amount;
      labels.amount.textContent = call.amountName;
      set.amount = Math.min(Math.max(set.amount, call.amount[0]), call.amount[1]);
      inputs.bytes.parentElement.hidden = !call.bytes;
      inputs.seed.parentElement.hidden = set.call === "blocks";
      for (const name of Object.keys(sliders)) values[name].textContent = inputs[name].value = set[name];
      if (rankChoice.length !== set.ranks)
        rankChoice.replaceChildren(...Array.from({ length: set.ranks }, (_, rank) => make("option", { value: rank }, rank)));
      trouble.textContent = "";
      try {
        made = run(set, changes);
        if (changes.length === 0) usual = made.seconds;
      } catch (error) {
        made = { seconds: 0, total: 0, doneAt: [], messages: [], works: [] };
        usual = 0;
        trouble.textContent = `The engines refuse this setting (${error.message}).`;
      }
      command.textContent = `cat >page.toml <<'END'\n${machineFile(set)}END\n${commandOf(set)}\n` +
        (changes.length > 0 ? "# The command delays no message and stops no rank.\n" : "");
      changeList.replaceChildren(...changes.map((each) => make("li", {}, each.text, " ", button("undo", () => undo(each)))));
      const these = changes.length === 1 ? "this change" : "these changes";
      const differs = made.seconds !== usual;
      effect.textContent = changes.length === 0 ? "" : !differs ? `The run takes ${timeText(usual)}, with and without ${these}.`
        : `The run takes ${timeText(made.seconds)}; it took ${timeText(usual)} without ${these} (the dashed line).`;
      Object.assign(root.dataset, { seconds: made.seconds, messages: made.total, seen: made.messages.length, machine: machineFile(set),
        command: commandOf(set) });
      drawRanks();
      diagram.show(made, set.ranks, usual, isLate);
      paint(at ?? 0.9 * made.messages.reduce((least, each) => Math.min(least, each.arrives), made.seconds));
    };
    const isLate = (message) => changes.some((each) => each.message === message.number);

    const drawRanks = () => {
      const radius = radiusOf();
      ranks.replaceChildren(...Array.from({ length: set.ranks }, (_, rank) => {
        const [x, y] = placeOf(rank);
        const group = draw("g", { class: "rank", tabindex: 0, role: "button", "aria-label": `stop rank ${rank}` });
        const [waitsX, waitsY] = placeOf(rank, 92 + radius + 6);
        group.append(draw("circle", { cx: x, cy: y, r: radius }), draw("text", { x, y }, set.ranks > 32 ? "" : `${rank}`),
          draw("text", { class: "waiting", x: waitsX, y: waitsY }));
        group.addEventListener("click", () => halt(rank));
        group.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          halt(rank);
        });
        return group;
      }));
    };

    /** Shows the run at a time. */
    const paint = (at) => {
      now = Math.min(at, made.seconds);
      timeSlider.value = made.seconds > 0 ? (1000 * now) / Math.max(made.seconds, usual) : 0;
      let left = 0;
      let bytes = 0;
      const waiting = new Array(set.ranks).fill(0);
      const under = [];
      for (const each of made.messages) {
        if (each.leaves > now) continue;
        ++left;
        bytes += each.bytes;
        if (each.arrives > now) under.push(each);
        else if (each.received > now) ++waiting[each.destination];
      }
      const of = Array.from({ length: set.ranks }, (_, rank) => (made.doneAt[rank] <= now ? "done" : ""));
      for (const each of made.works)
        if (each.begin <= now && now < each.end) of[each.rank] = each.isStop ? "stopped" : "busy";
      [...ranks.children].forEach((group, rank) => {
        group.setAttribute("class", `rank ${of[rank]}`);
        group.lastChild.textContent = waiting[rank] > 0 ? `+${waiting[rank]}` : "";
      });
      lines.replaceChildren();
      dots.replaceChildren();
      const small = Math.max(0.5, radiusOf() / 8);
      for (const each of under) {
        const [x, y] = placeOf(each.source);
        const [toX, toY] = placeOf(each.destination);
        const rim = radiusOf() / (Math.hypot(toX - x, toY - y) || Infinity); // a message leaves and enters at the rim of a rank
        const part = rim + (1 - 2 * rim) * ((now - each.leaves) / (each.arrives - each.leaves));
        const kind = isLate(each) ? "late" : kinds[each.kind];
        lines.append(draw("line", { x1: x, y1: y, x2: toX, y2: toY, class: kind }));
        const place = { cx: x + part * (toX - x), cy: y + part * (toY - y) };
        const size = small * (2.4 + Math.min(3, Math.log10(1 + each.bytes) / 2));
        const dot = draw("g", { class: `dot ${kind}` }, draw("circle", { ...place, r: size }));
        if (each.number >= 0) {
          dot.append(draw("circle", { ...place, r: 7, class: "finger" }));
          dot.addEventListener("click", () => delay(each));
        }
        dots.append(dot);
      }
      diagram.point(now);
      shownNumbers.time.textContent = `${timeText(now)} of ${timeText(made.seconds)}`;
      shownNumbers["messages sent"].textContent = `${numberText(left)} of ${numberText(made.total)}`;
      shownNumbers["bytes sent"].textContent = numberText(bytes);
      shownNumbers["ranks done"].textContent = `${of.filter((each) => each === "done").length} of ${set.ranks}`;
      offer(under.filter((each) => each.number >= 0));
    };

    /** Lets the reader choose among messages under way. */
    const offer = (messages) => {
      const chosen = messageChoice.value;
      messageChoice.replaceChildren(...messages.map((each) =>
        make("option", { value: each.number }, `${each.source} → ${each.destination}, ${kinds[each.kind]}`)));
      if (messages.some((each) => `${each.number}` === chosen)) messageChoice.value = chosen;
      if (messages.length === 0) messageChoice.append(make("option", { value: -1 }, "none under way"));
      messageChoice.disabled = delayIt.disabled = messages.length === 0;
    };
    messageChoice.addEventListener("pointerdown", () => pause());

    const pause = () => { playing = false; play.textContent = "play"; };
    const goOn = (before) => (stamp) => {
      if (!playing) return;
      const next = Math.min(made.seconds, now + (made.seconds * (stamp - before)) / 1000 / Number(speed.value));
      if (next >= made.seconds) pause();
      paint(next);
      if (playing) requestAnimationFrame(goOn(stamp));
    };
    show();
  };

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.getElementById("weft-simulator");
    if (!root) return;
    const module = typeof weftSimulatorModule === "string" ? weftSimulatorModule : "";
    if (module === "" || typeof WebAssembly !== "object") {
      root.append(make("p", {}, module === ""
        ? "This copy of the page was built without the simulator, for lack of a compiler for WebAssembly."
        : "This browser runs no WebAssembly, which the simulator needs."));
      return;
    }
    const bytes = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
    start(root, weftEngines.runs(new WebAssembly.Module(bytes)));
  });
})();
