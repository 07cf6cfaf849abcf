// The editor of a text. What is typed goes to the document at once; what the document becomes elsewhere is shown.
// Neither takes anything back from the other: where both changed the same place, a person is asked.

import { element, button, iconButton, addressOf, focusNow, attempt, toast, nameParts } from '/elements.js';
import { get, post } from '/server.js';
import { patch } from '/difference.js';
import { preview, hasPreview } from '/preview.js';
import { TextField } from '/text.js';
import { duplicate, move, remove, rename } from '/actions.js';
import { keep, kept, forget } from '/storage.js';

// Milliseconds without a key until what was typed is sent, and the most that it waits.
const pause = 250;
const patience = 1500;

const inputNames = { insertFromPaste: 'Paste', insertFromDrop: 'Drop', deleteByCut: 'Cut', deleteByDrag: 'Drop' };
const nameOf = (type = '') => inputNames[type] ?? (type.startsWith('delete') ? 'Deletion' : 'Typing');

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
    this.mayFocus = () => false;
    this.asking = null;
    this.timer = 0;
    // What is typed since something was sent last: when it began, and by which name it is undone.
    this.since = 0;
    this.action = null;
    this.build();
  }

  build() {
    this.field = new TextField({
      'aria-label': 'Text', spellcheck: 'true', disabled: true, oninput: (event) => this.typed(nameOf(event.inputType)),
      onbeforeinput: (event) => this.before(event), onkeydown: (event) => this.key(event),
      class: ['md', 'txt', ''].includes(nameParts(this.path)[1]) ? 'prose' : 'code',
    });
    this.area = this.field.area;
    this.undoing = iconButton('undo', 'Undo', () => this.revert('undo'), { disabled: true });
    this.redoing = iconButton('redo', 'Redo', () => this.revert('redo'), { disabled: true });
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
        button('Duplicate', async () => { await this.flush(); duplicate(this.path); }),
        button('Move…', async () => { await this.flush(); move(this.path); }),
        button('Delete', async () => { await this.flush(); remove(this.path); })));
    const closeMenu = () => { this.menu.open = false; this.menu.firstChild.focus(); };
    this.menu.addEventListener('click', (event) => { if (event.target.matches('button')) closeMenu(); });
    this.menu.addEventListener('keydown', (event) => { if (event.key === 'Escape' && this.menu.open) closeMenu(); });
    this.menu.addEventListener('focusout', (event) => {
      if (!this.menu.contains(event.relatedTarget)) this.menu.open = false;
    });
    this.view = element('section', { class: 'editor', 'aria-label': 'Document' },
      element('header', { class: 'head' },
        iconButton('back', 'All documents', () => { location.hash = ''; }, { class: 'icon back' }),
        this.title, this.state, this.resolve, this.undoing, this.redoing, this.looking, this.history, this.menu),
      this.bar, this.area, this.shown);
    this.place();
  }

  // Shows where the document is.
  place() {
    [this.title.value] = nameParts(this.path);
    this.resolve.href = addressOf(this.path, 'conflict');
    this.history.href = addressOf(this.path, 'history');
    this.looking.hidden = !hasPreview(this.path);
    document.title = nameParts(this.path)[0];
  }

  // MARK: The document's state

  async update(facts) {
    const isFirst = this.facts === null;
    this.facts = facts;
    if (facts.path !== this.path) {
      this.dropDraft();
      this.path = facts.path;
      this.keepDraft();
      this.place();
    }
    if (facts.phase === 'open' && facts.revision !== this.revision && !this.isSending) await this.pull(isFirst);
    else if (this.isDirty && facts.isEditable) this.sendSoon();
    this.show();
  }

  connected(isConnected) {
    this.isConnected = isConnected;
    if (!isConnected) this.keepDraft();
    this.show();
    if (isConnected && this.isDirty) this.sendSoon();
  }

  refused(message) {
    this.refusal = message;
    this.show();
  }

  // Compares the texts, which takes time: with every key only what it was last is used.
  compare() {
    this.isDirty = this.known !== null && this.field.text !== this.known;
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
    this.showUndo();
    if (this.asking) return;
    if (facts?.phase === 'closed') this.tell('This document was deleted or moved away.', this.isDirty || this.area.value || !this.field.isWhole
      ? [button('Keep the text as a new document', () => this.keepAsNew())] : []);
    else if (facts?.hasFailed) this.tell(`Not saved: ${facts.failure ?? 'it is tried again.'}`);
    // What can't be saved here would not say so by itself.
    else if (facts?.isReadOnly && facts.failure) this.tell(`What others change may not be shown here: ${facts.failure}`);
    else this.tell('');
  }

  words(facts) {
    if (this.refusal) return ['failed', 'Not shown', this.refusal];
    if (!this.isConnected) return this.isDirty
      ? ['failed', 'Unsaved: no connection', 'What is typed is kept in this browser, and sent when docversions is back.']
      : ['failed', 'No connection'];
    if (facts?.downloaded != null) return ['busy', facts.downloaded > 0 ? `Downloading… ${Math.round(facts.downloaded * 100)} %` : 'Downloading…'];
    if (!facts || facts.phase === 'opening' || (this.known === null && facts.phase === 'open')) return ['busy', 'Loading…'];
    if (facts.phase === 'refused') return ['failed', 'Not shown', facts.message];
    if (facts.phase === 'closed') return ['failed', 'Deleted'];
    if (facts.hasFailed) return ['failed', 'Unsaved', facts.failure];
    if (this.asking) return ['failed', 'Unsaved'];
    if (facts.isInConflict) return ['conflict', 'Conflict'];
    if (facts.isReadOnly) return ['busy', 'Read only'];
    // What the server has now may be newer than what it said last.
    if (this.isDirty || facts.isUnsaved || facts.revision < this.revision) return ['busy', 'Edited'];
    return ['saved', 'Saved'];
  }

  tell(message, actions = []) {
    this.bar.hidden = !message;
    if (this.bar.firstChild?.textContent === message) return;
    this.bar.replaceChildren(element('span', {}, message), ...actions);
  }

  showUndo() {
    const isLocked = this.area.readOnly || this.area.disabled || this.asking || !this.isConnected;
    const offer = (made, word, name) => {
      made.disabled = isLocked || name == null;
      made.title = name ? `${word} ${name}` : word;
      made.setAttribute('aria-label', made.title);
    };
    offer(this.undoing, 'Undo', this.isDirty ? this.action ?? 'Typing' : this.facts?.undo);
    offer(this.redoing, 'Redo', this.isDirty ? null : this.facts?.redo);
  }

  // MARK: Typing

  // With each key: nothing here takes longer for a longer text.
  typed(action) {
    const now = performance.now();
    const isFirst = !this.isDirty || this.action === null;
    if (isFirst) this.since = now;
    this.isDirty = this.known !== null;
    this.action ??= action;
    if (this.isDirty) this.draftSoon();
    if (isFirst) this.show();
    if (now - this.since < patience || this.isSending) this.sendSoon();
  }

  // What is undone by another name becomes a change of its own, so what was typed before it is sent first.
  before(event) {
    if (event.inputType === 'historyUndo' || event.inputType === 'historyRedo') {
      if (!this.isConnected) return;
      event.preventDefault();
      this.revert(event.inputType === 'historyUndo' ? 'undo' : 'redo');
    } else if (this.action && this.action !== nameOf(event.inputType) && !event.isComposing) this.send();
  }

  key(event) {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !this.isConnected || !['z', 'y'].includes(key)) return;
    event.preventDefault();
    this.revert(key === 'y' || event.shiftKey ? 'redo' : 'undo');
  }

  // Undoes or redoes what the document knows of: what was typed in any window.
  async revert(how) {
    await this.flush();
    if (this.isDirty || this.asking || this.area.readOnly) return;
    const done = await attempt(() => post(how, { document: this.path, revision: this.revision }));
    if (!done) return;
    const change = await this.pull();
    if (!change) return;
    this.field.select(change.start, change.start + change.inserted.length);
    this.field.reveal();
  }

  sendSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
  }

  // Sends what was typed since the last time.
  async send() {
    if (this.isSending || this.asking || this.known === null || this.facts?.phase !== 'open') return;
    const { text } = this.field;
    const change = patch(this.known, text);
    const name = this.action ?? 'Typing';
    this.action = null;
    if (!change) {
      this.dropDraft();
      this.isDirty = false;
      this.show();
      return;
    }
    this.isSending = true;
    let problem = null;
    try {
      const done = await post('edit', { document: this.path, revision: this.revision, name, ...change });
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
    if (this.isSending) return null;
    this.isSending = true;
    let change = null;
    try {
      const mine = isFirst ? kept('draft', this.path) : null;
      const base = mine?.base ?? this.known;
      const text = mine?.text ?? this.field.text;
      if (base === null || text === base) {
        const now = await get('text', { document: this.path });
        if (this.known === null || this.field.text === this.known) change = this.take(now.text, now.revision, now.text);
        if (!now.isText) this.showOther('This document is no text; here are its bytes as far as they can be shown.');
      } else {
        if (isFirst) this.field.text = text;
        const met = await post('merge', { document: this.path, base, mine: text });
        if (isFirst || this.field.text === text) this.meet(met, text);
      }
    } catch (error) {
      if (error.status) this.refused(error.message);
    }
    this.isSending = false;
    if (this.facts?.phase === 'open' && this.facts.revision > this.revision) setTimeout(() => this.update(this.facts), 50);
    else if (this.compare()) this.sendSoon();
    this.show();
    return change;
  }

  // Shows a text, with the caret where it was; returns what that has changed.
  take(text, revision, known) {
    const change = patch(this.field.text, text);
    if (change && this.known === null) this.field.text = text;
    else if (change) this.field.replace(change.start, change.removed, change.inserted);
    const isFirst = this.known === null;
    this.known = known;
    this.revision = revision;
    this.compare();
    if (isFirst) {
      this.area.disabled = false;
      this.field.select(0);
      if (this.mayFocus()) this.area.focus();
    }
    if (!this.shown.hidden) preview(this.shown, this.path, text);
    return change;
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

  draftSoon() {
    this.drafting ??= setTimeout(() => { this.drafting = null; this.keepDraft(); }, this.isConnected ? 400 : 50);
  }

  keepDraft() {
    if (this.known === null || !this.isDirty || this.isConnected && this.known.length > 200000) return;
    keep('draft', this.path, { base: this.known, text: this.field.text });
  }

  dropDraft() { forget('draft', this.path); }

  // MARK: What can be done with it

  async save() {
    await this.flush();
    const done = await attempt(async () => { await post('save', { document: this.path }); return true; });
    if (done) toast('Saved as a version.');
  }

  async rename() {
    const name = this.title.value.trim();
    const [old] = nameParts(this.path);
    if (!name || name === old) { this.title.value = old; return; }
    await this.flush();
    if (!await rename(this.path, name)) this.title.value = old;
  }

  async keepAsNew() {
    const made = await attempt(() => post('new', { text: this.field.text, kind: this.kind }));
    if (!made) return;
    this.dropDraft();
    location.hash = addressOf(made.document);
  }

  togglePreview() {
    const isShown = this.shown.hidden;
    this.shown.hidden = !isShown;
    this.area.hidden = isShown;
    this.looking.setAttribute('aria-pressed', String(isShown));
    this.looking.textContent = isShown ? 'Edit' : 'Preview';
    if (isShown) preview(this.shown, this.path, this.field.text);
  }

  // Begins to type: at once, or when the text is there.
  focus() {
    this.mayFocus = focusNow();
    this.area.focus();
  }
}
