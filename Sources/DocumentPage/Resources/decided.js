// What was decided about a conflict without asking: each place where versions differ, which can be decided otherwise.

import { element, letter } from '/elements.js';
import { chosen, origin } from '/places.js';

const most = 300;

// What can be taken at a place instead of what is there: [side, words], once for equal texts.
function alternatives(part) {
  const sides = [...(part.base === undefined ? [] : [['base', 'as it was']]), ...part.versions.map((_, index) => [String(index), letter(index)])];
  const made = new Map();
  for (const [side, words] of sides) {
    const text = chosen(part, side);
    if (text === part.text) continue;
    if (made.has(text)) made.get(text)[1] += `, ${words}`;
    else made.set(text, [side, words]);
  }
  return [...made.values()];
}

// Whether a place may still be a question: the result has markers there, or one of several versions that differ.
export function isOpen(part) {
  const changed = new Set(part.versions.filter((text) => text !== part.base));
  return changed.size > 1 && (part.text.includes('<<<<<<< ') || changed.has(part.text) || part.text === part.base);
}

const shortened = (text) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);

function row(part, reason, { reversed, isFixed, change }) {
  const [kind, words] = origin(part);
  const select = element('select', {
    disabled: isFixed, 'aria-label': `What is taken at ${part.place}`,
    onchange: (event) => change(part, event.target.value || undefined),
  },
  element('option', { value: '' }, 'as decided'),
  alternatives(part).map(([side, label]) => element('option', { value: side }, label)));
  select.value = reversed.get(part.key) ?? '';
  const before = part.base?.trim();
  const now = part.text.trim();
  return element('li', {}, element('span', { class: `kind ${kind}` }, words),
    element('span', { class: 'at' }, part.place), element('span', { class: 'reason' }, reason ?? ''),
    element('span', { class: 'values' }, before && before !== now && element('del', {}, shortened(before)), ' ',
      now || before ? element('ins', {}, now ? shortened(now) : 'nothing') : 'white space'), select);
}

// The list of what was decided; null for nothing. parts is null where the result is no text: then what was decided is
// only listed. asked is how many questions are open; change(part, side) takes a part from another side.
export function decidedView({ parts, decisions, asked, ...how }) {
  const made = decisions.filter((decision) => !decision.isAnswer);
  const reasons = new Map(made.map((decision) => [decision.place, decision.reason]));
  const places = parts?.filter((part) => part.sides && !(asked && isOpen(part))) ?? [];
  const others = parts ? made.filter((decision) => !decision.lines && !decision.path) : made;
  if (!places.length && !others.length) return null;
  return [
    element('h3', {}, `Where they differ (${places.length + others.length})`),
    element('ul', {}, places.slice(0, most).map((part) => row(part, reasons.get(part.place), how)),
      others.map((decision) => element('li', {}, element('span', { class: `kind ${decision.kind}` }, decision.place),
        element('span', { class: 'reason' }, decision.reason)))),
    places.length > most && element('p', { class: 'rest' }, `And ${places.length - most} more places: edit the result to change them.`),
  ];
}
