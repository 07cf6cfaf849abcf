// What the browser keeps of a document until the program has it: drafts, and answers to a conflict's questions.

const key = (kind, path) => `${kind}:${document.getElementById('folder').textContent}/${path}`;

export function kept(kind, path) {
  try { return JSON.parse(localStorage.getItem(key(kind, path))); } catch { return null; }
}

// There may be no room for it; it is in the page all the same.
export function keep(kind, path, value) {
  try { localStorage.setItem(key(kind, path), JSON.stringify(value)); } catch {}
}

export const forget = (kind, path) => localStorage.removeItem(key(kind, path));
