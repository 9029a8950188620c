// The picture of a whole run for the simulator of the page "Why Weft": a row for each rank, time to the right, a slanted line for each
// message. One path for each kind of line, since a run may have thousands of messages.
const weftDiagram = (() => {
  const gutter = 26; // on the left, for the ranks
  const margin = 10;
  const foot = 22; // for the axis

  const draw = (name, attributes, ...content) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  };

  /** A round distance of ticks of which at most `most` are in `length`. */
  const tickOf = (length, most) => {
    const power = 10 ** Math.floor(Math.log10(length / most));
    return [1, 2, 5, 10].map((factor) => factor * power).find((tick) => length / tick <= most);
  };

  /** `seek` is called with the time, in seconds, at which the reader points. */
  const make = (seek) => {
    const picture = draw("svg", { class: "diagram", role: "img",
      "aria-label": "a row for each rank, time to the right, a slanted line for each message" });
    const run = picture.appendChild(draw("g", {}));
    const cursor = picture.appendChild(draw("line", { class: "cursor" }));
    let width = 0;
    let seconds = 1; // of the axis
    let shown = null;
    const xOf = (time) => gutter + (time / seconds) * (width - gutter - margin);

    const at = (event) => {
      const x = event.clientX - picture.getBoundingClientRect().left;
      seek(Math.max(0, (seconds * (x - gutter)) / (width - gutter - margin)));
    };
    picture.addEventListener("pointerdown", (event) => { picture.setPointerCapture(event.pointerId); at(event); });
    picture.addEventListener("pointermove", (event) => { if (event.buttons & 1) at(event); });

    /** Draws a run; `usual` are the seconds of the same run without changes, `isLate` tells which messages are delayed. */
    const show = (made, ranks, usual, isLate) => {
      shown = [made, ranks, usual, isLate];
      width = picture.clientWidth;
      if (width === 0) return;
      seconds = Math.max(made.seconds, usual, 1e-9);
      const row = Math.max(5, Math.min(13, 240 / ranks));
      const height = ranks * row;
      const yOf = (rank) => (rank + 0.5) * row + 2;
      picture.setAttribute("viewBox", `0 0 ${width} ${height + foot}`);
      picture.setAttribute("height", height + foot);

      const paths = { idle: "", busy: "", stopped: "", done: "", data: "", control: "", asking: "", answering: "", late: "" };
      const bar = (kind, rank, begin, end) => {
        paths[kind] += `M${xOf(begin).toFixed(1)} ${yOf(rank).toFixed(1)}H${xOf(end).toFixed(1)}`;
      };
      made.doneAt.forEach((end, rank) => { bar("idle", rank, 0, end); bar("done", rank, end, made.seconds); });
      for (const each of made.works) bar(each.isStop ? "stopped" : "busy", each.rank, each.begin, each.end);
      for (const each of made.messages)
        paths[isLate(each) ? "late" : weftEngines.kinds[each.kind]] += `M${xOf(each.leaves).toFixed(1)} ${yOf(each.source).toFixed(1)}` +
          `L${xOf(each.arrives).toFixed(1)} ${yOf(each.destination).toFixed(1)}`;
      const thick = (row * 0.45).toFixed(1);
      const opacity = Math.max(0.15, Math.min(0.8, 300 / (made.messages.length + 1))).toFixed(2);
      const isBar = (kind) => ["busy", "stopped", "done"].includes(kind);
      run.replaceChildren(...Object.entries(paths).map(([kind, d]) => draw("path", { d, class: kind,
        style: isBar(kind) ? `stroke-width: ${thick}` : kind === "idle" || kind === "late" ? "" : `stroke-opacity: ${opacity}` })));

      const every = Math.ceil(12 / row);
      for (let rank = 0; rank < ranks; rank += every)
        run.append(draw("text", { x: gutter - 6, y: yOf(rank), class: "rank-label" }, `${rank}`));
      const length = seconds / weftEngines.microseconds;
      const tick = tickOf(length, Math.max(2, (width - gutter) / 70));
      run.append(draw("path", { class: "axis", d: `M${gutter} ${height + 4}H${width - margin}` }));
      for (let time = 0; time <= length; time += tick) {
        const x = xOf(time * weftEngines.microseconds);
        run.append(draw("path", { class: "axis", d: `M${x} ${height + 4}v4` }),
          draw("text", { x, y: height + 15, class: "tick" }, `${Number(time.toPrecision(6))}${time === 0 ? " µs" : ""}`));
      }
      if (usual !== made.seconds) run.append(draw("path", { class: "usual", d: `M${xOf(usual)} 0V${height + 4}` }));
      cursor.setAttribute("y1", 0);
      cursor.setAttribute("y2", height + 8);
    };
    const point = (time) => { for (const end of ["x1", "x2"]) cursor.setAttribute(end, xOf(time)); };

    let lastWidth = 0;
    new ResizeObserver(() => {
      if (picture.clientWidth === lastWidth || shown === null) return;
      lastWidth = picture.clientWidth;
      const time = (seconds * (Number(cursor.getAttribute("x1")) - gutter)) / (width - gutter - margin);
      show(...shown);
      point(Math.max(0, time || 0));
    }).observe(picture);
    return { picture, show, point };
  };

  return { draw, make };
})();
