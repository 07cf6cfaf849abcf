// The versions of a document: a timeline, any two side by side, and going back to one.

import { element, button, iconButton, addressOf, attempt, toast, shortDate, fullDate, bytes, fileName, nameParts } from '/elements.js';
import { get, post, imageAddress } from '/server.js';
import { comparison, bytesView } from '/comparison.js';
import { imagesView, isPicture } from '/images.js';
import * as list from '/list.js';

const words = {
  save: 'Saved', restore: 'Restored', merge: 'Merged', resolve: 'Resolved', undo: 'Taken back', rename: 'Renamed',
  move: 'Moved', delete: 'Deleted', join: 'Joined', add: 'Added', importCopy: 'Imported',
};

const what = (version) => version.note || words[version.kind] || version.kind;

export class History {
  constructor(path) {
    this.path = path;
    // The member of a package that is compared; null where all are listed.
    this.member = null;
    this.list = element('ol', { class: 'timeline', 'aria-label': 'Versions' });
    this.title = element('h2', {}, nameParts(path)[0]);
    this.from = element('select', { 'aria-label': 'Compare with', onchange: () => this.compare() });
    this.restoring = button('Go back to this version', () => this.restore(), { class: 'primary' });
    this.content = element('div', { class: 'content', tabindex: '0', role: 'region', 'aria-label': 'Difference' });
    this.view = element('section', { class: 'history', 'aria-label': 'History' },
      element('header', { class: 'head' },
        iconButton('back', 'Back to the text', () => this.leave()), this.title,
        element('label', { class: 'compare' }, 'Compare with ', this.from), this.restoring),
      element('div', { class: 'columns' }, this.list, this.content));
    this.view.addEventListener('keydown', (event) => { if (event.key === 'Escape') { if (this.member) this.open(null); else this.leave(); } });
    this.load();
  }

  leave() { location.hash = addressOf(this.path); }
  focus() { (this.list.querySelector('[aria-current]') ?? this.content).focus(); }
  connected() {}
  refused() {}

  update(facts) {
    if (facts.revision !== this.revision && this.revision !== undefined) this.load();
    this.revision = facts.revision;
  }

  async load() {
    const versions = await attempt(() => get('history', { document: this.path }));
    if (!versions) return;
    const isFirst = !this.versions;
    this.versions = versions;
    if (!versions.some((version) => version.id === this.chosen)) this.chosen = versions[0]?.id;
    this.render();
    if (isFirst && document.activeElement === this.content) this.focus();
    this.compare();
  }

  label(version) { return `${what(version).slice(0, 40)}, ${shortDate(version.date)} · ${version.device}`; }

  render() {
    const hasFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...this.versions.map((version) => element('li', {},
      element('button', {
        type: 'button', 'aria-current': version.id === this.chosen ? 'true' : null, title: fullDate(version.date),
        onclick: () => { this.chosen = version.id; this.render(); this.compare(); },
      },
      element('span', { class: `dot ${version.isConflict ? 'conflict' : version.isCurrent ? 'current' : ''}` }),
      element('span', { class: 'what' }, element('span', {}, what(version)),
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
    if (isPicture(this.path)) {
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
    await this.showBoth(this.content, fileName(this.path), both, labels, wanted);
  }

  async showBoth(place, name, both, labels, wanted) {
    const made = both.some((each) => each.text == null) ? bytesView(both, labels)
      : await attempt(() => comparison(name, both[0].text, both[1].text, labels));
    if (made && wanted === this.wanted) place.replaceChildren(made);
  }

  // A package: which of its members are in one version, in the other, or differ; or the member that is chosen.
  async compareMembers(old, now, wanted) {
    const members = (version) => version && !version.isDeletion ? get('members', { document: this.path, version: version.id }) : [];
    const both = await attempt(async () => Promise.all([members(old), members(now)]));
    if (!both || wanted !== this.wanted) return;
    const files = both.map((all) => new Map(all.filter((each) => each.kind === 'file' || each.kind === 'executable').map((each) => [each.path, each])));
    const paths = [...new Set([...files[0].keys(), ...files[1].keys()])].sort();
    if (paths.includes(this.member)) {
      await this.compareMember(files.map((each, side) => each.has(this.member) && [old, now][side]), [old, now], wanted);
      return;
    }
    const change = (path) => {
      const [a, b] = files.map((each) => each.get(path));
      return !a ? `new, ${bytes(b.bytes)}` : !b ? 'removed' : a.identity === b.identity ? `the same, ${bytes(b.bytes)}`
        : a.bytes === b.bytes ? `changed, ${bytes(b.bytes)}` : `changed, ${bytes(a.bytes)} → ${bytes(b.bytes)}`;
    };
    this.content.replaceChildren(paths.length ? element('ul', { class: 'members', 'aria-label': 'Members of the package' }, paths.map((path) => element('li', { class: change(path).startsWith('the same') ? 'same' : null },
      button(path, () => this.open(path), { class: 'subtle' }), element('span', {}, change(path)))))
      : element('p', { class: 'empty' }, 'There are no files in it.'));
  }

  // Compares a member of a package, or no member: then all are listed.
  async open(member) {
    const left = this.member;
    this.member = member;
    await this.compare();
    const back = [...this.content.querySelectorAll('.members button')].find((each) => each.textContent === left);
    (this.content.querySelector('.member button') ?? back)?.focus();
  }

  async compareMember(sides, versions, wanted) {
    const labels = versions.map((version) => (version ? this.label(version) : 'Nothing'));
    const shown = element('div');
    const contents = (version) => version ? get('version', { document: this.path, version: version.id, member: this.member }) : { text: '', size: 0 };
    if (isPicture(this.member)) {
      const pictured = sides.map((version, side) => version && { label: labels[side], source: imageAddress(this.path, version.id, this.member) });
      shown.append(imagesView(...pictured));
    } else {
      const both = await attempt(async () => Promise.all(sides.map(contents)));
      if (!both) return;
      await this.showBoth(shown, this.member, both, labels, wanted);
    }
    if (wanted !== this.wanted) return;
    this.content.replaceChildren(element('header', { class: 'member' },
      iconButton('back', 'All members', () => this.open(null)), element('h3', {}, this.member)), shown);
  }

  images(other, version, isNow) {
    const of = (each) => each && !each.isDeletion && { label: this.label(each), source: imageAddress(this.path, each.id) };
    if (isNow) return imagesView(of(version), { label: 'Now', source: imageAddress(this.path) });
    return imagesView(of(other), of(version));
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
