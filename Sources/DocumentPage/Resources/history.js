// The versions of a document: a timeline, any two side by side, and going back to one.

import { element, button, iconButton, attempt, toast, shortDate, fullDate, bytes, nameParts } from '/elements.js';
import { get, post, imageAddress } from '/server.js';
import { rows } from '/difference.js';
import * as list from '/list.js';

const words = {
  save: 'Saved', restore: 'Restored', merge: 'Merged', resolve: 'Resolved', undo: 'Taken back', rename: 'Renamed',
  move: 'Moved', delete: 'Deleted', join: 'Joined', add: 'Added', importCopy: 'Imported',
};
export const pictures = ['png', 'jpg', 'jpeg', 'gif', 'webp'];

// One side of a line, with its words marked.
function side(text, which, parts) {
  if (!parts) return [text];
  return parts.map((part) => {
    const piece = part[which].join('');
    return part.isSame || !piece ? piece : element(which === 'old' ? 'del' : 'ins', {}, piece);
  });
}

// Two texts side by side.
export function differenceView(old, now, labels) {
  const made = rows(old, now);
  if (!made.some((row) => !row.isSame && !row.skipped)) {
    return element('p', { class: 'empty' }, 'Both are the same.');
  }
  const line = (row) => {
    if (row.skipped) return element('tr', { class: 'skipped' }, element('td', { colspan: '4' }, `${row.skipped} lines that are the same`));
    const kind = row.isSame ? 'same' : 'differs';
    const cell = (text, which) => element('td', { class: text === undefined ? 'none' : row.isSame ? '' : which },
      text === undefined ? [] : side(text, which, row.words));
    return element('tr', { class: kind },
      element('td', { class: 'number' }, row.oldNumber ? String(row.oldNumber) : ''), cell(row.old, 'old'),
      element('td', { class: 'number' }, row.newNumber ? String(row.newNumber) : ''), cell(row.new, 'new'));
  };
  return element('table', { class: 'difference' },
    element('colgroup', {}, ['number', 'text', 'number', 'text'].map((each) => element('col', { class: each }))),
    element('thead', {}, element('tr', {}, labels.map((label) => element('th', { colspan: '2', scope: 'col' }, label)))),
    element('tbody', {}, made.slice(0, 4000).map(line)));
}

export class History {
  constructor(path) {
    this.path = path;
    this.list = element('ol', { class: 'timeline', 'aria-label': 'Versions' });
    this.title = element('h2', {}, nameParts(path)[0]);
    this.from = element('select', { 'aria-label': 'Compare with', onchange: () => this.compare() });
    this.restoring = button('Go back to this version', () => this.restore(), { class: 'primary' });
    this.content = element('div', { class: 'content', tabindex: '0', 'aria-label': 'Difference' });
    this.view = element('section', { class: 'history', 'aria-label': 'History' },
      element('header', { class: 'head' },
        iconButton('back', 'Back to the text', () => this.leave()), this.title,
        element('label', { class: 'compare' }, 'Compare with ', this.from), this.restoring),
      element('div', { class: 'columns' }, this.list, this.content));
    this.view.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.leave(); });
    this.load();
  }

  leave() { location.hash = encodeURIComponent(this.path); }
  focus() { this.list.querySelector('[aria-current]')?.focus(); }
  connected() {}
  refused() {}

  update(facts) {
    if (facts.revision !== this.revision && this.revision !== undefined) this.load();
    this.revision = facts.revision;
  }

  async load() {
    const versions = await attempt(() => get('history', { document: this.path }));
    if (!versions) return;
    this.versions = versions;
    if (!versions.some((version) => version.id === this.chosen)) this.chosen = versions[0]?.id;
    this.render();
    this.compare();
  }

  label(version) { return `${shortDate(version.date)} · ${version.device}`; }

  render() {
    const hasFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...this.versions.map((version) => element('li', {},
      element('button', {
        type: 'button', 'aria-current': version.id === this.chosen ? 'true' : null, title: fullDate(version.date),
        onclick: () => { this.chosen = version.id; this.render(); this.compare(); },
      },
      element('span', { class: `dot ${version.isConflict ? 'conflict' : version.isCurrent ? 'current' : ''}` }),
      element('span', { class: 'what' }, version.note || words[version.kind] || version.kind,
        version.isCurrent && element('span', { class: 'tag' }, 'current'),
        version.isConflict && element('span', { class: 'tag conflict' }, 'conflict'),
        version.isPinned && element('span', { class: 'tag' }, 'pinned')),
      element('span', { class: 'who' }, `${version.author} on ${version.device}`),
      element('time', {}, shortDate(version.date))))));
    if (hasFocus) this.focus();
    const from = this.from.value || 'before';
    this.from.replaceChildren(
      element('option', { value: 'before' }, 'the one before'), element('option', { value: 'now' }, 'the text now'),
      ...this.versions.map((version) => element('option', { value: version.id }, this.label(version))));
    this.from.value = [...this.from.options].some((option) => option.value === from) ? from : 'before';
    this.list.onkeydown = (event) => {
      const now = event.target.closest('li');
      const next = { ArrowDown: now?.nextElementSibling, ArrowUp: now?.previousElementSibling }[event.key];
      if (!next) return;
      event.preventDefault();
      next.firstChild.click();
      this.focus();
    };
  }

  async compare() {
    const index = this.versions.findIndex((version) => version.id === this.chosen);
    const version = this.versions[index];
    this.restoring.hidden = !version || version.isDeletion || !version.isLocal;
    if (!version) { this.content.replaceChildren(element('p', { class: 'empty' }, 'There are no versions yet.')); return; }
    let other = null;
    if (this.from.value === 'before') other = this.versions.slice(index + 1).find((each) => !each.isConflict) ?? null;
    else if (this.from.value !== 'now') other = this.versions.find((each) => each.id === this.from.value) ?? null;
    const isNow = this.from.value === 'now';
    const wanted = this.wanted = Symbol('comparison');
    if (pictures.includes(nameParts(this.path)[1])) {
      this.content.replaceChildren(this.images(other, version, isNow));
      return;
    }
    if (list.item(this.path)?.isPackage) {
      await this.compareMembers(isNow ? version : other, isNow ? this.versions[0] : version, wanted);
      return;
    }
    const empty = { text: '', size: 0 };
    const contents = (each) => each.isDeletion ? empty : get('version', { document: this.path, version: each.id });
    const both = await attempt(async () => Promise.all([
      isNow ? contents(version) : other ? contents(other) : empty,
      isNow ? get('version', { document: this.path, version: '' }) : contents(version)]));
    if (!both || wanted !== this.wanted) return;
    const labels = isNow ? [this.label(version), 'The text now']
      : [other ? this.label(other) : 'Nothing', this.label(version)];
    if (both.some((each) => each.text == null || each.text === undefined)) {
      this.content.replaceChildren(...both.map((each, i) => element('div', { class: 'bytes' },
        element('h3', {}, `${labels[i]}: ${bytes(each.size)}`), element('pre', {}, each.head ?? each.text.slice(0, 1000)))));
      return;
    }
    this.content.replaceChildren(differenceView(both[0].text, both[1].text, labels));
  }

  // A package: which of its members are in one version, in the other, or differ.
  async compareMembers(old, now, wanted) {
    const members = (version) => version ? get('members', { document: this.path, version: version.id }) : [];
    const both = await attempt(async () => Promise.all([members(old), members(now)]));
    if (!both || wanted !== this.wanted) return;
    const files = both.map((all) => new Map(all.filter((each) => each.kind === 'file' || each.kind === 'executable').map((each) => [each.path, each])));
    const paths = [...new Set([...files[0].keys(), ...files[1].keys()])].sort();
    const place = element('div');
    const show = async (path) => {
      const text = (side, version) => files[side].has(path)
        ? get('version', { document: this.path, version: version.id, member: path }) : { text: '', size: 0 };
      const contents = await attempt(async () => Promise.all([text(0, old), text(1, now)]));
      if (!contents) return;
      const labels = [old ? this.label(old) : 'Nothing', this.label(now)];
      place.replaceChildren(element('h3', { class: 'member' }, path), contents.some((each) => each.text == null)
        ? element('p', { class: 'empty' }, contents.map((each) => bytes(each.size)).join(' → '))
        : differenceView(contents[0].text, contents[1].text, labels));
    };
    this.content.replaceChildren(element('ul', { class: 'members' }, paths.map((path) => {
      const [a, b] = files.map((each) => each.get(path));
      const what = !a ? 'new' : !b ? 'removed' : a.bytes === b.bytes ? bytes(b.bytes) : `${bytes(a.bytes)} → ${bytes(b.bytes)}`;
      return element('li', {}, button(path, () => show(path), { class: 'subtle' }), element('span', {}, what));
    })), place);
  }

  images(other, version, isNow) {
    const picture = (label, source) => element('figure', {},
      element('img', { src: source, alt: label }), element('figcaption', {}, label));
    const chosen = picture(this.label(version), imageAddress(this.path, version.id));
    const left = isNow ? chosen : other ? picture(this.label(other), imageAddress(this.path, other.id)) : null;
    const right = isNow ? picture('Now', imageAddress(this.path)) : chosen;
    return element('div', { class: 'images' }, left, right);
  }

  async restore() {
    const version = this.versions.find((each) => each.id === this.chosen);
    const done = await attempt(async () => {
      await post('restore', { document: this.path, version: version.id });
      return true;
    });
    if (!done) return;
    toast(`The document is as it was ${shortDate(version.date)}; what it was before is in the history.`);
    this.leave();
  }
}
