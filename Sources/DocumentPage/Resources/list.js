// The list of documents: searched, sorted, and always as the folder is.

import { element, iconButton, addressOf, shortDate, shownName, fullDate, counted, nameParts, attempt } from '/elements.js';
import { get, post } from '/server.js';
import { askForName, move, remove, showMenu } from '/actions.js';

const place = document.getElementById('list');
const search = document.getElementById('search');
const sort = document.getElementById('sort');
const count = document.getElementById('count');

let documents = [];
let selected = '';
let rows = new Map();
let show = () => {};

const orders = {
  name: (a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }),
  date: (a, b) => b.date - a.date || orders.name(a, b),
  conflict: (a, b) => b.isInConflict - a.isInConflict || orders.date(a, b),
};

const collator = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function mark(item) {
  if (item.isInConflict) return ['conflict', 'In conflict'];
  if (!item.isDownloaded) return ['away', 'Not on this device'];
  if (item.edits === 'unsaved') return ['new', 'No version yet'];
  if (item.edits === 'edited') return ['edited', 'Edited since its last version'];
  return null;
}

function row(item) {
  const [name, kind] = nameParts(item.path);
  const state = mark(item);
  const link = element('a', { href: addressOf(item.path) },
    element('span', { class: 'name' }, shownName(name), kind && kind !== 'md' && kind !== 'txt'
      ? element('span', { class: 'kind' }, kind) : null),
    state && element('span', { class: `mark ${state[0]}`, title: state[1] },
      element('span', { class: 'hidden' }, `, ${state[1]}`)),
    element('span', { class: 'detail' },
      element('time', { title: fullDate(item.date) }, shortDate(item.date)),
      !item.isDownloaded && element('span', { class: 'where' }, 'not on this device'),
      item.folder && element('span', { class: 'where folder' }, shownName(item.folder))));
  return element('li', { 'data-path': item.path }, link,
    iconButton('more', `More about ${name}`, (event) => showMenu(item.path, event.currentTarget), { 'aria-haspopup': 'menu', tabindex: '-1' }));
}

// The row that gets the focus once it is there: a document that had the focus has another path.
let following = null;

// Where the focus is in the list; it goes on there when its row has gone.
function focusedRow() {
  const row = document.activeElement?.closest('#list li');
  return row ? { path: row.dataset.path, index: [...place.children].indexOf(row) } : null;
}

function keepFocus(before) {
  const link = rows.get(following)?.row.firstChild;
  if (link && before && (before.path === following || !rows.has(before.path))) link.focus();
  else if (before && !document.activeElement?.closest('#list li')) {
    (rows.get(before.path)?.row ?? place.children[Math.min(before.index, place.children.length - 1)])?.firstChild.focus();
  }
  if (link) following = null;
}

// Shows the list anew; a row that is as it was stays, with the focus that it may have.
function render() {
  const wanted = collator(search.value.trim());
  const shown = documents.filter((item) => !wanted || collator(item.path).includes(wanted))
    .sort(orders[sort.value] ?? orders.date);
  const kept = new Map();
  const focused = focusedRow();
  const made = shown.map((item) => {
    const key = JSON.stringify(item);
    const old = rows.get(item.path);
    const entry = old && old.key === key ? old : { key, row: row(item) };
    kept.set(item.path, entry);
    return entry.row;
  });
  rows = kept;
  let next = place.firstChild;
  for (const each of made) {
    if (each === next) next = next.nextSibling;
    else place.insertBefore(each, next);
  }
  while (next) {
    const rest = next.nextSibling;
    next.remove();
    next = rest;
  }
  keepFocus(focused);
  choose(selected);
  count.textContent = wanted
    ? `${shown.length} of ${counted(documents.length, 'document')}`
    : documents.length ? counted(documents.length, 'document') : 'No documents yet';
}

// Shows which document is open.
export function choose(path) {
  selected = path;
  for (const [each, { row: made }] of rows) {
    const link = made.firstChild;
    if (each === path) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

// Takes the documents of the folder.
export function update(facts) {
  documents = facts.documents;
  document.getElementById('folder').textContent = facts.folder;
  render();
  if (facts.failure) count.textContent = facts.failure;
}

// Says that there is no connection; the list that comes with the next one is shown as ever.
export function apart() { count.textContent = 'No connection to docversions: it may have ended.'; }

export const item = (path) => documents.find((each) => each.path === path);

async function searchVersions() {
  const text = search.value.trim();
  if (!text) return;
  count.textContent = 'Searching all versions…';
  const found = await attempt(() => get('search', { text }));
  render();
  if (found) show(text, found);
}

export async function create() {
  const button = document.getElementById('new');
  button.disabled = true;
  const made = await attempt(() => post('new', {}));
  button.disabled = false;
  if (made) location.hash = addressOf(made.document);
}

// Begins: showFound(text, found) shows what a search in the versions has found.
export function begin(showFound) {
  show = showFound;
  sort.value = localStorage.getItem('sort') ?? 'date';
  if (!sort.value) sort.value = 'date';
  sort.addEventListener('change', () => {
    localStorage.setItem('sort', sort.value);
    render();
  });
  search.addEventListener('input', render);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') searchVersions();
    if (event.key === 'ArrowDown') { event.preventDefault(); place.querySelector('a')?.focus(); }
  });
  place.addEventListener('keydown', (event) => {
    const now = event.target.closest('li');
    if (!now) return;
    const step = { ArrowDown: now.nextElementSibling, ArrowUp: now.previousElementSibling }[event.key];
    if (step) { event.preventDefault(); step.querySelector('a').focus(); }
    if (event.key === 'ArrowUp' && !step) { event.preventDefault(); search.focus(); }
    const action = { F2: askForName, m: move, Delete: remove }[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); action(now.dataset.path); }
  });
  place.addEventListener('contextmenu', (event) => {
    const now = event.target.closest('li');
    if (!now) return;
    event.preventDefault();
    showMenu(now.dataset.path, now.querySelector('button'));
  });
  addEventListener('moved', ({ detail }) => { if (focusedRow()?.path === detail.from) following = detail.to; });
  document.getElementById('new').addEventListener('click', create);
}
