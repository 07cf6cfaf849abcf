// The places where a merged result and the versions differ, each with what every version has there. They are found in
// the texts alone: so for every format and any number of versions, and each can be taken from another version.

import { sequenceParts } from '/difference.js';
import { cells, separators } from '/preview.js';
import { nameParts, letter } from '/elements.js';

const lines = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const values = (text) => text.match(/"(?:[^"\\\n]|\\.)*"|[\w.+-]+|\s+|./gsu) ?? [];
const cellsAndMarks = (text) => text.match(/"(?:[^"]|"")*"|[^,;\t\n"]+|./gsu) ?? [];

// What a line is about, where lines say that: the first cell of a row, or the name of a value; a name that tells values
// apart counts with its value.
const rowName = (line) => line.match(/^(?:"(?:[^"]|"")*"|[^,;\t\n"]*)/u)[0];
const identity = /^[\s\-{<]*"?(?:id|_id|uuid|uid|key|name|path|title|url)\b/;
const valueName = (line) => (identity.test(line) ? line : line.match(/^\s*(?:-\s*)?(?:"(?:[^"\\]|\\.)*"|[^\s:="<>]+)\s*[:=]|^\s*<[^\s/>]+/u)?.[0] ?? line);
const withoutComma = (line) => line.trimEnd().replace(/,$/, '');

// How a text is cut, step by step: each step cuts the places that the one before has found. One with a name finds lines
// that are about the same thing; one within lines cuts what all versions have as equally many lines.
const rows = { cut: lines, name: rowName };
const named = { cut: lines, name: valueName };
const byLines = [{ cut: lines }];
const byCells = [...byLines, rows, { cut: cellsAndMarks, isWithin: true }];
const byValues = [...byLines, named, { cut: values, isWithin: true }];
const steps = {
  csv: byCells, tsv: byCells, json: byValues, jsonc: byValues, geojson: byValues, webmanifest: byValues,
};
for (const kind of ['yaml', 'yml', 'toml', 'ini', 'cfg', 'conf', 'properties', 'env', 'plist', 'xml', 'svg', 'gpx', 'desktop']) {
  steps[kind] = [...byLines, named];
}
const longestWithin = 20000;
const mostWithin = 200;

// How a side differs from a result, in ranges of the result's pieces; growth is how many more the side has there. A
// change is firm where it is one line that both have: its neighbours are others.
function changesOf(result, side, name = (piece) => piece) {
  const found = [];
  let [from, there] = [0, 0];
  for (const part of sequenceParts(result.map(name), side.map(name))) {
    const to = from + part.old.length;
    if (!part.isSame) found.push({ from, to, growth: part.new.length - part.old.length });
    else {
      for (let i = 0; i < part.old.length; i += 1) {
        const [a, b] = [result[from + i], side[there + i]];
        if (a !== b) found.push({ from: from + i, to: from + i + 1, growth: 0, isFirm: withoutComma(a) !== withoutComma(b) });
      }
    }
    from = to;
    there += part.new.length;
  }
  return found;
}

// The ranges of a result's pieces that differ from some side, with the range of each side that is there instead.
function ranges(result, sides, name) {
  const changes = sides.flatMap((side, index) => changesOf(result, side, name).map((change) => ({ ...change, index })));
  const found = [];
  for (const change of changes.sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = found[found.length - 1];
    const touches = last && change.from === last.to && !change.isFirm && !last.isFirm;
    if (last && (change.from < last.to || touches)) {
      last.to = Math.max(last.to, change.to);
      last.isFirm &&= change.isFirm;
      last.changes.push(change);
    } else found.push({ from: change.from, to: change.to, isFirm: change.isFirm, changes: [change] });
  }
  const ahead = sides.map(() => 0);
  return found.map((range) => ({
    from: range.from, to: range.to,
    sides: sides.map((_, index) => {
      const start = range.from + ahead[index];
      for (const change of range.changes) if (change.index === index) ahead[index] += change.growth;
      return [start, range.to + ahead[index]];
    }),
  }));
}

// A result in parts: {text} where all have it, and {text, sides} where some have something else.
function parts(result, sides, [{ cut, name, isWithin }, ...finer]) {
  const [pieces, ...others] = [result, ...sides].map(cut);
  const made = [];
  let position = 0;
  for (const { from, to, sides: there } of ranges(pieces, others, name)) {
    if (from > position) made.push({ text: pieces.slice(position, from).join('') });
    const text = pieces.slice(from, to).join('');
    const instead = there.map((range, i) => others[i].slice(...range).join(''));
    const isFiner = finer.length > 0 && text.length < longestWithin
      && (!finer[0].isWithin || there.every(([start, end]) => end - start === to - from));
    const within = isFiner ? parts(text, instead, finer) : [];
    if (within.length && within.length < mostWithin) made.push(...within);
    else made.push({ text, sides: instead, isInLine: isWithin });
    position = to;
  }
  if (position < pieces.length) made.push({ text: pieces.slice(position).join('') });
  return made;
}

const lineBreaks = (text) => [...new Set(text.match(/\r\n|\r|\n/g) ?? [])];

function lineWords(first, count) {
  if (count === 0) return first === 0 ? 'before line 1' : `after line ${first}`;
  return count === 1 ? `line ${first + 1}` : `lines ${first + 1} to ${first + count}`;
}

const firstCell = (text, separator) => cells(lines(text)[0] ?? '', separator)[0]?.[0] ?? '';

// The row and the column of a place in a table; undefined for several rows.
function tableWords({ text, sides, isInLine }, all, offset, separator) {
  if (!isInLine) {
    const row = [text, ...sides].find(Boolean) ?? '';
    return lines(row).length === 1 ? `row ${firstCell(row, separator)}` : undefined;
  }
  const start = all.lastIndexOf('\n', offset - 1) + 1;
  const column = Math.max((cells(all.slice(start, offset), separator)[0] ?? []).length - 1, 0);
  if (start === 0) return `the name of column ${column + 1}`;
  const name = (cells(lines(all)[0] ?? '', separator)[0] ?? [])[column] ?? String(column + 1);
  return `row ${firstCell(all.slice(start), separator)}, column ${name}`;
}

// The values in a range of bytes, by their paths; '' for those of the whole document.
function valueWords(tree, [from, to]) {
  let node = tree;
  let path = '';
  for (;;) {
    const inside = node.members.map((member, i) => [member, `${path}/${member.name ?? i}`])
      .filter(([{ range }]) => range[0] <= to && range[1] >= from && (range[1] > from || from === to));
    if (!inside.length || inside.length > 3) return path;
    const [[only, place]] = inside;
    if (inside.length > 1 || only.range[0] > from || only.range[1] < to || !only.members.length) return inside.map((each) => each[1]).join(', ');
    node = only;
    path = place;
  }
}

// Who has what is taken at a place, in a word for its colour and a sentence.
export function origin({ text, base, versions }) {
  const changed = versions.map((_, index) => index).filter((index) => base === undefined || versions[index] !== base);
  const letters = changed.map(letter).join(' and ');
  const sideOf = (index) => ['ours', 'theirs'][index] ?? 'combined';
  const distinct = new Set(changed.map((index) => versions[index]));
  if (distinct.size === 1 && distinct.has(text)) {
    return changed.length === 1 ? [sideOf(changed[0]), `${letters} alone changed it`] : ['same', `${letters} made the same change`];
  }
  const taken = changed.filter((index) => versions[index] === text);
  if (taken.length) {
    const others = changed.filter((index) => !taken.includes(index)).map(letter).join(' and ');
    return [sideOf(taken[0]), `${taken.map(letter).join(' and ')} ${taken.length > 1 ? 'are' : 'is'} taken, ${others} ${changed.length - taken.length > 1 ? 'have' : 'has'} something else`];
  }
  return text === base ? ['combined', 'as it was, though it was changed'] : ['combined', `put together from ${letters}`];
}

// The result in parts, with a place for each part that a version has otherwise; null for what is no text.
// tree is the result's tree of values, where it has one; the ending of the lines is null where they have several.
export function placesOf({ merged, texts, baseText }, path, tree) {
  if (merged == null || texts.some((text) => text == null)) return null;
  const hasBase = baseText != null;
  // What ends a line is decided for the text as a whole.
  const breaks = lineBreaks(merged);
  const plain = (text) => (breaks.length > 1 ? text : text.replace(/\r\n?/g, '\n'));
    const kind = nameParts(path)[1];
  const sides = (hasBase ? [baseText, ...texts] : texts).map(plain);
  const made = parts(plain(merged), sides, steps[kind] ?? byLines);
  const all = made.map((part) => part.text).join('');
  const encoder = new TextEncoder();
  const known = new Map();
  // A tree begins after the mark of the byte order.
  let [offset, bytes, line] = [0, all.startsWith('\uFEFF') ? -3 : 0, 0];
  for (const part of made) {
    const length = encoder.encode(part.text).length;
    const first = part.sides ? part.sides[hasBase ? 1 : 0] : part.text;
    if (part.sides) {
      part.base = hasBase ? part.sides[0] : undefined;
      part.versions = part.sides.slice(hasBase ? 1 : 0);
      const same = JSON.stringify(part.sides);
      known.set(same, (known.get(same) ?? 0) + 1);
      part.key = `${known.get(same)} ${same}`;
      const value = tree ? valueWords(tree, [bytes, bytes + length]) : '';
      part.place = value || (separators[kind] && tableWords(part, all, offset, separators[kind]))
        || lineWords(line, Math.max(lines(first).length, part.isInLine ? 1 : 0));
    }
    line += first.split('\n').length - 1;
    offset += part.text.length;
    bytes += length;
  }
  return { parts: made, ending: breaks.length > 1 ? null : breaks[0] ?? '\n' };
}

// What is at a place: as merged, as it was, or as a version has it.
export function chosen(part, side) {
  if (side === undefined || !part.sides) return part.text;
  return side === 'base' ? part.base ?? '' : part.versions[side] ?? '';
}
