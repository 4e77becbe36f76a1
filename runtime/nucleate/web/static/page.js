// The page's own script: theme, live events, charts, keys. Everything works without it but what is live.
"use strict";

(() => {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);

  // Theme: a cookie, so that the next page comes in it from its first byte.
  function switchTheme() {
    const next = dark() ? "light" : "dark";
    root.dataset.theme = next;
    document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=strict`;
    redraw();
  }

  // Live events: what changed, told to whatever on the page waits for it.
  function listen() {
    const lamp = document.querySelector("[data-live]");
    if (!lamp) return;
    const source = new EventSource("/live");
    source.onopen = () => lamp.classList.add("on");
    source.onerror = () => lamp.classList.remove("on");
    for (const name of ["tasks", "tools", "memory", "jobs", "judging"]) {
      source.addEventListener(name, () => document.body.dispatchEvent(new CustomEvent(`live-${name}`)));
    }
    addEventListener("pagehide", () => source.close());
  }

  // Charts: data in an attribute, colours from the style.
  const drawn = new Map();
  const colour = (name) => {
    const variable = { ink: "--ink", accent: "--accent", muted: "--field", bad: "--bad" }[name];
    return getComputedStyle(root).getPropertyValue(variable).trim();
  };

  function series(line) {
    const stroke = colour(line.colour);
    if (line.shape === "dots") {
      return { stroke, paths: () => null, points: { show: true, size: 6, fill: stroke, stroke } };
    }
    if (line.shape === "bars") {
      return { stroke, fill: stroke, paths: uPlot.paths.bars({ size: [0.6, 28] }), points: { show: false } };
    }
    return { stroke, width: line.shape === "rule" ? 1.5 : 2, dash: line.shape === "rule" ? [6, 5] : undefined, points: { show: false } };
  }

  // The whole axis: a week at least where it is days, and never nothing.
  function span(chart) {
    const at = chart.data[0];
    const [first, last] = [at[0], at[at.length - 1]];
    if (chart.times) return [Math.min(first, last - 6 * 86400) - 43200, last + 43200];
    return first === last ? [first - 1, last + 1] : [first, last];
  }

  function draw(box) {
    const chart = JSON.parse(box.dataset.chart);
    const axis = { stroke: getComputedStyle(root).getPropertyValue("--soft").trim(), font: "12px sans-serif",
      grid: { stroke: getComputedStyle(root).getPropertyValue("--line").trim(), width: 1 }, ticks: { show: false } };
    const whole = (_u, splits) => splits.map((value) => (Number.isInteger(value) ? value : ""));
    box.replaceChildren();
    const options = {
      width: box.clientWidth, height: box.clientHeight, legend: { show: false }, cursor: { show: false },
      scales: {
        x: { time: chart.times, range: () => span(chart) },
        y: { range: (_u, _low, high) => [0, (chart.top || high || 1) * 1.08] },
      },
      axes: [{ ...axis, size: chart.times ? 42 : 30, ...(chart.times ? {} : { values: whole }) }, { ...axis, size: 46 }],
      series: [{}, ...chart.series.map(series)],
    };
    drawn.set(box, new uPlot(options, chart.data, box));
  }

  function redraw() {
    for (const [box, plot] of drawn) {
      plot.destroy();
      drawn.delete(box);
      if (box.isConnected) draw(box);
    }
  }

  function charts(within) {
    if (typeof uPlot === "undefined") return;
    for (const box of within.querySelectorAll("[data-chart]")) if (!drawn.has(box)) draw(box);
  }

  let resizing = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(resizing);
    resizing = requestAnimationFrame(redraw);
  });

  // Keys: / goes to the search; arrows go from box to box of a graph; Tab indents in the editor until Escape.
  function graphKey(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const graph = event.target.closest("[data-graph]");
    if (!step || !graph) return false;
    const boxes = [...graph.querySelectorAll("a")];
    const place = boxes.indexOf(event.target.closest("a"));
    boxes[(place + step + boxes.length) % boxes.length].focus();
    return true;
  }

  let leaving = false;
  function editorKey(event) {
    if (!event.target.matches("[data-editor]")) return false;
    if (event.key === "Escape") leaving = true;
    if (event.key !== "Tab" || leaving || event.shiftKey) return false;
    event.target.setRangeText("    ", event.target.selectionStart, event.target.selectionEnd, "end");
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    const search = document.querySelector("[data-slash]");
    if (event.key === "/" && !typing && search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape") {
      for (const menu of document.querySelectorAll(".menu[open]")) menu.removeAttribute("open");
    }
    if (graphKey(event) || editorKey(event)) event.preventDefault();
  });
  document.addEventListener("focusin", () => { leaving = false; });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-switch]")) switchTheme();
    if (event.target.closest("[data-back]") && history.length > 1) {
      event.preventDefault();
      history.back();
    }
    for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.removeAttribute("open");
  });

  // A form is sent once.
  document.addEventListener("submit", (event) => {
    const button = event.target.querySelector("button:not([type=button])");
    if (event.target.method === "post" && button) setTimeout(() => { button.disabled = true; }, 0);
  });
  addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("button[disabled]")) button.disabled = false;
  });

  // Work that has ended needs no more asking.
  document.addEventListener("htmx:afterSwap", (event) => {
    const target = event.detail.target;
    charts(target);
    if (target.matches && target.matches("[data-wait]") && target.querySelector("[data-done]")) {
      target.removeAttribute("data-wait");
      target.removeAttribute("hx-trigger");
      target.removeAttribute("hx-get");
      htmx.process(target);
    }
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.id === "progress" && event.detail.elt.querySelector("[data-done]")) event.preventDefault();
  });

  function begin() {
    const current = document.querySelector(".side nav [aria-current]");
    const bar = document.querySelector(".side nav");
    if (current && bar) bar.scrollLeft = current.offsetLeft - bar.clientWidth / 2;
    listen();
    charts(document);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
