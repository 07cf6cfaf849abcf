// Elements and words. Texts of documents enter the page here alone, and as text: never as markup.

// Makes an element: element('button', {class: 'icon', onclick: f}, 'Text', child).
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// Notes where the focus is; returns whether it is still there, or nowhere, as after an element has gone. What takes the
// focus after a wait asks, since the person may have gone on to something else by then.
export function focusNow() {
  const focused = document.activeElement;
  // A row of the list may have been made anew.
  const row = (of) => of?.closest('[data-path]')?.dataset.path;
  const path = row(focused);
  return () => [focused, document.body].includes(document.activeElement) || path !== undefined && row(document.activeElement) === path;
}

// A button with a word on it.
export function button(label, onclick, properties = {}) {
  return element('button', { type: 'button', onclick, ...properties }, label);
}

const shapes = {
  back: 'M12 4l-6 6 6 6',
  history: 'M10 5v5l3 2M3.5 10a6.5 6.5 0 1 1 2 4.7M3 16v-3h3',
  more: 'M4 10h.01M10 10h.01M16 10h.01',
  view: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  close: 'M5 5l10 10M15 5L5 15',
  undo: 'M7 4L3 8l4 4M3 8h8.5a4.5 4.5 0 0 1 0 9H8',
  redo: 'M13 4l4 4-4 4M17 8H8.5a4.5 4.5 0 0 0 0 9H12',
};

// A button with a picture on it.
export function iconButton(shape, label, onclick, properties = {}) {
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  picture.setAttribute('viewBox', '0 0 20 20');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', shapes[shape]);
  picture.append(path);
  return element('button',
    { type: 'button', class: 'icon', title: label, 'aria-label': label, onclick, ...properties }, picture);
}

// A message that goes by itself, with at most one thing to do about it.
export function toast(message, action, onaction) {
  const made = element('div', { class: 'toast' }, element('span', {}, message));
  const end = () => {
    if (made.contains(document.activeElement)) document.getElementById('main').focus();
    made.remove();
  };
  if (action) made.append(button(action, () => { end(); onaction(); }));
  made.append(iconButton('close', 'Dismiss', end));
  const place = document.getElementById('toasts');
  place.append(made);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(end, action ? 15000 : 8000);
}

// Does something, and shows the sentence where it fails.
export async function attempt(work) {
  try { return await work(); } catch (error) {
    toast(error.message);
    return undefined;
  }
}

// "14:02", "Tue 14:02", "3 Oct", "3 Oct 2024": as short as it is clear.
export function shortDate(milliseconds) {
  const date = new Date(milliseconds);
  const now = new Date();
  const days = (now - date) / 86400000;
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (date.toDateString() === now.toDateString()) return time;
  if (days >= 0 && days < 6) return `${date.toLocaleDateString([], { weekday: 'short' })} ${time}`;
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };
  return date.toLocaleDateString([], { day: 'numeric', month: 'short', ...year });
}

export const fullDate = (milliseconds) =>
  new Date(milliseconds).toLocaleString([], { dateStyle: 'long', timeStyle: 'medium' });

// "3 documents", "1 document".
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

export function bytes(count) {
  if (count < 1000) return counted(count, 'byte');
  const unit = ['kB', 'MB', 'GB', 'TB'];
  let step = -1;
  let rest = count;
  while (rest >= 999.5 && step < unit.length - 1) { rest /= 1000; step += 1; }
  return `${rest < 10 ? rest.toFixed(1) : Math.round(rest)} ${unit[step]}`;
}

// What a version in conflict is called.
export const letter = (index) => 'ABCDEFGH'[index] ?? String(index + 1);

// The address of a document in the page, and what it says: {path, how}. An exclamation mark stands before the view.
export const addressOf = (path, how) => `#${encodeURIComponent(path).replaceAll('!', '%21')}${how ? `!${how}` : ''}`;
export function readAddress(address) {
  const [path, how] = address.slice(1).split('!');
  try { return { path: decodeURIComponent(path) || null, how }; } catch { return { path: null }; }
}

// The name of a document or a member, without its folder.
export const fileName = (path) => path.slice(path.lastIndexOf('/') + 1);

// A name as it is shown: what can't be seen, or would turn what is around it, is marked.
export const shownName = (name) => name.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

// The name without its extension, and the extension.
export function nameParts(path) {
  const name = fileName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? [name.slice(0, dot), name.slice(dot + 1).toLowerCase()] : [name, ''];
}
