// Decisions about values, made otherwise: the value that a version has is put where the result has another one.

// The bytes of a text, and back: trees count in them.
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const field = (node, name) => node.members.find((member) => member.name === name)?.text;

// The value at a JSON pointer; a step such as id=2 is the member of a list with that field.
function at(tree, path) {
  let node = tree;
  for (const step of path.split('/').slice(1).map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    const [name, ...rest] = step.split('=');
    const found = node.members.filter((member) => member.name === step || rest.length > 0 && field(member, name) === rest.join('='));
    // A position says where a member was in one of the versions, not where it is now.
    if (found.length !== 1) return null;
    [node] = found;
  }
  return node;
}

// The values that can be taken at a place instead: {ours: bytes, …}; null where the result or a version has none there.
export function alternatives(path, result, sides) {
  if (!path || !result.tree || !at(result.tree, path)) return null;
  const found = Object.entries(sides).map(([side, { tree }]) => [side, tree && at(tree, path)]);
  return found.every(([, node]) => node) ? found.map(([side]) => side) : null;
}

// The result with the values of other sides at some places: [[path, side], …].
export function reversedText(result, sides, places) {
  const bytes = encoder.encode(result.text);
  const changes = places.map(([path, side]) => {
    const [to, from] = [at(result.tree, path), at(sides[side].tree, path)];
    return { range: to.range, bytes: encoder.encode(sides[side].text).slice(...from.range) };
  }).sort((a, b) => a.range[0] - b.range[0]);
  const made = [];
  let position = 0;
  for (const change of changes) {
    // A value within another one that is replaced as a whole.
    if (change.range[0] < position) continue;
    made.push(bytes.slice(position, change.range[0]), change.bytes);
    [, position] = change.range;
  }
  made.push(bytes.slice(position));
  return made.map((part) => decoder.decode(part)).join('');
}
