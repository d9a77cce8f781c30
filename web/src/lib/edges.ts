/** A box that scrolls shows where there is more: its edge is soft there. What a hint advises comes into view in it, and
 * keys reach it also while there is nothing in it that they could reach. */

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const HIDDEN = 3; // pixels that may be out of sight without a word
const REACHED = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex="0"]';
const AIR = 28; // pixels between what is advised and the edge, which may be soft

/** How much lies beyond each side of a box, in pixels. */
export type Beyond = Record<(typeof SIDES)[number], number>;

/** Make the edges soft beyond which something lies. */
export function soften(node: HTMLElement, beyond: Beyond): void {
  for (const side of SIDES) node.style.setProperty(`--more-${side}`, beyond[side] > HIDDEN ? '1' : '0');
  node.toggleAttribute('data-more', SIDES.some((side) => beyond[side] > HIDDEN));
}

/** Scroll as little as possible until what is advised is in view; the first of it, if not all has room. */
function showAdvised(node: HTMLElement): void {
  const advised = [...node.querySelectorAll('[data-advised]')].map((one) => one.getBoundingClientRect());
  if (!advised.length) return;
  const box = node.getBoundingClientRect();
  const by = (start: 'left' | 'top', end: 'right' | 'bottom') => {
    const [low, high] = [box[start], box[end]];
    let [from, to] = [Math.min(...advised.map((one) => one[start])), Math.max(...advised.map((one) => one[end]))];
    if (to - from > high - low) [from, to] = [advised[0][start], advised[0][end]];
    const air = Math.max(0, Math.min(AIR, (high - low - to + from) / 2));
    return from < low + air ? from - low - air : to > high - air ? to - high + air : 0;
  };
  node.scrollBy({ left: by('left', 'right'), top: by('top', 'bottom'), behavior: 'instant' });
}

export function edges(node: HTMLElement): () => void {
  const always = node.hasAttribute('tabindex');
  const mark = () => {
    const { scrollLeft: left, scrollTop: top, scrollWidth, scrollHeight, clientWidth, clientHeight } = node;
    soften(node, { left, top, right: scrollWidth - clientWidth - left, bottom: scrollHeight - clientHeight - top });
    if (always) return;
    const alone = (scrollWidth > clientWidth || scrollHeight > clientHeight) && !node.querySelector(REACHED);
    if (alone) node.tabIndex = 0;
    else if (document.activeElement !== node) node.removeAttribute('tabindex'); // else the focus would be lost
  };
  const show = () => {
    showAdvised(node);
    mark();
  };
  const sizes = new ResizeObserver(show);
  sizes.observe(node);
  for (const child of node.children) sizes.observe(child);
  const advice = new MutationObserver(show);
  advice.observe(node, { subtree: true, childList: true, attributeFilter: ['data-advised', 'disabled'] });
  node.addEventListener('scroll', mark, { passive: true });
  return () => {
    sizes.disconnect();
    advice.disconnect();
    node.removeEventListener('scroll', mark);
  };
}
