// Two texts side by side, line by line, with the words that differ.

import { element, counted } from '/elements.js';
import { rows } from '/difference.js';

// One side of a line, with its words marked.
function side(text, which, parts) {
  if (!parts) return [text];
  return parts.map((part) => {
    const piece = part[which].join('');
    return part.isSame || !piece ? piece : element(which === 'old' ? 'del' : 'ins', {}, piece);
  });
}

export function differenceTable(made, labels) {
  const line = (row) => {
    if (row.skipped) return element('tr', { class: 'skipped' }, element('td', { colspan: '4' }, counted(row.skipped, 'line that is', 'lines that are') + ' the same'));
    const cell = (text, which) => element('td', { class: text === undefined ? 'none' : row.isSame ? '' : which },
      text === undefined ? [] : side(text, which, row.words));
    return element('tr', { class: row.isSame ? 'same' : 'differs' },
      element('td', { class: 'number' }, row.oldNumber ? String(row.oldNumber) : ''), cell(row.old, 'old'),
      element('td', { class: 'number' }, row.newNumber ? String(row.newNumber) : ''), cell(row.new, 'new'));
  };
  return element('table', { class: 'difference', 'aria-label': 'Differences by line' },
    element('colgroup', {}, ['number', 'text', 'number', 'text'].map((each) => element('col', { class: each }))),
    element('thead', {}, element('tr', {}, labels.map((label) => element('th', { colspan: '2', scope: 'col' }, label)))),
    element('tbody', {}, made.slice(0, 4000).map(line)));
}

// Two texts side by side; null where both are the same.
export function differenceView(old, now, labels) {
  const made = rows(old, now);
  return made.some((row) => !row.isSame && !row.skipped) ? differenceTable(made, labels) : null;
}
