// Actions on a document as a whole, from the list and from the document. Each can be undone.

import { element, button, addressOf, attempt, toast, nameParts, readAddress } from '/elements.js';
import { post } from '/server.js';

const isShown = (path) => readAddress(location.hash).path === path;
const show = (path) => { location.hash = addressOf(path); };
const folderOf = (path) => path.split('/').slice(0, -1).join('/');

// Deletes a document.
export async function remove(path) {
  const done = await attempt(async () => { await post('delete', { document: path }); return true; });
  if (!done) return;
  if (isShown(path)) location.hash = '';
  toast(`“${nameParts(path)[0]}” is deleted.`, 'Undo', async () => {
    const back = await attempt(() => post('undelete', { document: path }));
    if (back) show(back.document);
  });
}

// Makes a copy, and shows it.
export async function duplicate(path) {
  const made = await attempt(() => post('duplicate', { document: path }));
  if (made) show(made.document);
}

// Gives a document another name in its folder; returns its new path.
export async function rename(path, name) {
  const kind = nameParts(path)[1];
  const made = await attempt(() => post('rename', { document: path, name: kind ? `${name}.${kind}` : name }));
  return arrived(path, made);
}

// Tells the page that a document has another path.
function arrived(from, made) {
  if (made) dispatchEvent(new CustomEvent('moved', { detail: { from, to: made.document } }));
  return made?.document;
}

async function moveTo(path, folder) {
  return arrived(path, await attempt(() => post('move', { document: path, folder })));
}

// A dialog with a field and one thing to do.
function ask(title, field, verb, work) {
  const dialog = element('dialog', { 'aria-label': title });
  const finish = async () => {
    if (!field.value.trim() && field.required) return;
    dialog.close();
    await work(field.value.trim());
  };
  dialog.append(element('h2', {}, title), field,
    element('div', { class: 'actions' }, button('Cancel', () => dialog.close()), button(verb, finish, { class: 'primary' })));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === field) { event.preventDefault(); finish(); }
  });
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}

export function askForName(path) {
  const field = element('input', { 'aria-label': 'Name', value: nameParts(path)[0], required: true, spellcheck: 'false', autocomplete: 'off' });
  ask(`Rename “${nameParts(path)[0]}”`, field, 'Rename', (name) => name !== nameParts(path)[0] && rename(path, name));
}

// Moves a document into another folder, which may be a new one.
export function move(path) {
  const top = document.getElementById('folder').textContent;
  const folders = [...new Set([...document.querySelectorAll('#list li')].map((row) => folderOf(row.dataset.path)))]
    .filter((folder) => folder !== folderOf(path)).sort();
  const field = element('input', {
    'aria-label': 'Folder', list: 'folders', value: folderOf(path), placeholder: `The top of “${top}”`,
    spellcheck: 'false', autocomplete: 'off',
  });
  const name = nameParts(path)[0];
  ask(`Move “${name}” to the folder`, field, 'Move', async (folder) => {
    if (folder === folderOf(path)) return;
    const moved = await moveTo(path, folder);
    if (moved) toast(`“${name}” is in “${folder || top}”.`, 'Undo', () => moveTo(moved, folderOf(path)));
  });
  field.after(element('datalist', { id: 'folders' }, folders.map((folder) => element('option', { value: folder }))),
    element('div', { class: 'folders', hidden: !folders.length }, folders.slice(0, 30)
      .map((folder) => button(folder || top, () => { field.value = folder; field.focus(); }))));
}

let menu = null;

// Shows what can be done with a document of the list, beside what was asked for it.
export function showMenu(path, anchor) {
  menu?.remove();
  const item = (label, work) => element('button', { type: 'button', role: 'menuitem', onclick: () => { close(); work(); } }, label);
  const close = () => { anchor.focus(); made.remove(); };
  const made = element('div', { class: 'items', role: 'menu', 'aria-label': nameParts(path)[0] },
    item('Rename…', () => askForName(path)), item('Duplicate', () => duplicate(path)),
    item('Move…', () => move(path)), item('Delete', () => remove(path)));
  menu = made;
  made.addEventListener('focusout', (event) => { if (!made.contains(event.relatedTarget)) made.remove(); });
  made.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const all = [...made.children];
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    }
    if (event.key === 'Escape') { event.stopPropagation(); close(); }
  });
  document.body.append(made);
  const place = anchor.getBoundingClientRect();
  made.style.left = `${Math.max(8, Math.min(place.right - made.offsetWidth, innerWidth - made.offsetWidth - 8))}px`;
  made.style.top = `${Math.min(place.bottom + 2, innerHeight - made.offsetHeight - 8)}px`;
  made.firstChild.focus();
}
