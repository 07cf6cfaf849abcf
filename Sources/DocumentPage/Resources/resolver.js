// The conflict of a document: questions first, then what was decided without asking, and the result.

import { element, button, iconButton, attempt, toast, shortDate, fullDate, nameParts, counted } from '/elements.js';
import { get, post, imageAddress } from '/server.js';
import { keep, kept, forget } from '/storage.js';
import { pictures } from '/images.js';
import { alternatives, reversedText } from '/reversals.js';
import { differenceView } from '/lines.js';

const choiceWords = { ours: 'A', theirs: 'B', both: 'Both', base: 'As it was', text: 'Mine' };
const choiceKeys = { 1: 'ours', 2: 'theirs', 3: 'both', 4: 'base' };
const kindWords = { ours: 'A alone changed it', theirs: 'B alone changed it', same: 'both made the same change', combined: 'both changes fit together' };

const letter = (index) => 'ABCDEFGH'[index] ?? String(index + 1);
const sideWords = { ours: 'A', theirs: 'B', base: 'as it was' };
const placeOf = ({ place, lines }) => JSON.stringify([place, lines?.ours, lines?.theirs]);
// A question, whatever number it has.
const keyOf = ({ place, reason, base, ours, theirs }) => JSON.stringify([place, reason, base, ours, theirs]);

export class Resolver {
  constructor(path) {
    this.path = path;
    // What a person has changed about decisions that needed no answer: the side that is taken, by place.
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

  leave() { location.hash = encodeURIComponent(this.path); }
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
    try { this.facts = await get('conflict', { document: this.path }); } catch (error) {
      if (error.status === 404) this.leave(); else this.refused(error.message);
      return;
    }
    const isFirst = !this.cards.firstChild;
    await this.restore();
    await this.readValues();
    this.render();
    if (isFirst) this.focus();
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
    this.sides.replaceChildren(
      ...versions.map((version, index) => element('article', { class: 'version' }, this.name(version, index),
        element('p', {}, version.isDeletion ? 'Deleted it' : version.note || 'Edited', ' · ', version.author),
        element('time', { title: fullDate(version.date) }, shortDate(version.date)),
        version.date === latest && element('span', { class: 'tag' }, 'latest'),
        element('div', { class: 'actions' }, button('Look at it', () => this.show(index), { class: 'subtle' })))),
      base ? element('article', { class: 'version base' }, element('span', { class: 'side' }, 'Made from'),
        element('p', {}, base.note || 'the version that all have'),
        element('time', { title: fullDate(base.date) }, shortDate(base.date))) : null);
    this.cards.replaceChildren(...questions.map((question, index) => this.card(question, index)));
    this.renderDecisions();
    this.renderResult();
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
      const from = { ours: this.devices(question.oursFrom), theirs: this.devices([question.theirsFrom]) }[choice];
      return element('label', { class: `option ${choice}` }, input,
        element('span', { class: 'label' }, element('kbd', {}, key), ` ${choiceWords[choice]}`, from && ` · ${from}`),
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

  // Reads the values of the result and of both versions, for decisions about values.
  async readValues() {
    const { merged, texts, baseText, decisions } = this.facts;
    this.values = null;
    if (texts.length !== 2 || !decisions.some((decision) => decision.path)) return;
    const all = { result: merged, ours: texts[0], theirs: texts[1], base: baseText };
    // The places in trees are those with single line feeds.
    if (Object.values(all).some((text) => text == null || text.includes('\r') || text.length > 1e6)) return;
    const read = async ([side, text]) => [side, { text, ...await post('tree', { name: nameParts(this.path).join('.'), text }) }];
    try {
      const { result, ...sides } = Object.fromEntries(await Promise.all(Object.entries(all).map(read)));
      this.values = { result, sides };
    } catch { /* Then these decisions stay as they are. */ }
  }

  // The sides by which a decision can be made otherwise: its place is known in the texts and in the result.
  sidesOf(decision) {
    const { texts, merged, baseText } = this.facts;
    if (texts.length !== 2 || [merged, ...texts].some((text) => text == null)) return null;
    if (decision.lines) return decision.lines.base && baseText != null ? ['ours', 'theirs', 'base'] : ['ours', 'theirs'];
    return this.values && alternatives(decision.path, this.values.result, this.values.sides);
  }

  renderDecisions() {
    const decisions = this.facts.decisions.filter((decision) => !decision.isAnswer);
    if (!decisions.length) { this.decided.replaceChildren(); return; }
    this.decided.replaceChildren(
      element('h3', {}, `Decided without asking (${decisions.length})`),
      element('ul', {}, decisions.map((decision) => {
        const key = placeOf(decision);
        const sides = this.sidesOf(decision);
        const select = sides && element('select', {
          disabled: this.edited !== null, 'aria-label': `What is taken at ${decision.place}`,
          onchange: (event) => {
            if (event.target.value) this.reversed.set(key, event.target.value); else this.reversed.delete(key);
            this.remember();
            this.renderResult();
          },
        },
        element('option', { value: '' }, 'as decided'),
        sides.map((each) => element('option', { value: each }, sideWords[each])));
        if (select) select.value = this.reversed.get(key) ?? '';
        return element('li', {}, element('span', { class: `kind ${decision.kind}` }, kindWords[decision.kind] ?? decision.kind),
          element('span', { class: 'at' }, decision.place), element('span', { class: 'reason' }, decision.reason),
          element('span', { class: 'values' }, decision.base != null && element('del', {}, decision.base.trim()), ' ',
            element('ins', {}, (decision.kind === 'theirs' ? decision.theirs : decision.ours)?.trim() ?? 'nothing')), select);
      })));
  }

  // The result: lines with the side that each place comes from.
  get resultParts() {
    const { merged, decisions, texts, baseText } = this.facts;
    if (merged == null) return null;
    const values = decisions.filter((decision) => !decision.lines && this.reversed.has(placeOf(decision)) && this.sidesOf(decision))
      .map((decision) => [decision.path, this.reversed.get(placeOf(decision))]);
    if (values.length) return [{ text: reversedText(this.values.result, this.values.sides, values) }];
    const split = (text) => (text == null ? [] : text.split(/(?<=\n)/));
    const lines = split(merged);
    const sources = { ours: split(texts[0]), theirs: split(texts[1]), base: split(baseText) };
    const placed = decisions.filter((decision) => decision.lines)
      .sort((a, b) => a.lines.result[0] - b.lines.result[0]);
    const parts = [];
    let position = 0;
    for (const decision of placed) {
      const { lines: place } = decision;
      const [from, to] = place.result;
      if (from < position) continue;
      if (from > position) parts.push({ text: lines.slice(position, from).join('') });
      const side = this.sidesOf(decision) ? this.reversed.get(placeOf(decision)) : undefined;
      const text = side ? sources[side].slice(...(place[side] ?? [0, 0])).join('') : lines.slice(from, to).join('');
      parts.push({ text, kind: side ?? decision.kind });
      position = to;
    }
    parts.push({ text: lines.slice(position).join('') });
    return parts;
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
      choice('merged', 'Both together'), versions.map((version, index) => choice(index, `${letter(index)} alone`)));
    const edit = isMerged && this.resultParts && (this.edited === null
      ? !this.openCount && button('Edit the result', () => this.setEdited(this.resultText), { class: 'subtle' })
      : button('Discard my edits', () => this.setEdited(null), { class: 'subtle' }));
    this.result.replaceChildren(element('header', {}, element('h3', {}, 'The result'), choices, edit), isMerged ? this.merged() : this.alone(this.preview));
    this.finish.textContent = isMerged ? 'Resolve' : `Keep ${letter(this.preview)}`;
    this.finish.disabled = isMerged && this.edited === null && questions.some((question) => !question.answer);
  }

  get openCount() { return this.facts.questions.filter((question) => !question.answer).length; }
  get resultText() { return this.edited ?? this.resultParts.map((part) => part.text).join(''); }

  merged() {
    if (this.edited !== null) {
      return element('textarea', {
        class: 'result', 'aria-label': 'The result', rows: '16', spellcheck: 'true',
        oninput: (event) => { this.edited = event.target.value; this.remember(); },
      }, this.edited);
    }
    const parts = this.resultParts;
    if (!parts) return element('p', { class: 'empty' }, this.openCount ? 'It is shown once all questions are answered.' : 'It is no text that can be shown.');
    return element('pre', { class: 'result', tabindex: '0' }, parts.map((part) => (part.kind ? element('mark', { class: part.kind }, part.text) : part.text)));
  }

  // A version by itself, and what it changed.
  alone(index) {
    const { base, versions, texts, baseText } = this.facts;
    const version = versions[index];
    if (version.isDeletion) return element('p', { class: 'empty' }, 'The document is deleted.');
    if (pictures.includes(nameParts(this.path)[1])) return element('div', { class: 'images' }, element('img', { src: imageAddress(this.path, version.id), alt: version.device }));
    if (texts[index] == null) return element('p', { class: 'empty' }, 'It is no text that can be shown.');
    const labels = base && [`Before, ${shortDate(base.date)}`, `${version.device}, ${shortDate(version.date)}`];
    const changes = base && baseText != null && differenceView(baseText, texts[index], labels);
    return changes ?? element('pre', { class: 'result', tabindex: '0' }, texts[index]);
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
    await this.readValues();
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
      text: !alone && (this.reversed.size || this.edited !== null) ? this.resultText : null,
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
