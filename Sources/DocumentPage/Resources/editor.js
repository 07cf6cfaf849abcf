// The editor of a text. What is typed goes to the document at once; what the document becomes elsewhere is shown.
// Neither takes anything back from the other: where both changed the same place, a person is asked.

import { element, button, iconButton, attempt, toast, nameParts } from '/elements.js';
import { get, post } from '/server.js';
import { patch } from '/difference.js';
import { preview, hasPreview } from '/preview.js';
import { remove } from '/list.js';

const pause = 250;

export class Editor {
  // showOther(message) shows a document that is no text.
  constructor(path, showOther) {
    this.path = path;
    this.showOther = showOther;
    // The text as the server knows it, and the number that it has there.
    this.known = null;
    this.revision = -1;
    this.facts = null;
    this.isDirty = false;
    this.isSending = false;
    this.isConnected = true;
    this.isFocusWanted = false;
    this.asking = null;
    this.timer = 0;
    this.build();
  }

  build() {
    this.area = element('textarea', {
      'aria-label': 'Text', spellcheck: 'true', disabled: true, oninput: () => this.typed(),
      class: ['md', 'txt', ''].includes(nameParts(this.path)[1]) ? 'prose' : 'code',
    });
    this.bar = element('div', { class: 'bar', role: 'alert', hidden: true });
    this.state = element('span', { class: 'state', role: 'status' });
    this.resolve = element('a', { class: 'resolve', hidden: true }, 'Resolve…');
    this.title = element('input', {
      class: 'title', 'aria-label': 'Name', spellcheck: 'false', autocomplete: 'off',
      onkeydown: (event) => {
        if (event.key === 'Enter') this.title.blur();
        if (event.key === 'Escape') { this.title.value = nameParts(this.path)[0]; this.title.blur(); }
      },
      onblur: () => this.rename(),
    });
    this.history = element('a', { class: 'subtle' }, 'History');
    this.looking = button('Preview', () => this.togglePreview(), { class: 'subtle', 'aria-pressed': 'false' });
    this.shown = element('div', { class: 'preview', tabindex: '0', hidden: true });
    this.menu = element('details', { class: 'menu' },
      element('summary', { 'aria-label': 'More', title: 'More' }, '···'),
      element('div', { class: 'items' },
        button('Save version', () => this.save()),
        button('Duplicate', () => this.duplicate()),
        button('Delete', async () => { await this.flush(); remove(this.path); })));
    this.menu.addEventListener('click', (event) => { if (event.target.matches('button')) this.menu.open = false; });
    this.menu.addEventListener('focusout', (event) => {
      if (!this.menu.contains(event.relatedTarget)) this.menu.open = false;
    });
    this.view = element('section', { class: 'editor', 'aria-label': 'Document' },
      element('header', { class: 'head' },
        iconButton('back', 'All documents', () => { location.hash = ''; }, { class: 'icon back' }),
        this.title, this.state, this.resolve, this.looking, this.history, this.menu),
      this.bar, this.area, this.shown);
    this.place();
  }

  // Shows where the document is.
  place() {
    const link = `#${encodeURIComponent(this.path)}`;
    [this.title.value] = nameParts(this.path);
    this.resolve.href = `${link}!conflict`;
    this.history.href = `${link}!history`;
    this.looking.hidden = !hasPreview(this.path);
    document.title = nameParts(this.path)[0];
  }

  // MARK: The document's state

  async update(facts) {
    const isFirst = this.facts === null;
    this.facts = facts;
    if (facts.path !== this.path) {
      const draft = this.draft;
      localStorage.removeItem(this.draftName);
      this.path = facts.path;
      if (draft) this.keepDraft();
      this.place();
      history.replaceState(null, '', `#${encodeURIComponent(this.path)}`);
    }
    if (facts.phase === 'open' && facts.revision !== this.revision && !this.isSending) await this.pull(isFirst);
    else if (this.isDirty && facts.isEditable) this.sendSoon();
    this.show();
  }

  connected(isConnected) {
    this.isConnected = isConnected;
    this.show();
    if (isConnected && this.isDirty) this.sendSoon();
  }

  refused(message) {
    this.refusal = message;
    this.show();
  }

  // Compares the texts, which takes time: with every key only what it was last is used.
  compare() {
    this.isDirty = this.known !== null && this.area.value !== this.known;
    return this.isDirty;
  }

  show() {
    const facts = this.facts;
    const words = this.words(facts);
    this.state.className = `state ${words[0]}`;
    this.state.textContent = words[1];
    this.state.title = words[2] ?? '';
    this.resolve.hidden = !facts?.isInConflict;
    const isLocked = !facts || this.known === null || facts.isReadOnly || facts.phase !== 'open';
    this.area.readOnly = isLocked;
    this.area.disabled = this.known === null;
    this.title.disabled = isLocked;
    if (this.asking) return;
    if (facts?.phase === 'closed') this.tell('This document was deleted or moved away.', this.isDirty || this.area.value
      ? [button('Keep the text as a new document', () => this.keepAsNew())] : []);
    else if (facts?.hasFailed) this.tell(`Not saved: ${facts.failure ?? 'it is tried again.'}`);
    else this.tell('');
  }

  words(facts) {
    if (this.refusal) return ['failed', 'Not shown', this.refusal];
    if (!this.isConnected) return this.isDirty
      ? ['failed', 'Unsaved: no connection', 'What is typed is kept in this browser, and sent when docversions is back.']
      : ['failed', 'No connection'];
    if (!facts || facts.phase === 'opening' || (this.known === null && facts.phase === 'open')) return ['busy', 'Loading…'];
    if (facts.phase === 'refused') return ['failed', 'Not shown', facts.message];
    if (facts.phase === 'closed') return ['failed', 'Deleted'];
    if (facts.hasFailed) return ['failed', 'Unsaved', facts.failure];
    if (this.asking) return ['failed', 'Unsaved'];
    if (facts.isInConflict) return ['conflict', 'Conflict'];
    if (facts.isReadOnly) return ['busy', 'Read only'];
    if (this.isDirty || facts.isUnsaved) return ['busy', 'Edited'];
    return ['saved', 'Saved'];
  }

  tell(message, actions = []) {
    this.bar.hidden = !message;
    if (this.bar.firstChild?.textContent === message) return;
    this.bar.replaceChildren(element('span', {}, message), ...actions);
  }

  // MARK: Typing

  typed() {
    this.isDirty = this.known !== null;
    this.keepDraft();
    this.show();
    this.sendSoon();
  }

  sendSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
  }

  // Sends what was typed since the last time.
  async send() {
    if (this.isSending || this.asking || this.known === null || this.facts?.phase !== 'open') return;
    const text = this.area.value;
    const change = patch(this.known, text);
    if (!change) {
      this.dropDraft();
      this.isDirty = false;
      this.show();
      return;
    }
    this.isSending = true;
    let problem = null;
    try {
      const done = await post('edit', { document: this.path, revision: this.revision, ...change });
      this.known = text;
      this.revision = done.revision;
    } catch (error) { problem = error; }
    this.isSending = false;
    if (!problem) {
      if (this.compare()) this.sendSoon(); else this.dropDraft();
    } else if (problem.status === 412) await this.pull();
    else if (problem.status !== 423 && problem.status !== 410) {
      if (problem.status) toast(problem.message);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.send(), 2000);
    }
    this.show();
  }

  // Sends what is left, before something else is done with the document.
  async flush() {
    clearTimeout(this.timer);
    for (let tries = 0; this.compare() && tries < 20; tries += 1) {
      await this.send();
      if (this.asking || !this.isConnected) return;
    }
  }

  // Takes the text that the document has now.
  async pull(isFirst = false) {
    if (this.isSending) return;
    this.isSending = true;
    try {
      const mine = isFirst ? this.draft : null;
      const base = mine?.base ?? this.known;
      const text = mine?.text ?? this.area.value;
      if (base === null || text === base) {
        const now = await get('text', { document: this.path });
        if (this.known === null || this.area.value === this.known) this.take(now.text, now.revision, now.text);
        if (!now.isText) this.showOther('This document is no text; here are its bytes as far as they can be shown.');
      } else {
        if (isFirst) this.area.value = text;
        const met = await post('merge', { document: this.path, base, mine: text });
        if (isFirst || this.area.value === text) this.meet(met, text);
      }
    } catch (error) {
      if (error.status) this.refused(error.message);
    }
    this.isSending = false;
    if (this.facts?.phase === 'open' && this.facts.revision > this.revision) setTimeout(() => this.update(this.facts), 50);
    else if (this.compare()) this.sendSoon();
    this.show();
  }

  // Shows a text, with the caret where it was.
  take(text, revision, known) {
    const change = patch(this.area.value, text);
    if (change) {
      const isActive = document.activeElement === this.area;
      const top = this.area.scrollTop;
      if (this.known === null) this.area.value = text;
      else this.area.setRangeText(change.inserted, change.start, change.start + change.removed, 'preserve');
      if (isActive) this.area.scrollTop = top;
    }
    const isFirst = this.known === null;
    this.known = known;
    this.revision = revision;
    this.compare();
    if (isFirst) {
      this.area.disabled = false;
      this.area.setSelectionRange(0, 0);
      if (this.isFocusWanted) this.area.focus();
    }
    if (!this.shown.hidden) preview(this.shown, this.path, this.area.value);
  }

  // Both sides changed the text.
  meet(met, mine) {
    if (!met.questions.length) {
      this.take(met.merged, met.revision, met.text);
      return;
    }
    const finish = (text) => {
      this.asking = null;
      this.take(text, met.revision, met.text);
      this.keepDraft();
      this.sendSoon();
      this.show();
      this.area.focus();
    };
    this.asking = met;
    this.bar.replaceChildren(
      element('span', {}, 'This text was changed elsewhere, in the place where you were typing.'),
      button('Keep mine there', () => finish(met.merged)),
      button('Take the other', () => finish(met.theirs)),
      button('Keep mine as a new document', async () => {
        const made = await attempt(() => post('new', { text: mine, kind: this.kind }));
        if (made) { finish(met.theirs); toast(`Yours is in “${nameParts(made.document)[0]}”.`); }
      }));
    this.bar.hidden = false;
  }

  get kind() {
    const kind = nameParts(this.path)[1];
    return ['md', 'txt', 'csv'].includes(kind) ? kind : 'txt';
  }

  // MARK: A draft, for when nothing can be sent

  get draftName() { return `draft:${document.getElementById('folder').textContent}/${this.path}`; }

  get draft() {
    try { return JSON.parse(localStorage.getItem(this.draftName)); } catch { return null; }
  }

  keepDraft() {
    if (this.known === null || this.isConnected && this.area.value.length > 200000) return;
    // There may be no room for it; the text is in the page all the same.
    try { localStorage.setItem(this.draftName, JSON.stringify({ base: this.known, text: this.area.value })); } catch {}
  }

  dropDraft() { localStorage.removeItem(this.draftName); }

  // MARK: What can be done with it

  async save() {
    await this.flush();
    const done = await attempt(async () => { await post('save', { document: this.path }); return true; });
    if (done) toast('Saved as a version.');
  }

  async rename() {
    const name = this.title.value.trim();
    const [old, kind] = nameParts(this.path);
    if (!name || name === old) { this.title.value = old; return; }
    await this.flush();
    const done = await attempt(() => post('rename', { document: this.path, name: kind ? `${name}.${kind}` : name }));
    if (!done) this.title.value = old;
  }

  async duplicate() {
    await this.flush();
    const made = await attempt(() => post('duplicate', { document: this.path }));
    if (made) location.hash = encodeURIComponent(made.document);
  }

  async keepAsNew() {
    const made = await attempt(() => post('new', { text: this.area.value, kind: this.kind }));
    if (!made) return;
    this.dropDraft();
    location.hash = encodeURIComponent(made.document);
  }

  togglePreview() {
    const isShown = this.shown.hidden;
    this.shown.hidden = !isShown;
    this.area.hidden = isShown;
    this.looking.setAttribute('aria-pressed', String(isShown));
    this.looking.textContent = isShown ? 'Edit' : 'Preview';
    if (isShown) preview(this.shown, this.path, this.area.value);
  }

  // Begins to type: at once, or when the text is there.
  focus() {
    this.isFocusWanted = true;
    this.area.focus();
  }
}
