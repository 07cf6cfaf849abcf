// The page: which document is shown, and how.

import { element, button, addressOf, focusNow, readAddress, shortDate, nameParts, counted, attempt, bytes } from '/elements.js';
import { follow, get, post, imageAddress } from '/server.js';
import * as list from '/list.js';
import { Editor } from '/editor.js';
import { History } from '/history.js';
import { isPicture } from '/images.js';
import { Resolver } from '/resolver.js';

const main = document.getElementById('main');
let view = null;
let path = null;
let end = null;
let isConnected = true;
let facts = null;
// Why the document can't be edited.
let refusal = null;

// A document that is no text that can be edited here: a package, a picture, or a text that is too long.
class Other {
  // again() shows the document anew.
  constructor(shown, message, again) {
    this.path = shown;
    const item = list.item(shown);
    this.resolve = element('a', { class: 'resolve', href: addressOf(shown, 'conflict'), hidden: !item?.isInConflict }, 'Resolve…');
    this.view = element('section', { class: 'other', 'aria-label': 'Document' },
      element('header', { class: 'head' },
        element('a', { class: 'icon back', href: '#', 'aria-label': 'All documents' }, '‹'),
        element('h2', {}, nameParts(shown)[0]),
        this.resolve,
        element('a', { class: 'subtle', href: addressOf(shown, 'history') }, 'History')),
      element('p', { class: 'empty' }, message));
    if (item && !item.isDownloaded) {
      const fetching = button('Download', async () => {
        fetching.disabled = true;
        fetching.textContent = 'Downloading…';
        // What it is is shown once it is here.
        if (await attempt(async () => { await post('download', { document: shown }); return true; })) again();
        else { fetching.disabled = false; fetching.textContent = 'Download'; }
      }, { class: 'primary' });
      this.view.querySelector('.empty').replaceChildren(element('p', {}, message || 'This document is on other devices.'), fetching);
    } else if (isPicture(shown)) {
      this.view.querySelector('.empty').remove();
      this.view.append(element('div', { class: 'images' }, element('figure', {}, element('img', { src: imageAddress(shown), alt: nameParts(shown)[0] }))));
    } else if (item && !item.isPackage) this.showPart(0);
  }

  async showPart(from) {
    this.from = from;
    this.date = list.item(this.path)?.date;
    const part = await attempt(() => get('part', { document: this.path, from }));
    if (!part) return;
    this.view.querySelector('.part')?.remove();
    const end = part.from + part.length;
    this.view.append(element('div', { class: 'part' },
      element('p', {}, `Bytes ${part.from.toLocaleString()} to ${end.toLocaleString()} of ${bytes(part.size)} `,
        button('Before', () => this.showPart(Math.max(0, part.from - part.length)), { class: 'subtle', disabled: part.from === 0 }),
        button('After', () => this.showPart(end), { class: 'subtle', disabled: end >= part.size })),
      element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Text' }, part.text)));
  }

  // Shows what has become of the document, as the list tells.
  follow(item) {
    this.resolve.hidden = !item?.isInConflict;
    if (item && this.from !== undefined && item.date !== this.date) this.showPart(this.from);
  }

  update() {}
  connected() {}
  refused() {}
  focus() { (this.view.querySelector('.primary') ?? main).focus(); }
}

function showEmpty() {
  document.title = document.getElementById('folder').textContent;
  main.replaceChildren(element('div', { class: 'welcome' },
    element('p', {}, 'Choose a document, or begin a new one.'),
    button('New document', list.create, { class: 'primary' })));
}

function showFound(text, { found, unread }) {
  view = null;
  document.body.dataset.view = 'document';
  main.replaceChildren(element('section', { class: 'found', 'aria-label': 'Found' },
    element('header', { class: 'head' }, element('h2', {}, `“${text}” in ${counted(found.length, 'version')}`),
      button('Close', () => { path = null; route(); }, { class: 'subtle' })),
    found.length ? element('ul', {}, found.map((each) => element('li', {},
      element('a', { href: addressOf(each.path, 'history') },
        element('span', { class: 'name' }, nameParts(each.path)[0]), element('span', { class: 'line' }, each.line),
        element('span', { class: 'detail' }, `${shortDate(each.version.date)} · ${each.version.device}`)))))
      : element('p', { class: 'empty' }, 'No version has brought it or taken it away.'),
    unread.length > 0 && element('p', { class: 'empty' }, `Not searched, because they can’t be read: ${unread.join(', ')}`)));
  main.focus();
}

function show(made) {
  view = made;
  main.replaceChildren(view.view);
  view.connected(isConnected);
  if (facts) view.update(facts);
}

function connect() {
  end?.();
  refusal = null;
  end = follow(path && !isPicture(path) ? path : '', {
    list: (all) => {
      list.update(all);
      if (view instanceof Other) view.follow(list.item(path));
      if (view instanceof Resolver && !facts) view.follow(list.item(path));
      if (!view && !path) document.title = all.folder;
    },
    document: (now) => {
      facts = now;
      if (path !== now.path) moved(path, now.path);
      refusal = now.phase === 'refused' ? now.message : null;
      if (refusal && view instanceof Editor) show(new Other(path, refusal, reopen));
      view?.update(now);
      if (view) { view.path = path; list.choose(path); }
    },
    refused: ({ message }) => {
      refusal = message;
      if (view instanceof Editor) show(new Other(path, message, reopen));
    },
    connected: (is) => {
      isConnected = is;
      if (!is) list.apart();
      view?.connected(is);
    },
  });
}

// A document has another path: what shows it follows.
function moved(from, to) {
  if (path !== from || from === to) return;
  path = to;
  history.replaceState(null, '', addressOf(to, readAddress(location.hash).how));
  connect();
  if (!facts) route();
}

// Shows the document as if it had just been chosen.
function reopen() {
  path = null;
  route();
}

// Shows what the address says: #path, #path!history or #path!conflict.
async function route() {
  const { path: next, how } = readAddress(location.hash);
  if (view instanceof Editor) await view.flush();
  document.body.dataset.view = next ? 'document' : 'list';
  if (next !== path || !end) {
    path = next;
    facts = null;
    connect();
  }
  list.choose(path ?? '');
  if (!path) { view = null; showEmpty(); return; }
  if (how === 'history') show(new History(path));
  else if (how === 'conflict') show(new Resolver(path));
  else if (refusal || isPicture(path)) show(new Other(path, refusal ?? '', reopen));
  else show(new Editor(path, (message) => show(new Other(path, message, reopen))));
  const isFocusStill = focusNow();
  if (matchMedia('(min-width: 721px)').matches) setTimeout(() => { if (isFocusStill()) view?.focus(); }, 60);
}

addEventListener('hashchange', route);
// What comes after # in an address is a document here.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  if (view) view.focus(); else main.focus();
});
addEventListener('moved', (event) => moved(event.detail.from, event.detail.to));
addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    view?.save?.();
  }
  if (event.key === '/' && !event.target.matches('input, textarea, select')) {
    event.preventDefault();
    document.getElementById('search').focus();
  }
});
// What was typed in the last moments is sent before the page goes.
addEventListener('pagehide', () => { if (view instanceof Editor) { view.keepDraft(); view.send(); } });
addEventListener('beforeunload', (event) => { if (view instanceof Editor && view.isDirty && (view.asking || !isConnected)) event.preventDefault(); });

list.begin(showFound);
route();
