//===- ProfilePage.cpp - A profile as a web page --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two pictures over the same time axis: what ran when, and what lay where in
// the arena. The page has the numbers as JSON, and a script that draws them.
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static constexpr StringRef kHead = R"html(<style>
body{font:14px sans-serif;margin:2em;max-width:1300px}
table{border-collapse:collapse}
td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #ddd;
vertical-align:top;white-space:nowrap}
th{cursor:pointer;background:#f0f0f0;position:sticky;top:0}
td.name,th.name{text-align:left;font-family:monospace;white-space:normal}
svg{background:#f8f8f8;display:block;cursor:grab;user-select:none}
svg text{font:11px sans-serif}
.bar:hover,.chosen{stroke:#000;stroke-width:1.5}
tr.chosen{background:#ffd}
#legend span{display:inline-block;margin-right:1.5em}
#legend i{display:inline-block;width:12px;height:12px;margin-right:5px}
</style></head>
)html";

static constexpr StringRef kBody = R"html(<p id="summary"></p>
<p>The wheel zooms, dragging moves, a double click shows all; a click on a bar
finds its row, and one on a row its bar. <button id="in">+</button>
<button id="out">&minus;</button> <button id="all">all</button></p>
<h2>Timeline</h2>
<p>One bar a step, as wide as it takes long. The colour tells the kind of
kernel:</p><p id="legend"></p><svg id="time" width="1300" height="100"></svg>
<h2>Memory map</h2>
<p>What each step uses of the arena.</p>
<svg id="map" width="1300" height="420"></svg>
<h2>Steps</h2><p>A click on a column's title sorts by it.</p>
<table id="table"></table><p id="note"></p>
)html";

/// Draws `profile`, which the page defines before.
static constexpr StringRef kScript = R"js(
'use strict';
const W = 1300, LEFT = 80, RIGHT = 20, SPAN = W - LEFT - RIGHT;
const $ = id => document.getElementById(id);
const steps = profile.steps, arena = Math.max(profile.arena_bytes, 1);
let total = 0;
steps.forEach((s, i) => { s.number = i + 1; s.start = total; total += s.ms; });
total = Math.max(total, 1e-9);
const kindOf = s => s.kernel.replace(/_\d+$/, '');
const kinds = new Map();
steps.forEach(s => kinds.set(kindOf(s), (kinds.get(kindOf(s)) || 0) + s.ms));
const order = [...kinds].sort((a, b) => b[1] - a[1]);
const colors = new Map(order.map(([k], i) =>
  [k, `hsl(${Math.round(i * 137.5 % 360)},55%,${60 - i % 3 * 8}%)`]));
const formatTime = ms => ms >= 1 ? +ms.toPrecision(4) + ' ms'
                                 : +(ms * 1e3).toPrecision(4) + ' µs';
const formatBytes = b => b >= 1 << 20 ? +(b / (1 << 20)).toPrecision(4) + ' MiB'
  : b >= 1024 ? +(b / 1024).toPrecision(4) + ' KiB' : b + ' B';
const rate = (x, s) => x / Math.max(s.ms, 1e-9) * 1e-6;
const roof = s => s.roofline > 1 ? '100 % *' : Math.round(100 * s.roofline) + ' %';
const why = s => s.roofline > 1 ? `\nfaster than the estimate of its ${s.bound}`
  + ` (${Math.round(100 * s.roofline)} %)` : '';
const describe = s => [s.number + '. ' + s.nodes.join(' + '), s.kernel,
  s.shapes.join(', '), `${formatTime(s.ms)}, ${rate(s.flops, s).toFixed(1)}`
  + ` GFLOP/s, ${roof(s)} of the roofline` + why(s)].join('\n');

function make(parent, tag, attributes, text) {
  const svg = parent instanceof SVGElement;
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag)
                : document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  if (text !== undefined) e.textContent = text;
  return parent.appendChild(e);
}
// 1, 2 or 5 times a power of the base's units: about `count` of them.
function ticks(from, to, count, base) {
  const raw = (to - from) / count;
  let unit = 1;
  if (base === 1024) {
    unit = 2 ** Math.max(Math.ceil(Math.log2(raw)), 0);
  } else {
    const power = 10 ** Math.floor(Math.log10(raw));
    unit = power * [1, 2, 5, 10].find(f => f * power >= raw);
  }
  const result = [];
  for (let t = Math.ceil(from / unit); t * unit <= to * (1 + 1e-9); ++t)
    result.push(t * unit);
  return result;
}

let from = 0, to = total, chosen = null;
const x = ms => LEFT + (ms - from) / (to - from) * SPAN;
function bar(svg, s, y, height, title) {
  const a = Math.max(x(s.start), LEFT), b = Math.min(x(s.start + s.ms), W - RIGHT);
  if (b < LEFT || a > W - RIGHT) return;
  const r = make(svg, 'rect', {x: a, y, width: Math.max(b - a, 0.3),
    height: Math.max(height, 0.5), fill: colors.get(kindOf(s)),
    class: 'bar' + (s === chosen ? ' chosen' : '')});
  make(r, 'title', {}, title);
  r.addEventListener('click', () => choose(s, true));
}
function axis(svg, y, height) {
  for (const t of ticks(from, to, 10, 10)) {
    make(svg, 'line', {x1: x(t), x2: x(t), y1: 0, y2: y, stroke: '#ddd'});
    make(svg, 'text', {x: x(t), y: y + 15, 'text-anchor': 'middle'},
         formatTime(t));
  }
  make(svg, 'text', {x: LEFT + SPAN / 2, y: y + 32, 'text-anchor': 'middle'},
       'time since the start of a run');
}
function draw() {
  const time = $('time'), map = $('map'), H = 380;
  time.replaceChildren();
  map.replaceChildren();
  axis(time, 60);
  axis(map, H);
  for (const b of ticks(0, arena, 8, 1024)) {
    const y = b / arena * H;
    make(map, 'line', {x1: LEFT, x2: W - RIGHT, y1: y, y2: y, stroke: '#ddd'});
    make(map, 'text', {x: LEFT - 6, y: Math.max(y + 4, 10),
                       'text-anchor': 'end'}, formatBytes(b));
  }
  make(map, 'text', {x: 12, y: H / 2, 'text-anchor': 'middle',
       transform: `rotate(-90 12 ${H / 2})`}, 'offset in the arena');
  for (const s of steps) {
    bar(time, s, 0, 60, describe(s));
    for (const [offset, size] of s.buffers)
      bar(map, s, offset / arena * H, size / arena * H, describe(s)
          + `\n${size} bytes at ${offset}`);
  }
}
function show(a, b) {
  const width = Math.min(Math.max(b - a, total * 1e-5), total);
  from = Math.min(Math.max(a, 0), total - width);
  to = from + width;
  draw();
}
function zoom(factor, at) {
  show(at - (at - from) * factor, at + (to - at) * factor);
}
function choose(s, scrolls) {
  chosen = s;
  document.querySelectorAll('tr').forEach(r =>
    r.classList.toggle('chosen', r.dataset.number == s.number));
  if (scrolls) document.querySelector('tr.chosen').scrollIntoView(
    {block: 'center'});
  draw();
}
for (const svg of [$('time'), $('map')]) {
  svg.addEventListener('wheel', e => {
    e.preventDefault();
    const at = from + (e.offsetX - LEFT) / SPAN * (to - from);
    zoom(e.deltaY < 0 ? 0.8 : 1.25, at);
  }, {passive: false});
  svg.addEventListener('mousemove', e => {
    const by = e.movementX / SPAN * (to - from);
    if (e.buttons === 1 && by !== 0) show(from - by, to - by);
  });
  svg.addEventListener('dblclick', () => show(0, total));
}
$('in').onclick = () => zoom(0.5, (from + to) / 2);
$('out').onclick = () => zoom(2, (from + to) / 2);
$('all').onclick = () => show(0, total);

const columns = [
  ['#', s => s.number, s => s.number],
  ['µs', s => s.ms, s => (s.ms * 1e3).toFixed(1)],
  ['%', s => s.ms, s => (100 * s.ms / total).toFixed(1)],
  ['GFLOP/s', s => rate(s.flops, s), s => rate(s.flops, s).toFixed(1)],
  ['GB/s', s => rate(s.bytes, s), s => rate(s.bytes, s).toFixed(1)],
  ['roofline', s => s.roofline, roof],
  ['kernel', s => s.kernel, s => s.kernel],
  ['shapes', s => s.shapes.join(), s => s.shapes.join(', ')],
  ['nodes', s => s.nodes.join(), s => s.nodes.join(' + ')]];
const isName = i => i > 5;
let sorted = 0, direction = 1;
function fill() {
  const table = $('table'), key = columns[sorted][1];
  table.replaceChildren();
  const head = make(table, 'tr');
  columns.forEach(([title], i) => {
    const mark = i !== sorted ? '' : direction > 0 ? ' ▲' : ' ▼';
    make(head, 'th', {class: isName(i) ? 'name' : ''}, title + mark).onclick =
      () => {
        direction = i === sorted ? -direction : isName(i) || i === 0 ? 1 : -1;
        sorted = i;
        fill();
      };
  });
  [...steps].sort((a, b) => direction * (key(a) < key(b) ? -1 : key(a) > key(b)
    ? 1 : 0)).forEach(s => {
    const row = make(table, 'tr', {'data-number': s.number,
      class: s === chosen ? 'chosen' : ''});
    row.onclick = () => choose(s, false);
    columns.forEach(([, , text], i) =>
      make(row, 'td', {class: isName(i) ? 'name' : '',
                       title: i === 5 ? why(s).trim() : ''}, text(s)));
  });
}
$('summary').textContent = `${formatTime(total)} in ${steps.length} steps; arena `
  + `${formatBytes(profile.arena_bytes)}; the machine's peak is `
  + `${profile.peak_gflops.toFixed(0)} GFLOP/s, and `
  + `${profile.peak_gb_per_s.toFixed(0)} GB/s in the second-level cache.`;
for (const [kind, ms] of order) {
  const entry = make($('legend'), 'span');
  make(entry, 'i', {style: 'background:' + colors.get(kind)});
  entry.append(`${kind} ${(100 * ms / total).toFixed(1)} %`);
}
if (steps.some(s => s.roofline > 1)) $('note').textContent = profile.note;
draw();
fill();
)js";

/// The numbers, for a script: there "<" could end it.
static std::string toScript(const Profile &profile) {
  std::string text, result;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("arena_bytes", profile.arenaBytes);
    json.attribute("note", ("* " + kRooflineNote).str());
    printJSON(profile, json);
  });
  for (char c : text) {
    result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  }
  return result;
}

void driver::printHTML(const Profile &profile, StringRef title,
                       llvm::raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
     << "<title>";
  llvm::printHTMLEscaped(title, os);
  os << "</title>\n" << kHead << "<body><h1>";
  llvm::printHTMLEscaped(title, os);
  os << "</h1>\n"
     << kBody << "<script>\nconst profile = " << toScript(profile) << ";"
     << kScript << "</script></body></html>\n";
}
