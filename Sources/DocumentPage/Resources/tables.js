// Two tables compared: columns by their names, rows by what they have in common, and the cells that differ.

import { element, counted } from '/elements.js';
import { sequenceParts } from '/difference.js';

const mostRows = 2000;

// The columns of two tables: [name, place in the old one, place in the new one]; undefined where it has none.
function columnsOf(old, now) {
  const found = [];
  let [x, y] = [0, 0];
  for (const part of sequenceParts(old, now)) {
    if (part.isSame) for (const name of part.old) { found.push([name, x, y]); x += 1; y += 1; }
    else if (part.old.length === part.new.length) part.new.forEach((name, i) => { found.push([name, x, y, part.old[i]]); x += 1; y += 1; });
    else {
      for (const name of part.old) { found.push([name, x, undefined]); x += 1; }
      for (const name of part.new) { found.push([name, undefined, y]); y += 1; }
    }
  }
  // A column that has moved is one column.
  return found.filter((column, index) => {
    if (column[2] !== undefined) return true;
    const moved = found.find((other) => other[0] === column[0] && other[1] === undefined);
    if (moved) [, moved[1]] = found[index];
    return !moved;
  });
}

// Pairs rows that changed: by their first cell, else by most of their cells.
function pairs(old, now) {
  const taken = new Set();
  const likeness = (a, b) => a.filter((cell, i) => cell === b[i]).length;
  const partners = now.map((row) => {
    const byKey = old.findIndex((other, i) => !taken.has(i) && other[0] !== '' && other[0] === row[0]);
    let best = byKey;
    if (best < 0 && old.length * now.length < 40000) {
      let most = row.length / 2;
      old.forEach((other, i) => {
        const like = taken.has(i) ? 0 : likeness(other, row);
        if (like >= most && like > 0) { most = like + 0.1; best = i; }
      });
    }
    if (best >= 0) taken.add(best);
    return best;
  });
  const made = [];
  let next = 0;
  const removeUntil = (end) => {
    for (; next < end; next += 1) if (!taken.has(next)) made.push([old[next], undefined]);
  };
  now.forEach((row, i) => {
    if (partners[i] >= next) removeUntil(partners[i]);
    made.push([partners[i] < 0 ? undefined : old[partners[i]], row]);
  });
  removeUntil(old.length);
  return made;
}

// The rows of two tables: {old, new} with undefined for none; rows that are the same are one array.
export function tableRows(old, now, columns) {
  const key = (row, side) => columns.filter((column) => column[1] !== undefined && column[2] !== undefined)
    .map((column) => row[column[side]] ?? '').join('\0');
  const [oldKeys, newKeys] = [old.map((row) => key(row, 1)), now.map((row) => key(row, 2))];
  const made = [];
  let [x, y] = [0, 0];
  for (const part of sequenceParts(oldKeys, newKeys)) {
    if (part.isSame) for (let i = 0; i < part.old.length; i += 1) { made.push([old[x], now[y]]); x += 1; y += 1; }
    else {
      made.push(...pairs(old.slice(x, x + part.old.length), now.slice(y, y + part.new.length)));
      x += part.old.length;
      y += part.new.length;
    }
  }
  return made;
}

// Two tables as one, with what differs marked; null where nothing does.
export function tableView(oldTable, newTable) {
  const columns = columnsOf(oldTable[0] ?? [], newTable[0] ?? []);
  const rows = tableRows(oldTable.slice(1), newTable.slice(1), columns);
  let count = 0;
  const cell = (old, now) => {
    if (old === now) return element('td', {}, now);
    count += 1;
    return element('td', { class: 'differs' }, old ? element('del', {}, old) : null, old && now ? ' ' : null, now ? element('ins', {}, now) : null);
  };
  const line = ([old, now]) => {
    const cells = columns.map(([, a, b]) => {
      if (!old) return element('td', {}, b === undefined ? '' : now[b] ?? '');
      if (!now) return element('td', {}, a === undefined ? '' : old[a] ?? '');
      if (a === undefined || b === undefined) return element('td', { class: a === undefined ? 'new' : 'old' }, (a === undefined ? now[b] : old[a]) ?? '');
      return cell(old[a] ?? '', now[b] ?? '');
    });
    if (!old || !now) count += 1;
    return element('tr', { class: !old ? 'new' : !now ? 'old' : null },
      element('td', { class: 'number' }, !old ? '+' : !now ? '−' : ''), cells);
  };
  const isChanged = ([old, now]) => !old || !now || columns.some(([, a, b]) => a !== undefined && b !== undefined && (old[a] ?? '') !== (now[b] ?? ''));
  const changed = rows.map(isChanged);
  const body = [];
  let skipped = 0;
  const skip = () => {
    if (skipped) body.push(element('tr', { class: 'skipped' }, element('td', { colspan: String(columns.length + 1) }, counted(skipped, 'row that is', 'rows that are') + ' the same')));
    skipped = 0;
  };
  rows.forEach((row, i) => {
    const isNear = changed.slice(Math.max(0, i - 2), i + 3).some(Boolean);
    if (!isNear || body.length > mostRows) { skipped += 1; return; }
    skip();
    body.push(line(row));
  });
  skip();
  const heads = columns.map(([name, a, b, before]) => {
    if (a === undefined || b === undefined || before !== undefined) count += 1;
    return element('th', { scope: 'col', class: a === undefined ? 'new' : b === undefined ? 'old' : null },
      before !== undefined ? [element('del', {}, before), ' ', element('ins', {}, name)] : name);
  });
  if (!count) return null;
  return element('div', { class: 'table cells' }, element('table', {},
    element('thead', {}, element('tr', {}, element('th', { class: 'number' }, element('span', { class: 'hidden' }, 'Change')), heads)),
    element('tbody', {}, body)));
}
