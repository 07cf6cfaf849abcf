// Two notebooks compared, cell by cell: what is written in each, and whether its outputs differ.

import { element } from '/elements.js';
import { sequenceParts, rows } from '/difference.js';
import { differenceTable } from '/lines.js';
import { imagesView } from '/images.js';

const joined = (text) => (Array.isArray(text) ? text.join('') : text ?? '');

const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

// The picture that an output shows, as an address; undefined for none.
function outputPicture({ data = {} }) {
  const type = shownTypes.find((each) => data[each]);
  const content = type && joined(data[type]).replace(/\s/g, '');
  return content && /^[A-Za-z0-9+/]+=*$/.test(content) ? `data:${type};base64,${content}` : undefined;
}

// The text that an output shows; pictures that are not shown and the like by their type.
function outputText(output) {
  const data = output.data ?? {};
  if (output.text) return joined(output.text);
  if (output.ename) return `${output.ename}: ${output.evalue}`;
  return Object.entries(data).filter(([type]) => !shownTypes.includes(type) || !outputPicture(output)).map(([type, content]) => (type.startsWith('text/') ? joined(content) : `${type}, ${JSON.stringify(content).length} characters`)).join('\n');
}

function cellsOf(text) {
  const { cells } = JSON.parse(text);
  if (!Array.isArray(cells)) throw new SyntaxError('no cells');
  return cells.map((cell) => ({
    id: cell.id, kind: cell.cell_type, source: joined(cell.source),
    outputs: (cell.outputs ?? []).map(outputText).filter(Boolean).join('\n'),
    pictures: (cell.outputs ?? []).map(outputPicture).filter(Boolean), raw: JSON.stringify(cell.outputs ?? []),
  }));
}

// Pairs of cells: by their identifiers, else by what is written in them.
function pairsOf(old, now) {
  const ids = new Set(old.map((cell) => cell.id).filter(Boolean));
  const key = (cell) => (cell.id && (ids.size === old.length) ? cell.id : `${cell.kind}\0${cell.source}`);
  const made = [];
  let [x, y] = [0, 0];
  for (const part of sequenceParts(old.map(key), now.map(key))) {
    const most = Math.max(part.old.length, part.new.length);
    const areAlike = !part.isSame && part.old.length === part.new.length && ids.size !== old.length;
    if (part.isSame || areAlike) for (let i = 0; i < most; i += 1) made.push([old[x + i], now[y + i]]);
    else {
      for (let i = 0; i < part.old.length; i += 1) made.push([old[x + i], undefined]);
      for (let i = 0; i < part.new.length; i += 1) made.push([undefined, now[y + i]]);
    }
    x += part.old.length;
    y += part.new.length;
  }
  return made;
}

// The pictures that differ between the outputs of two cells, each as pictures are compared.
function picturesView(old, now, labels) {
  const count = Math.max(old.length, now.length);
  const picture = (all, i, label) => all[i] && { label, source: all[i] };
  return Array.from({ length: count }, (_, i) => old[i] !== now[i] && imagesView(picture(old, i, labels[0]), picture(now, i, labels[1])));
}

// What differs between two notebooks; null where no cell does. Throws for what is no notebook.
export function notebookView(old, now, labels) {
  const pairs = pairsOf(cellsOf(old), cellsOf(now));
  const made = [];
  let same = 0;
  const rest = () => {
    if (same) made.push(element('p', { class: 'rest' }, `${same} ${same === 1 ? 'cell' : 'cells'} the same`));
    same = 0;
  };
  let number = 0;
  for (const [a, b] of pairs) {
    if (b) number += 1;
    if (a && b && a.source === b.source && a.kind === b.kind && a.raw === b.raw) { same += 1; continue; }
    rest();
    const what = !a ? 'new' : !b ? 'removed' : a.source === b.source ? 'other outputs' : 'changed';
    const table = (one, other) => differenceTable(rows(one, other), labels);
    made.push(element('article', { class: `cell ${!a ? 'new' : !b ? 'old' : ''}` },
      element('h3', {}, b ? `Cell ${number}` : 'Cell', element('span', { class: 'tag' }, (b ?? a).kind), element('span', { class: 'tag' }, what)),
      a?.source !== b?.source && table(a?.source ?? '', b?.source ?? ''),
      (a?.outputs ?? '') !== (b?.outputs ?? '') && [element('h4', {}, 'Outputs'), table(a?.outputs ?? '', b?.outputs ?? '')],
      picturesView(a?.pictures ?? [], b?.pictures ?? [], labels)));
  }
  if (!made.length) return null;
  rest();
  return element('div', { class: 'notebook' }, made);
}
