// The difference of two texts by lines, with the words that differ.

// The common parts of two sequences, as pairs of indices, after Myers; null where they differ too much to be worth it.
function commonPairs(a, b, limit) {
  const trace = [];
  const ends = new Map([[1, 0]]);
  const most = Math.min(a.length + b.length, limit);
  for (let d = 0; d <= most; d += 1) {
    const row = new Map();
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1));
      let x = down ? ends.get(k + 1) : ends.get(k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) { x += 1; y += 1; }
      ends.set(k, x);
      row.set(k, [x, down]);
      if (x >= a.length && y >= b.length) {
        trace.push(row);
        return pairsOf(trace, a.length, b.length);
      }
    }
    trace.push(row);
  }
  return null;
}

function pairsOf(trace, endOfA, endOfB) {
  const pairs = [];
  let [x, y] = [endOfA, endOfB];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const k = x - y;
    const down = trace[d].get(k)[1];
    const from = d === 0 ? 0 : trace[d - 1].get(down ? k + 1 : k - 1)[0];
    const start = d === 0 ? 0 : (down ? from : from + 1);
    while (x > start) { x -= 1; y -= 1; pairs.push([x, y]); }
    if (d > 0) { x = from; y = from - (down ? k + 1 : k - 1); }
  }
  return pairs.reverse();
}

// The parts of two sequences: {same: [a0, a1, b0, b1]} and {old: [..], new: [..]} one after the other.
function parts(a, b, limit) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start
    && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [innerA, innerB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const inner = commonPairs(innerA, innerB, limit) ?? [];
  const pairs = [];
  for (let i = 0; i < start; i += 1) pairs.push([i, i]);
  for (const [x, y] of inner) pairs.push([x + start, y + start]);
  for (let i = end; i > 0; i -= 1) pairs.push([a.length - i, b.length - i]);
  const found = [];
  let [x, y] = [0, 0];
  const close = (nextX, nextY) => {
    if (nextX > x || nextY > y) found.push({ isSame: false, old: a.slice(x, nextX), new: b.slice(y, nextY) });
  };
  let run = [];
  const endRun = () => {
    if (run.length) found.push({ isSame: true, old: run, new: run });
    run = [];
  };
  for (const [nextX, nextY] of pairs) {
    if (nextX > x || nextY > y) { endRun(); close(nextX, nextY); }
    run.push(a[nextX]);
    [x, y] = [nextX + 1, nextY + 1];
  }
  endRun();
  close(a.length, b.length);
  return found;
}

// The parts of two sequences of texts.
export const sequenceParts = (old, now) => parts(old, now, 1200);

const lines = (text) => {
  const all = text.split('\n');
  if (all[all.length - 1] === '') all.pop();
  return all;
};

// The parts of two texts, line by line.
export const lineParts = (old, now) => parts(lines(old), lines(now), 1200);

const words = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

// The parts of two lines, word by word; null where hardly a word is the same.
export function wordParts(old, now) {
  if (old.length + now.length > 20000) return null;
  const found = parts(words(old), words(now), 600);
  const same = found.filter((part) => part.isSame).flatMap((part) => part.old).join('').trim().length;
  return same * 4 >= Math.max(old.trim().length, now.trim().length) ? found : null;
}

// The rows of two texts side by side: {old, new, oldNumber, newNumber, words} with undefined for no line, and
// {skipped: count} for what is the same on both sides, away from all changes.
export function rows(old, now, around = 3) {
  const found = [];
  let [x, y] = [0, 0];
  const all = lineParts(old, now);
  all.forEach((part, index) => {
    if (part.isSame) {
      const count = part.old.length;
      const head = index === 0 ? 0 : around;
      const tail = index === all.length - 1 ? 0 : around;
      part.old.forEach((line, i) => {
        x += 1; y += 1;
        const isNear = i < head || i >= count - tail || count <= head + tail + 1;
        if (isNear) found.push({ old: line, new: line, oldNumber: x, newNumber: y, isSame: true });
        else if (i === head) found.push({ skipped: count - head - tail });
      });
      return;
    }
    for (let i = 0; i < Math.max(part.old.length, part.new.length); i += 1) {
      const row = {};
      if (i < part.old.length) { x += 1; row.old = part.old[i]; row.oldNumber = x; }
      if (i < part.new.length) { y += 1; row.new = part.new[i]; row.newNumber = y; }
      if (row.old !== undefined && row.new !== undefined) row.words = wordParts(row.old, row.new);
      found.push(row);
    }
  });
  return found;
}

// The one place where two texts differ: where it starts, how much goes, and what comes.
export function patch(old, now) {
  if (old === now) return null;
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === now.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < most - start && old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end)) end += 1;
  // A character of two units is replaced as a whole.
  const splits = (text, at) => at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  if (start > 0 && (splits(old, start) || splits(now, start))) start -= 1;
  if (end > 0 && (splits(old, old.length - end) || splits(now, now.length - end))) end -= 1;
  return { start, removed: old.length - end - start, inserted: now.slice(start, now.length - end) };
}
