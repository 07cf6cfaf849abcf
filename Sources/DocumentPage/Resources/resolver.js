// The conflict of a document: questions first, then what was decided without asking, and the result.

import { element, button, iconButton, attempt, toast, shortDate, fullDate, nameParts, counted } from '/elements.js';
import { get, post } from '/server.js';
import { differenceView } from '/history.js';

const choiceWords = { ours: 'A', theirs: 'B', both: 'Both', base: 'As it was', text: 'Mine' };
const choiceKeys = { 1: 'ours', 2: 'theirs', 3: 'both', 4: 'base' };
const kindWords = { ours: 'A alone changed it', theirs: 'B alone changed it', same: 'both made the same change', combined: 'both changes fit together' };

export class Resolver {
  constructor(path) {
    this.path = path;
    // What a person has changed about decisions that needed no answer: the side that is taken, by place.
    this.reversed = new Map();
    this.sides = element('div', { class: 'sides' });
    this.cards = element('div', { class: 'cards' });
    this.decided = element('div', { class: 'decided' });
    this.result = element('pre', { class: 'result', tabindex: '0', 'aria-label': 'The result' });
    this.count = element('p', { role: 'status' });
    this.finish = button('Resolve', () => this.resolve(), { class: 'primary' });
    this.compared = element('div', { class: 'compared' });
    this.view = element('section', { class: 'resolver', 'aria-label': 'Conflict' },
      element('header', { class: 'head' },
        iconButton('back', 'Back to the text', () => this.leave()),
        element('h2', {}, nameParts(path)[0]), this.count, this.finish),
      element('div', { class: 'scroll' }, this.sides, this.cards, this.decided,
        element('details', { class: 'whole', open: true }, element('summary', {}, 'The result'), this.result),
        this.compared));
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
    } else if (facts.revision !== this.revision && this.facts) this.load();
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
    this.render();
    if (isFirst) this.focus();
  }

  name(version, index) {
    return element('span', { class: `side side${index}` }, element('b', {}, 'ABCDEFGH'[index] ?? String(index + 1)),
      ` ${version.device}`);
  }

  // MARK: Showing

  render() {
    const { versions, questions, base } = this.facts;
    const open = questions.filter((question) => !question.answer).length;
    this.count.textContent = open ? counted(open, 'question') + (open === questions.length ? '' : ' left') : 'Nothing left to ask';
    this.finish.disabled = open > 0;
    this.sides.replaceChildren(
      ...versions.map((version, index) => element('article', { class: 'version' }, this.name(version, index),
        element('p', {}, version.isDeletion ? 'Deleted it' : version.note || 'Edited', ' · ', version.author),
        element('time', { title: fullDate(version.date) }, shortDate(version.date)),
        element('div', { class: 'deeds' }, button('Keep this one', () => this.resolve(version.id), { class: 'subtle' }),
        !version.isDeletion && this.facts.texts[index] != null && base && this.facts.baseText != null
          && button('Changes', () => this.compare(index), { class: 'subtle' })))),
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
      class: `card${question.answer ? ' answered' : ''}`, tabindex: '0', 'data-question': question.name,
      'aria-label': `Question ${index + 1}: ${question.place}`,
    },
    element('legend', {}, question.place,
      question.answer && button('Ask again', () => this.answer(question, null), { class: 'subtle' })),
    element('p', { class: 'reason' }, question.reason),
    question.before && element('pre', { class: 'around' }, question.before.trim().split('\n').slice(-2).join('\n')),
    element('div', { class: 'options' }, order.map(option)),
    question.after && element('pre', { class: 'around' }, question.after.trimEnd().split('\n').slice(0, 2).join('\n')), typed);
  }

  devices(indices) { return indices.map((index) => this.facts.versions[index]?.device ?? '').join(', '); }

  // Whether a decision can be made otherwise: its lines are known in both texts and in the result.
  canReverse(decision) {
    return decision.lines && this.facts.texts.length === 2 && this.facts.merged != null
      && this.facts.texts[0] != null && this.facts.texts[1] != null;
  }

  renderDecisions() {
    const decisions = this.facts.decisions.filter((decision) => !decision.isAnswer);
    if (!decisions.length) { this.decided.replaceChildren(); return; }
    this.decided.replaceChildren(
      element('h3', {}, `Decided without asking (${decisions.length})`),
      element('ul', {}, decisions.map((decision) => {
        const key = JSON.stringify([decision.place, decision.lines?.ours, decision.lines?.theirs]);
        const select = this.canReverse(decision) && element('select', {
          'aria-label': `What is taken at ${decision.place}`,
          onchange: (event) => {
            if (event.target.value) this.reversed.set(key, event.target.value); else this.reversed.delete(key);
            this.renderResult();
          },
        },
        element('option', { value: '' }, 'as decided'), element('option', { value: 'ours' }, 'A'),
        element('option', { value: 'theirs' }, 'B'),
        decision.lines?.base && this.facts.baseText != null && element('option', { value: 'base' }, 'as it was'));
        if (select) select.value = this.reversed.get(key) ?? '';
        return element('li', {}, element('span', { class: `kind ${decision.kind}` }, kindWords[decision.kind] ?? decision.kind),
          element('span', { class: 'at' }, decision.place), element('span', { class: 'reason' }, decision.reason),
          element('span', { class: 'values' }, decision.base != null && element('del', {}, decision.base), ' ',
            element('ins', {}, (decision.kind === 'theirs' ? decision.theirs : decision.ours) ?? 'nothing')), select);
      })));
  }

  // The result: lines with the side that each place comes from.
  get resultParts() {
    const { merged, decisions, texts, baseText } = this.facts;
    if (merged == null) return null;
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
      const key = JSON.stringify([decision.place, place.ours, place.theirs]);
      const side = this.canReverse(decision) ? this.reversed.get(key) : undefined;
      const text = side ? sources[side].slice(...(place[side] ?? [0, 0])).join('') : lines.slice(from, to).join('');
      parts.push({ text, kind: side ?? decision.kind });
      position = to;
    }
    parts.push({ text: lines.slice(position).join('') });
    return parts;
  }

  renderResult() {
    const parts = this.resultParts;
    this.result.replaceChildren(...(parts ?? []).map((part) => (part.kind
      ? element('mark', { class: part.kind }, part.text) : part.text)));
    this.result.parentElement.hidden = !parts;
  }

  compare(index) {
    const { base, versions, texts, baseText } = this.facts;
    this.compared.replaceChildren(element('h3', {}, `Changes of ${'AB'[index] ?? index + 1}`),
      differenceView(baseText, texts[index], [`Before, ${shortDate(base.date)}`, `${versions[index].device}, ${shortDate(versions[index].date)}`]));
    this.compared.scrollIntoView({ block: 'nearest' });
  }

  // MARK: Deciding

  key(event) {
    if (event.key === 'Escape') { this.leave(); return; }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { this.resolve(); return; }
    if (event.target.matches('textarea, select')) return;
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
    if (choice && question?.choices.includes(choice)) {
      event.preventDefault();
      this.answer(question, choice, null, true);
    }
  }

  async answer(question, choice, text = null, goesOn = false) {
    const facts = await attempt(() => post('answer', { document: this.path, question: question.name, choice, text }));
    if (!facts) { this.load(); return; }
    this.facts = facts;
    this.render();
    if (goesOn) { this.focus(); if (!this.finish.disabled) this.finish.focus(); } else {
      const card = [...this.cards.children].find((each) => each.dataset.question === question.name);
      (card?.querySelector('input:checked') ?? card)?.focus();
    }
  }

  async resolve(keep = null) {
    if (!this.facts || (!keep && this.finish.disabled)) return;
    this.isResolving = true;
    this.finish.disabled = true;
    const done = await attempt(() => post('resolve', {
      document: this.path, versions: this.facts.versions.map((version) => version.id), keep,
      text: !keep && this.reversed.size ? this.resultParts.map((part) => part.text).join('') : null,
    }));
    this.isResolving = false;
    if (done?.isResolved) {
      toast('Resolved. The versions stay in the history.');
      this.leave();
    } else {
      if (done) toast('The conflict has changed meanwhile: here it is as it is now.');
      this.load();
    }
  }
}
