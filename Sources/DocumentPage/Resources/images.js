// Two pictures compared: beside each other, one uncovered over the other, one through the other, or where they differ.

import { element, nameParts } from '/elements.js';

// Whether a document or a member is a picture that the page shows.
export const isPicture = (path) => ['png', 'jpg', 'jpeg', 'gif', 'webp'].includes(nameParts(path)[1]);

const ways = { beside: 'Side by side', swipe: 'Swipe', onion: 'Onion skin', difference: 'Difference' };

// Two pictures, each with the address that it has and a label; one of them may be missing.
export function imagesView(old, now) {
  const picture = ({ label, source }) => element('figure', {},
    element('img', { src: source, alt: label }), element('figcaption', {}, label));
  if (!old || !now) return old || now ? element('div', { class: 'images' }, picture(old || now)) : element('p', { class: 'empty' }, 'There is no picture.');
  const both = [old, now].map(({ label, source }) => element('img', { src: source, alt: label }));
  const slider = element('input', { type: 'range', min: '0', max: '100', value: '50', 'aria-label': 'How much of the newer picture is seen' });
  const stage = element('div', { class: 'stage' }, both);
  const said = element('p', { role: 'status' });
  const beside = element('div', { class: 'images' }, picture(old), picture(now));
  const over = element('div', { class: 'over', hidden: true }, stage, slider,
    element('p', { class: 'labels' }, element('span', {}, old.label), element('span', {}, now.label)), said);
  const set = () => over.style.setProperty('--seen', slider.value / 100);
  slider.addEventListener('input', set);
  set();
  const show = async (way) => {
    // At once: what is shown anew meanwhile goes on in this way.
    localStorage.setItem('pictures', way);
    for (const each of choices.children) each.setAttribute('aria-pressed', String(each.dataset.way === way));
    beside.hidden = way !== 'beside';
    over.hidden = way === 'beside';
    over.dataset.way = way;
    slider.hidden = way === 'difference';
    said.textContent = way === 'difference' ? await differenceWords(both) : '';
  };
  const choices = element('div', { class: 'choices', role: 'group', 'aria-label': 'How to compare' },
    Object.entries(ways).map(([way, word]) => element('button', { type: 'button', 'data-way': way, onclick: () => show(way) }, word)));
  const last = localStorage.getItem('pictures');
  show(ways[last] ? last : 'beside');
  return element('div', { class: 'compared-images' }, choices, beside, over);
}

// How much of two pictures differs, in words.
async function differenceWords(images) {
  try { await Promise.all(images.map((image) => image.decode())); } catch { return 'One of them can’t be shown.'; }
  const [a, b] = images;
  const sizes = images.map((image) => `${image.naturalWidth} × ${image.naturalHeight}`);
  if (sizes[0] !== sizes[1]) return `The sizes differ: ${sizes[0]} and ${sizes[1]}.`;
  const most = 4e6;
  const scale = Math.min(1, Math.sqrt(most / (a.naturalWidth * a.naturalHeight)));
  const [width, height] = [Math.ceil(a.naturalWidth * scale), Math.ceil(a.naturalHeight * scale)];
  const [one, two] = [a, b].map((image) => {
    const canvas = element('canvas', { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0, width, height);
    return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  });
  let differing = 0;
  for (let i = 0; i < one.length; i += 1) if (one[i] !== two[i]) differing += 1;
  if (!differing) return 'Every pixel is the same.';
  const share = 100 * differing / one.length;
  return `${share < 0.1 ? 'Less than 0.1' : share.toFixed(1)} % of the pixels differ.`;
}
