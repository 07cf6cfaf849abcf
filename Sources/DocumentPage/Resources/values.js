// Two trees of values compared, such as those of JSON, YAML, TOML and property lists: {kind, name, text, members}.

import { element, counted } from '/elements.js';
import { sequenceParts, wordParts } from '/difference.js';

// A tree as people read it. An element of XML is in a tree as its tag, its attributes and its content: here, as one
// value with its attributes and what it contains.
function readable(node) {
  const [tag, attributes, content, ...rest] = node.members;
  const members = node.members.map(readable);
  if (!content || rest.length || node.kind !== 'list' || !isLeaf(tag) || tag.name || attributes.kind !== 'mapping'
    || !attributes.members.every(({ name }) => name?.startsWith('@'))) return { ...node, members };
  const inside = isLeaf(content) ? [{ ...content, text: content.text.replace(/^>([^]*)<\/[^<>]*>$/, '$1').trim() }] : members[2].members;
  const name = node.name && node.name !== tag.text ? `${tag.text} ${node.name}` : tag.text;
  if (!attributes.members.length && isLeaf(content)) return { ...inside[0], name };
  // Their order says nothing.
  const unquoted = attributes.members.map((each) => ({ ...each, kind: 'text', text: each.text.replace(/^(["'])([^]*)\1$/, '$2') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...node, name, members: [...unquoted, ...inside] };
}

const isLeaf = (node) => node.kind === 'text' || node.kind === 'scalar';
// Equal for equal values, whatever they are called; each node is written once.
const written = new WeakMap();
function value(node) {
  if (!written.has(node)) {
    const members = node.members.map((member) => [member.name ?? null, value(member)]);
    // The order of keys says nothing.
    if (node.kind === 'mapping') members.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    written.set(node, isLeaf(node) ? `${node.kind}:${node.text}` : JSON.stringify([node.kind, members]));
  }
  return written.get(node);
}

const identities = ['id', '_id', 'uuid', 'uid', 'key', 'name', 'path', 'title', 'url'];
const field = (node, name) => node.members.find((member) => member.name === name && isLeaf(member))?.text;

// The field that tells the members of two lists apart.
function identity(old, now) {
  return identities.find((name) => [old, now].every((members) => {
    const all = members.map((member) => (member.kind === 'mapping' ? field(member, name) : undefined));
    return !all.includes(undefined) && new Set(all).size === all.length;
  }));
}

const label = (node, place, by) => (by ? `${by} ${field(node, by)}` : node.name ?? `${place + 1}.`);

// Pairs of members, [label, old, new], with undefined for none.
function pairs(old, now) {
  const made = [];
  const byKey = (key, name) => {
    const before = new Map(old.members.map((member) => [key(member), member]));
    for (const member of now.members) {
      made.push([name(member), before.get(key(member)), member]);
      before.delete(key(member));
    }
    for (const member of before.values()) {
      const next = old.members[old.members.indexOf(member) - 1];
      const at = next ? made.findIndex((pair) => pair[1] === next) + 1 : 0;
      made.splice(at, 0, [name(member), member, undefined]);
    }
    return made;
  };
  if (now.kind === 'mapping') return byKey((member) => member.name, (member) => member.name);
  const by = identity(old.members, now.members);
  if (by) return byKey((member) => field(member, by), (member) => label(member, 0, by));
  const full = (member) => JSON.stringify([member.name, value(member)]);
  let [x, y] = [0, 0];
  for (const part of sequenceParts(old.members.map(full), now.members.map(full))) {
    const most = Math.max(part.old.length, part.new.length);
    for (let i = 0; i < most; i += 1) {
      const [a, b] = [i < part.old.length ? old.members[x + i] : undefined, i < part.new.length ? now.members[y + i] : undefined];
      if (a && b && !part.isSame && (a.kind !== b.kind || a.name !== b.name)) {
        made.push([label(a, x + i), a, undefined], [label(b, y + i), undefined, b]);
      } else made.push([label(b ?? a, b ? y + i : x + i), a, b]);
    }
    x += part.old.length;
    y += part.new.length;
  }
  return made;
}

function leaf(node) {
  if (node.text === '') return element('span', { class: 'nothing' }, 'empty');
  // A text that could be taken for another value is in quotes.
  if (node.kind === 'text') return /^(-?[\d.]+([eE][-+]?\d+)?|true|false|null)$/.test(node.text) ? `"${node.text}"` : node.text;
  // A property list has the kind of a value around it.
  const markup = /^<(\w+)>([^<]*)<\/\1>$|^<(\w+)\s*\/>$/.exec(node.text);
  return element('span', { class: 'scalar' }, markup ? markup[2] ?? markup[3] : node.text);
}

const most = 400;

function whole(name, node, tag) {
  if (isLeaf(node)) return element('li', {}, element('span', { class: 'key' }, name), element(tag, {}, leaf(node)));
  const members = node.members.slice(0, most);
  const made = element('li', {}, element('span', { class: 'key' }, element(tag, {}, name)),
    element('ul', {}, members.map((member, i) => whole(label(member, i), member, tag))));
  if (members.length < node.members.length) made.append(element('p', { class: 'rest' }, counted(node.members.length - members.length, 'more value')));
  return made;
}

function words(old, now) {
  const parts = wordParts(old, now);
  if (!parts || old.length + now.length < 24) return [element('del', {}, old), ' ', element('ins', {}, now)];
  return parts.map((part) => (part.isSame ? part.old.join('')
    : [part.old.length > 0 && element('del', {}, part.old.join('')), part.new.length > 0 && element('ins', {}, part.new.join(''))])).flat();
}

// What differs below two values of one kind.
function changes(old, now) {
  const made = [];
  let same = 0;
  const rest = () => {
    if (same) made.push(element('li', { class: 'rest' }, `${counted(same, 'value')} the same`));
    same = 0;
  };
  for (const [name, a, b] of pairs(old, now)) {
    if (a && b && value(a) === value(b)) { same += 1; continue; }
    rest();
    if (!a || !b) made.push(whole(name, a ?? b, a ? 'del' : 'ins'));
    else if (isLeaf(a) || isLeaf(b) || a.kind !== b.kind) made.push(change(name, a, b));
    else made.push(element('li', {}, element('span', { class: 'key' }, name), element('ul', {}, changes(a, b))));
  }
  rest();
  return made;
}

function change(name, a, b) {
  if (a.kind === 'text' && b.kind === 'text' && a.text && b.text) {
    return element('li', {}, element('span', { class: 'key' }, name), element('span', { class: 'value' }, words(a.text, b.text)));
  }
  if (isLeaf(a) && isLeaf(b)) {
    return element('li', {}, element('span', { class: 'key' }, name), element('span', { class: 'value' }, element('del', {}, leaf(a)), ' ', element('ins', {}, leaf(b))));
  }
  return element('li', {}, element('span', { class: 'key' }, name), element('ul', {}, whole('before', a, 'del'), whole('now', b, 'ins')));
}

// What differs between two trees; null where nothing does.
export function treeView(...both) {
  const [old, now] = both.map(readable);
  if (value(old) === value(now)) return null;
  const isOne = isLeaf(old) || isLeaf(now) || old.kind !== now.kind;
  return element('ul', { class: 'tree', 'aria-label': 'Differences by value' }, isOne ? change('', old, now) : changes(old, now));
}
