// Two contents compared in the way that suits them: tables by cell, values as trees, notebooks by cell, all else by line.

import { element, button, bytes, fileName, nameParts } from '/elements.js';
import { post } from '/server.js';
import { cells, separators } from '/preview.js';
import { differenceView } from '/lines.js';
import { tableView } from '/tables.js';
import { treeView } from '/values.js';
import { notebookView } from '/notebooks.js';

// Above this, only lines are compared.
const longest = 2e6;
// What people read as lines, though it may have a tree.
const prose = ['', 'md', 'markdown', 'txt', 'html', 'htm', 'xhtml'];

// The values of a text as a tree; null where its format has none, or it isn't valid.
export async function treeOf(name, text) {
  if (!text.trim() || text.length > longest) return null;
  try { return (await post('tree', { name: fileName(name), text })).tree ?? null; } catch { return null; }
}

// The ways to compare two texts with this name, the best first: [word, function that makes the view].
function waysOf(name, old, now, labels) {
  const lines = ['Lines', () => differenceView(old, now, labels)];
  if (old.length + now.length > longest) return [lines];
  const kind = nameParts(name)[1];
  if (separators[kind]) return [['Cells', () => tableView(cells(old, separators[kind]), cells(now, separators[kind]))], lines];
  const values = ['Values', async () => {
    const both = await Promise.all([treeOf(name, old), treeOf(name, now)]);
    return both.includes(null) ? undefined : treeView(...both);
  }];
  if (kind === 'ipynb') return [['Cells', () => notebookView(old, now, labels)], values, lines];
  return prose.includes(kind) && !fileName(name).startsWith('.') ? [lines] : [values, lines];
}

// Shows how two texts differ. A way that does not suit them is left out: undefined from its function, or an error.
export async function comparison(name, old, now, labels) {
  const place = element('div', { class: 'comparison' });
  if (old === now) return element('p', { class: 'empty' }, 'Both are the same.');
  const ways = waysOf(name, old, now, labels);
  const choices = element('div', { class: 'choices', role: 'group', 'aria-label': 'How to compare' });
  const show = async (way) => {
    let made;
    try { made = await ways[way][1](); } catch (error) { if (ways[way][0] === 'Lines') throw error; }
    if (made === undefined) {
      choices.children[way].remove();
      ways.splice(way, 1);
      await show(Math.min(way, ways.length - 1));
      return;
    }
    [...choices.children].forEach((each, i) => each.setAttribute('aria-pressed', String(i === way)));
    choices.hidden = ways.length < 2;
    place.replaceChildren(choices, made ?? element('p', { class: 'empty' }, 'Only the form differs: see the lines.'));
  };
  for (const [word] of ways) {
    choices.append(button(word, async (event) => {
      await show([...choices.children].indexOf(event.currentTarget));
      localStorage.setItem('comparison', word);
    }));
  }
  const last = ways.findIndex(([word]) => word === localStorage.getItem('comparison'));
  await show(Math.max(last, 0));
  return place;
}

// What is no text: its size, date and first bytes.
export const bytesView = (contents, labels) => element('div', {}, contents.map((each, i) => element('div', { class: 'bytes' },
  element('h3', {}, `${labels[i]}: ${bytes(each.size)}`), element('pre', {}, each.head ?? each.text.slice(0, 1000)))));
