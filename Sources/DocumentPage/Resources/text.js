// The field in which a text is edited. The browser lays all lines of a field out anew with each key: of a long text, the
// field has the part around the caret alone, and follows it and the scrolling.

import { element } from '/elements.js';

// Units of a text that a field has as a whole, and of the part that it has of a longer one.
const longest = 96000;
const part = 40000;

export class TextField {
  constructor(properties) {
    this.area = element('textarea', { ...properties, onscroll: () => this.slide() });
    // What comes before the part in the field, and after it.
    this.before = '';
    this.after = '';
    this.timer = 0;
    for (const event of ['input', 'keyup', 'pointerup']) this.area.addEventListener(event, () => this.trimSoon());
    this.area.addEventListener('keydown', (event) => this.key(event));
    this.area.addEventListener('compositionstart', () => { this.isComposing = true; });
    this.area.addEventListener('compositionend', () => { this.isComposing = false; });
  }

  get text() { return this.before + this.area.value + this.after; }

  set text(text) { this.show(text, 0, 0); }

  get start() { return this.before.length + this.area.selectionStart; }
  get end() { return this.before.length + this.area.selectionEnd; }
  get isWhole() { return !this.before && !this.after; }

  select(start, end = start) {
    const { length } = this.before;
    if (start < length || end > length + this.area.value.length) this.show(this.text, start, end);
    else this.area.setSelectionRange(start - length, end - length);
  }

  // Scrolls to the caret: a field does that when it gets the focus.
  reveal() {
    this.area.blur();
    this.area.focus();
  }

  // Replaces a part of the text, and keeps the caret where it was.
  replace(start, removed, inserted) {
    const from = start - this.before.length;
    const isInside = from >= 0 && from + removed <= this.area.value.length;
    if (isInside) {
      const top = this.area.scrollTop;
      this.area.setRangeText(inserted, from, from + removed, 'preserve');
      this.area.scrollTop = top;
      return;
    }
    if (start + removed <= this.before.length) {
      this.before = this.before.slice(0, start) + inserted + this.before.slice(start + removed);
      return;
    }
    const behind = from - this.area.value.length;
    if (behind >= 0) {
      this.after = this.after.slice(0, behind) + inserted + this.after.slice(behind + removed);
      return;
    }
    const { text } = this;
    this.show(text.slice(0, start) + inserted + text.slice(start + removed), start, start);
  }

  // MARK: The part in the field

  show(text, start, end) {
    let [from, to] = [0, text.length];
    if (text.length > longest && end - start < longest) {
      from = lineStart(text, start - part / 2);
      to = lineStart(text, Math.max(end, from) + part / 2);
    }
    this.before = text.slice(0, from);
    this.after = text.slice(to);
    this.area.value = text.slice(from, to);
    this.area.setSelectionRange(start - from, end - from);
  }

  // Has all of the text in the field, for what the browser does with all of it.
  expand() {
    if (this.isWhole) return;
    this.grow(this.before.length);
    this.growDown(this.after.length);
    clearTimeout(this.timer);
  }

  key(event) {
    if (this.isWhole || event.isComposing) return;
    const isControlled = event.ctrlKey || event.metaKey;
    const isEdge = isControlled && ['Home', 'End', 'ArrowUp', 'ArrowDown'].includes(event.key);
    if (isControlled && ['a', 'f', 'g'].includes(event.key.toLowerCase()) || event.key === 'F3' || isEdge && event.shiftKey) {
      this.expand();
    } else if (isControlled && event.key === 'Home') this.select(0);
    else if (isControlled && event.key === 'End') this.select(this.text.length);
  }

  // Goes on where the scrolling comes near the end of the part.
  slide() {
    if (this.isWhole || this.isComposing) return;
    const { scrollTop, scrollHeight, clientHeight } = this.area;
    const step = Math.max(part / 2, this.area.value.length / 2);
    if (this.after && scrollHeight - scrollTop - clientHeight < 2 * clientHeight) this.growDown(step);
    else if (this.before && scrollTop < 2 * clientHeight) this.grow(step);
  }

  growDown(count) {
    const to = lineStart(this.after, count);
    this.put(this.area.value + this.after.slice(0, to), 0);
    this.after = this.after.slice(to);
  }

  grow(count) {
    const from = lineStart(this.before, this.before.length - count);
    const piece = this.before.slice(from);
    this.put(piece + this.area.value, piece.length);
    this.before = this.before.slice(0, from);
  }

  // Sets the part, of which the beginning is longer than before; what is seen stays in its place.
  put(value, added) {
    const { area } = this;
    const [start, end, direction, top, height] = [area.selectionStart, area.selectionEnd, area.selectionDirection, area.scrollTop, area.scrollHeight];
    area.value = value;
    area.setSelectionRange(start + added, end + added, direction);
    area.scrollTop = added ? top + area.scrollHeight - height : top;
  }

  trimSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.trim(), 300);
  }

  // Lets go of what has come to be far from the caret.
  trim() {
    const { area } = this;
    const { value, selectionStart: start, selectionEnd: end } = area;
    if (value.length <= longest || end - start > longest || this.isComposing) return;
    const to = lineStart(value, end + part / 2);
    this.after = value.slice(to) + this.after;
    this.put(value.slice(0, to), 0);
    const from = lineStart(value, start - part / 2);
    this.before += value.slice(0, from);
    this.put(value.slice(from, to), -from);
  }
}

// The start of the line at or after a place; the place itself where there is none nearby.
function lineStart(text, place) {
  if (place <= 0) return 0;
  if (place >= text.length) return text.length;
  const at = text.indexOf('\n', Math.floor(place) - 1);
  if (at >= 0 && at < place + part) return at + 1;
  const here = Math.floor(place);
  return (text.charCodeAt(here) & 0xfc00) === 0xdc00 ? here - 1 : here;
}
