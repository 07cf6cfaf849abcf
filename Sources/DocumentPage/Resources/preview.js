// Markdown and tables, shown. Everything becomes elements with text: markup of a document stays text, and nothing is loaded.

import { element, nameParts } from '/elements.js';

// The kinds of tables, with what stands between their cells.
export const separators = { csv: ',', tsv: '\t' };

export const hasPreview = (path) => ['md', 'markdown', 'csv', 'tsv'].includes(nameParts(path)[1]);

export function preview(place, path, text) {
  const kind = nameParts(path)[1];
  place.replaceChildren(...(separators[kind] ? [table(cells(text, separators[kind]))] : blocks(text.split('\n'))));
}

// MARK: Tables

// The cells of a text with separated values.
export function cells(text, separator) {
  const rows = [[]];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (isQuoted) {
      if (c === '"' && text[i + 1] === '"') { cell += '"'; i += 1; } else if (c === '"') isQuoted = false; else cell += c;
    } else if (c === '"' && cell === '') isQuoted = true;
    else if (c === separator || c === '\n') {
      rows[rows.length - 1].push(cell);
      cell = '';
      if (c === '\n') rows.push([]);
    } else if (c !== '\r') cell += c;
  }
  if (cell || rows[rows.length - 1].length) rows[rows.length - 1].push(cell); else rows.pop();
  return rows;
}

const mostRows = 2000;

function table(rows) {
  const row = (values, tag) => element('tr', {}, values.map((value) => element(tag, {}, value)));
  const rest = rows.length - mostRows;
  return element('div', { class: 'table' },
    element('table', {},
      element('thead', {}, rows.length ? row(rows[0], 'th') : null),
      element('tbody', {}, rows.slice(1, mostRows).map((values) => row(values, 'td')))),
    rest > 0 && element('p', {}, `${rest.toLocaleString()} more rows are in the text.`));
}

// MARK: Markdown

const inlineParts = [
  [/^(`+)(.+?)\1(?!`)/s, (match) => element('code', {}, match[2])],
  [/^\*\*(?=\S)(.+?)\*\*/s, (match) => element('strong', {}, inline(match[1]))],
  [/^__(?=\S)(.+?)__(?!\w)/s, (match) => element('strong', {}, inline(match[1]))],
  [/^\*(?=\S)([^*]+?)\*/s, (match) => element('em', {}, inline(match[1]))],
  [/^_(?=\S)([^_]+?)_(?!\w)/s, (match) => element('em', {}, inline(match[1]))],
  [/^~~(.+?)~~/s, (match) => element('del', {}, inline(match[1]))],
  [/^!\[([^\]]*)\]\(([^)\s]*)[^)]*\)/, (match) => element('span', { class: 'picture', title: match[2] }, match[1] || match[2])],
  [/^\[([^\]]+)\]\((https?:[^)\s]+)[^)]*\)/, (match) => element('a',
    { href: match[2], rel: 'noopener noreferrer', target: '_blank' }, inline(match[1]))],
  [/^\[([^\]]+)\]\(([^)\s]*)[^)]*\)/, (match) => element('span', { class: 'link', title: match[2] }, inline(match[1]))],
];

function inline(text) {
  const made = [];
  let plain = '';
  let rest = text;
  while (rest) {
    let found = null;
    if ('`*_~![\\'.includes(rest[0])) {
      if (rest[0] === '\\' && rest.length > 1) { plain += rest[1]; rest = rest.slice(2); continue; }
      // An underscore within a word is a letter of it.
      const isInWord = rest[0] === '_' && /\w$/.test(plain);
      const part = isInWord ? undefined : inlineParts.find(([pattern]) => pattern.test(rest));
      if (part) found = [part[0].exec(rest), part[1]];
    }
    if (found) {
      if (plain) made.push(plain);
      plain = '';
      made.push(found[1](found[0]));
      rest = rest.slice(found[0][0].length);
    } else {
      const next = rest.slice(1).search(/[`*_~!\[\\]/);
      const end = next < 0 ? rest.length : next + 1;
      plain += rest.slice(0, end);
      rest = rest.slice(end);
    }
  }
  if (plain) made.push(plain);
  return made;
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

function blocks(lines, depth = 0) {
  const made = [];
  let i = 0;
  const isBlock = (line) => /^(#{1,6}\s|>|```|~~~|\s*([-*+]|\d{1,9}[.)])\s|\s*([-*_])\s*(\3\s*){2,}$)/.test(line);
  while (i < lines.length) {
    const line = lines[i];
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const fence = /^(```+|~~~+)\s*(\S*)/.exec(line);
    if (!line.trim()) { i += 1; continue; }
    if (heading) {
      made.push(element(`h${Math.min(6, heading[1].length + 1)}`, { class: `level${heading[1].length}` }, inline(heading[2])));
      i += 1;
    } else if (fence) {
      const from = i + 1;
      i = from;
      while (i < lines.length && !lines[i].startsWith(fence[1])) i += 1;
      made.push(element('pre', {}, element('code', {}, lines.slice(from, i).join('\n'))));
      i += 1;
    } else if (/^\s*([-*_])\s*(\1\s*){2,}$/.test(line)) {
      made.push(element('hr'));
      i += 1;
    } else if (line.startsWith('>') && depth < 8) {
      const from = i;
      while (i < lines.length && lines[i].startsWith('>')) i += 1;
      made.push(element('blockquote', {}, blocks(lines.slice(from, i).map((each) => each.replace(/^>\s?/, '')), depth + 1)));
    } else if (item.test(line) && depth < 8) {
      const [list, next] = listAt(lines, i, depth);
      made.push(list);
      i = next;
    } else if (line.includes('|') && /^\s*\|?[\s:|-]+\|[\s:|-]*$/.test(lines[i + 1] ?? '')) {
      const from = i;
      while (i < lines.length && lines[i].includes('|')) i += 1;
      const rows = lines.slice(from, i).filter((_, index) => index !== 1)
        .map((each) => each.trim().replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim()));
      made.push(table(rows));
    } else {
      const from = i;
      i += 1;
      while (i < lines.length && lines[i].trim() && !isBlock(lines[i])) i += 1;
      made.push(element('p', {}, inline(lines.slice(from, i).join('\n'))));
    }
  }
  return made;
}

// A list with what is indented below its items.
function listAt(lines, start, depth) {
  const [, indent, sign] = item.exec(lines[start]);
  const list = element(/\d/.test(sign) ? 'ol' : 'ul');
  let i = start;
  while (i < lines.length) {
    const match = item.exec(lines[i]);
    if (!match || match[1].length !== indent.length) break;
    i += 1;
    const from = i;
    while (i < lines.length && lines[i].trim() && (/^\s*/.exec(lines[i])[0].length > indent.length)) i += 1;
    const inner = lines.slice(from, i).map((line) => line.slice(Math.min(indent.length + 2, /^\s*/.exec(line)[0].length)));
    const task = /^\[([ xX])\]\s+(.*)$/.exec(match[3]);
    list.append(element('li', { class: task ? 'task' : null },
      task && element('input', { type: 'checkbox', disabled: true, checked: task[1] !== ' ' }),
      inline(task ? task[2] : match[3]), blocks(inner, depth + 1)));
    while (i < lines.length && !lines[i].trim() && item.test(lines[i + 1] ?? '')) i += 1;
  }
  return [list, i];
}
