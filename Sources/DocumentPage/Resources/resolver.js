// The conflict of a document: questions first, then what was decided without asking, and the result.

import { element, button, iconButton, addressOf, focusNow, attempt, toast, shortDate, fullDate, fileName, nameParts, counted, letter } from '/elements.js';
import { get, post, imageAddress } from '/server.js';
import { keep, kept, forget } from '/storage.js';
import { isPicture } from '/images.js';
import { treeOf } from '/comparison.js';
import { decidedView } from '/decided.js';
import { chosen, origin, placesOf } from '/places.js';
import { differenceView } from '/lines.js';

const choiceWords = { ours: 'A', theirs: 'B', both: 'Both', base: 'As it was', text: 'Mine' };
const choiceKeys = { 1: 'ours', 2: 'theirs', 3: 'both', 4: 'base' };

// A question, whatever number it has.
const keyOf = ({ place, reason, base, ours, theirs }) => JSON.stringify([place, reason, base, ours, theirs]);

export class Resolver {
  constructor(path) {
    this.path = path;
    // What a person has taken otherwise than it was decided: the side, by place.
    this.reversed = new Map();
    // What is shown as the result: 'merged', or the position of a version that may be kept instead.
    this.preview = 'merged';
    // The result as a person has written it; null for the one that follows from the answers.
    this.edited = null;
    this.sides = element('div', { class: 'sides' });
    this.cards = element('div', { class: 'cards' });
    this.decided = element('div', { class: 'decided' });
    this.result = element('section', { class: 'whole', 'aria-label': 'The result' });
    this.count = element('p', { role: 'status' });
    this.finish = button('Resolve', () => this.resolve(), { class: 'primary' });
    this.view = element('section', { class: 'resolver', 'aria-label': 'Conflict' },
      element('header', { class: 'head' },
        iconButton('back', 'Back to the text', () => this.leave()),
        element('h2', {}, nameParts(path)[0]), this.count, this.finish),
      element('div', { class: 'scroll' }, this.sides, this.cards, this.decided, this.result));
    this.view.addEventListener('keydown', (event) => this.key(event));
    this.load();
  }

  leave() { location.hash = addressOf(this.path); }
  connected() {}
  refused(message) { this.cards.replaceChildren(element('p', { class: 'empty' }, message)); }

  focus() {
    const open = this.cards.querySelector('.card:not(.answered)') ?? this.cards.querySelector('.card');
    (open ?? this.finish).focus();
  }

  update(facts) {
    // Another device has resolved it, or a further version came in.
    if (facts.phase === 'open' && !facts.isInConflict && this.facts && !this.isResolving) {
      toast('The conflict was resolved elsewhere.');
      this.leave();
    } else if (facts.revision !== this.revision && facts.isInConflict && this.facts && !this.isResolving) this.load();
    this.revision = facts.revision;
  }

  // The same for a document that can't be edited here, of which the list alone tells.
  follow(item) {
    if (item && !item.isInConflict && this.facts && !this.isResolving) this.leave();
  }

  async load() {
    const isFocusStill = focusNow();
    try { this.facts = await get('conflict', { document: this.path }); } catch (error) {
      if (error.status === 404) this.leave(); else this.refused(error.message);
      return;
    }
    const isFirst = !this.cards.firstChild;
    await this.restore();
    await this.readPlaces();
    this.render();
    if (isFirst && (isFocusStill() || this.view.contains(document.activeElement))) this.focus();
  }

  // MARK: Work that is partly done

  // Keeps what was decided in the browser, so that it is there when the program begins anew.
  remember() {
    const { versions, questions } = this.facts;
    const answers = questions.filter((question) => question.answer)
      .map((question) => [keyOf(question), question.answer, question.typed]);
    if (!answers.length && !this.reversed.size && this.edited === null) { forget('conflict', this.path); return; }
    keep('conflict', this.path, { versions: versions.map((version) => version.id), answers, reversed: [...this.reversed], edited: this.edited });
  }

  async restore() {
    const before = kept('conflict', this.path);
    if (this.isRestored || !before) return;
    this.isRestored = true;
    if (before.versions.join() !== this.facts.versions.map((version) => version.id).join()) return;
    this.reversed = new Map(before.reversed);
    this.edited = before.edited;
    const answers = new Map(before.answers.map(([key, choice, text]) => [key, { choice, text }]));
    // An answer can make further questions go away, and others come.
    for (let next = true; next;) {
      next = this.facts.questions.find((question) => !question.answer && answers.has(keyOf(question)));
      if (!next) return;
      const given = answers.get(keyOf(next));
      answers.delete(keyOf(next));
      try { this.facts = await post('answer', { document: this.path, question: next.name, ...given }); } catch { return; }
    }
  }

  name(version, index) {
    return element('span', { class: `side side${index}` }, element('b', {}, letter(index)),
      ` ${version.device}`);
  }

  // MARK: Showing

  render() {
    const { versions, questions, base } = this.facts;
    const open = questions.filter((question) => !question.answer).length;
    this.count.textContent = open ? counted(open, 'question') + (open === questions.length ? '' : ' left') : 'Nothing left to ask';
    const latest = Math.max(...versions.map((version) => version.date));
    const isLatest = (version) => version.date === latest && versions.some((each) => each.date < latest);
    this.sides.replaceChildren(
      ...versions.map((version, index) => element('article', { class: 'version' }, this.name(version, index),
        element('p', {}, version.isDeletion ? 'Deleted it' : version.note || 'Edited', ' · ', version.author),
        element('time', { title: fullDate(version.date) }, shortDate(version.date)),
        isLatest(version) && element('span', { class: 'tag' }, 'latest'),
        element('div', { class: 'actions' }, button('Look at it', () => this.show(index), { class: 'subtle' })))),
      base ? element('article', { class: 'version base' }, element('span', { class: 'side' }, 'Made from'),
        element('p', {}, base.note || 'the version that all have'),
        element('time', { title: fullDate(base.date) }, shortDate(base.date))) : null);
    this.cards.replaceChildren(...questions.map((question, index) => this.card(question, index)));
    this.renderDecisions();
    this.renderResult();
    this.check();
  }

  card(question, index) {
    const name = `question-${question.name}`;
    const value = (text) => text == null ? element('span', { class: 'nothing' }, 'nothing') : text === '' ? element('span', { class: 'nothing' }, 'empty') : text;
    const both = (question.ours ?? '') + (question.theirs ?? '');
    const values = { ours: question.ours, theirs: question.theirs, both, base: question.base };
    const order = ['ours', 'theirs', 'both', 'base'].filter((choice) => question.choices.includes(choice));
    const option = (choice) => {
      const key = Object.entries(choiceKeys).find(([, each]) => each === choice)[0];
      const input = element('input', {
        type: 'radio', name, value: choice, checked: question.answer === choice, onchange: () => this.answer(question, choice),
      });
      const from = { ours: question.oursFrom, theirs: [question.theirsFrom] }[choice];
      const word = from?.length ? from.map(letter).join(' and ') : choiceWords[choice];
      return element('label', { class: `option ${choice}` }, input,
        element('span', { class: 'label' }, element('kbd', {}, key), ` ${word}`, from && ` · ${this.devices(from)}`),
        element('pre', {}, value(values[choice])));
    };
    const typed = question.choices.includes('text') && element('details', { class: 'own', open: question.answer === 'text' },
      element('summary', {}, 'Write it yourself'),
      element('textarea', {
        'aria-label': 'Your answer', rows: '3',
        onchange: (event) => this.answer(question, 'text', event.target.value),
      }, question.typed ?? question.ours ?? ''));
    return element('fieldset', {
      class: `card${question.answer ? ' answered' : ''}`, tabindex: '0', disabled: this.edited !== null, 'data-question': question.name,
      'aria-label': `Question ${index + 1}: ${question.place}`,
    },
    element('legend', {}, question.place,
      question.answer && button('Ask again', () => this.answer(question, null), { class: 'subtle' })),
    element('p', { class: 'reason' }, question.reason),
    question.before && element('pre', { class: 'around' }, question.before.trim().split('\n').slice(-2).join('\n').trim()),
    element('div', { class: 'options' }, order.map(option)),
    question.after && element('pre', { class: 'around' }, question.after.trim().split('\n').slice(0, 2).join('\n').trim()), typed);
  }

  devices(indices) { return indices.map((index) => this.facts.versions[index]?.device ?? '').join(', '); }

  // Finds the places that can be decided otherwise.
  async readPlaces() {
    const { merged } = this.facts;
    const tree = merged ? await treeOf(fileName(this.path), merged) : null;
    this.hasValues = tree !== null;
    this.places = placesOf(this.facts, this.path, tree);
  }

  renderDecisions() {
    const view = decidedView({
      parts: this.places?.parts, decisions: this.facts.decisions, asked: this.openCount, reversed: this.reversed, isFixed: this.edited !== null,
      change: (part, side) => {
        if (side === undefined) this.reversed.delete(part.key); else this.reversed.set(part.key, side);
        this.remember();
        this.renderResult();
        this.check();
      },
    });
    this.decided.replaceChildren(...(view ?? []).filter(Boolean));
  }

  get isReversed() { return this.places?.parts.some((part) => part.sides && this.reversed.has(part.key)) ?? false; }

  // Says where places that were taken from different versions do not go together.
  async check() {
    if (!this.hasValues || !this.isReversed) return;
    const text = this.resultText;
    const tree = await treeOf(fileName(this.path), text);
    if (!tree && text === this.resultText) this.doubt.textContent = `Taken like this, it is not valid ${nameParts(this.path)[1].toUpperCase() || 'for its format'}.`;
  }

  // Shows what would be the result: everything together, or one of the versions.
  show(preview) {
    this.preview = preview;
    this.renderResult();
    this.result.scrollIntoView({ block: 'nearest' });
    this.result.querySelector('[aria-pressed="true"]').focus();
  }

  renderResult() {
    const { versions, questions } = this.facts;
    const isMerged = this.preview === 'merged';
    const choice = (preview, label) => element('button', {
      type: 'button', 'aria-pressed': String(this.preview === preview), onclick: () => this.show(preview),
    }, label);
    const choices = element('div', { class: 'choices', role: 'group', 'aria-label': 'What the result is' },
      choice('merged', versions.length > 2 ? 'All together' : 'Both together'), versions.map((version, index) => choice(index, `${letter(index)} alone`)));
    const edit = isMerged && this.places?.ending && (this.edited === null
      ? !this.openCount && button('Edit the result', () => this.setEdited(this.resultLines), { class: 'subtle' })
      : button('Discard my edits', () => this.setEdited(null), { class: 'subtle' }));
    this.doubt = element('p', { class: 'doubt', role: 'status' });
    this.result.replaceChildren(element('header', {}, element('h3', {}, 'The result'), choices, edit), this.doubt, isMerged ? this.merged() : this.alone(this.preview));
    this.finish.textContent = isMerged ? 'Resolve' : `Keep ${letter(this.preview)}`;
    this.finish.disabled = isMerged && this.edited === null && questions.some((question) => !question.answer);
  }

  get openCount() { return this.facts.questions.filter((question) => !question.answer).length; }
  // The result with line feeds, and as it is sent.
  get resultLines() { return this.edited ?? this.places.parts.map((part) => chosen(part, this.reversed.get(part.key))).join(''); }
  get resultText() { return this.places.ending ? this.resultLines.replaceAll('\n', this.places.ending) : this.resultLines; }

  merged() {
    if (this.edited !== null) {
      return element('textarea', {
        class: 'result', 'aria-label': 'The result', rows: '16', spellcheck: 'true',
        oninput: (event) => { this.edited = event.target.value; this.remember(); },
      }, this.edited);
    }
    if (!this.places) return element('p', { class: 'empty' }, this.openCount ? 'It is shown once all questions are answered.' : 'It is no text that can be shown.');
    const mark = (part) => {
      const side = this.reversed.get(part.key);
      const kind = side === undefined ? origin(part)[0] : ['ours', 'theirs'][side] ?? 'combined';
      return element('mark', { class: kind }, chosen(part, side));
    };
    return element('pre', { class: 'result', tabindex: '0', role: 'region', 'aria-label': 'Text of the result' }, this.places.parts.map((part) => (part.sides ? mark(part) : part.text)));
  }

  // A version by itself, and what it changed.
  alone(index) {
    const { base, versions, texts, baseText } = this.facts;
    const version = versions[index];
    if (version.isDeletion) return element('p', { class: 'empty' }, 'The document is deleted.');
    if (isPicture(this.path)) return element('div', { class: 'images' }, element('img', { src: imageAddress(this.path, version.id), alt: version.device }));
    if (texts[index] == null) return element('p', { class: 'empty' }, 'It is no text that can be shown.');
    const labels = base && [`Before, ${shortDate(base.date)}`, `${version.device}, ${shortDate(version.date)}`];
    const changes = base && baseText != null && differenceView(baseText, texts[index], labels);
    return changes ?? element('pre', { class: 'result', tabindex: '0', role: 'region', 'aria-label': 'Text of the result' }, texts[index]);
  }

  setEdited(text) {
    this.edited = text;
    this.remember();
    this.render();
    if (text !== null) this.result.querySelector('textarea').focus();
  }

  // MARK: Deciding

  key(event) {
    if (event.key === 'Escape') { this.leave(); return; }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { this.resolve(); return; }
    if (event.target.matches('textarea, select')) return;
    const preview = event.key === 'm' ? 'merged' : 'abcdefgh'.indexOf(event.key);
    if (this.facts && !event.ctrlKey && !event.metaKey && event.key.length === 1 && (preview === 'merged' || this.facts.versions[preview])) {
      event.preventDefault();
      this.show(preview);
      return;
    }
    const card = event.target.closest('.card');
    const cards = [...this.cards.children];
    const index = cards.indexOf(card);
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step && !(event.target.type === 'radio' && event.key.startsWith('Arrow'))) {
      event.preventDefault();
      cards[Math.min(Math.max(index + step, 0), cards.length - 1)]?.focus();
      return;
    }
    const choice = choiceKeys[event.key];
    const question = this.facts?.questions[index];
    if (choice && this.edited === null && question?.choices.includes(choice)) {
      event.preventDefault();
      this.answer(question, choice, null, true);
    }
  }

  async answer(question, choice, text = null, goesOn = false) {
    const facts = await attempt(() => post('answer', { document: this.path, question: question.name, choice, text }));
    if (!facts) { this.load(); return; }
    this.facts = facts;
    this.preview = 'merged';
    await this.readPlaces();
    this.remember();
    this.render();
    if (goesOn) { this.focus(); if (!this.finish.disabled) this.finish.focus(); } else {
      const card = [...this.cards.children].find((each) => each.dataset.question === question.name);
      (card?.querySelector('input:checked') ?? card)?.focus();
    }
  }

  async resolve() {
    if (!this.facts || this.finish.disabled) return;
    const alone = this.preview === 'merged' ? null : this.facts.versions[this.preview].id;
    this.isResolving = true;
    this.finish.disabled = true;
    const done = await attempt(() => post('resolve', {
      document: this.path, versions: this.facts.versions.map((version) => version.id), keep: alone,
      text: !alone && (this.isReversed || this.edited !== null) ? this.resultText : null,
    }));
    this.isResolving = false;
    if (done?.isResolved) {
      forget('conflict', this.path);
      toast('Resolved. The versions stay in the history.');
      this.leave();
    } else {
      if (done) toast('The conflict has changed in the meantime: here it is as it is now.');
      this.load();
    }
  }
}
