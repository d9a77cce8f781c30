// What is wrong with the screen as it stands, by the rules in `screens.py`.
async ([touch, large]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
  await frame(); await frame();
  const found = [];
  const W = innerWidth, H = innerHeight;
  const CONTROLS = 'button, a[href], input, select, textarea, summary, [role=button], [role=radio]';
  const OVER = 'aside, dialog, [role=dialog]';
  const CLOTH = '.cloth', HAND = '.hand, .rack';
  const modal = [...document.querySelectorAll('dialog[open], [role=dialog][aria-modal=true]')].at(-1);
  const root = modal ?? document.body; // what lies under a dialog cannot be used
  const board = root.querySelector('[data-board]');
  const styles = new Map();
  const style = (e) => styles.get(e) ?? (styles.set(e, getComputedStyle(e)), styles.get(e));
  const name = (e) => {
    const classes = typeof e.className === 'string' ? e.className : (e.className?.baseVal ?? '');
    const tail = classes.split(/\s+/).filter((c) => c && !c.startsWith('svelte-')).map((c) => '.' + c).join('');
    const text = (e.getAttribute('aria-label') || e.textContent || '').replace(/\s+/g, ' ').trim().slice(0, 24);
    return e.tagName.toLowerCase() + tail + (text ? ` "${text}"` : '');
  };
  const parent = (e) => (style(e).position === 'fixed' ? null : e.parentElement);
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest('.unseen') && style(e).clipPath !== 'inset(50%)';
  const box = (r) => ({ left: r.left, top: r.top, right: r.right, bottom: r.bottom });
  const cut = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const wide = (r) => Math.max(0, r.right - r.left), high = (r) => Math.max(0, r.bottom - r.top);
  const inside = (a, b, by) => a.left >= b.left - by && a.top >= b.top - by && a.right <= b.right + by && a.bottom <= b.bottom + by;
  const inners = new Map();
  const inner = (e) => {
    if (!inners.has(e)) inners.set(e, innerBox(e));
    return inners.get(e);
  };
  const innerBox = (e) => {
    const r = e.getBoundingClientRect();
    const zoom = e.currentCSSZoom ?? 1; // rectangles are in pixels of the window, these lengths in those of the element
    const [left, top] = [r.left + e.clientLeft * zoom, r.top + e.clientTop * zoom];
    return { left, top, right: left + e.clientWidth * zoom, bottom: top + e.clientHeight * zoom };
  };
  const scrolls = (e, axis) => ['auto', 'scroll'].includes(style(e)['overflow' + axis]);
  const moved = (e) => e.matches(CLOTH) || scrolls(e, 'X') || scrolls(e, 'Y') || e === document.documentElement;
  // Where something shows, from its rectangle through all boxes around it; and the box that hides a part for good.
  const shows = (e, rect) => {
    let r = rect, hidden = null, scroller = null;
    for (let up = e; up && up !== document.body && up !== document.documentElement; up = up === e && e instanceof SVGElement && e.ownerSVGElement ? e.ownerSVGElement : parent(up)) {
      if (up === e && rect !== null && !(up instanceof HTMLElement)) continue;
      const s = style(up);
      if (s.overflowX === 'visible' && s.overflowY === 'visible') continue;
      if (up instanceof SVGElement) continue;
      const area = up === e ? box(up.getBoundingClientRect()) : inner(up);
      const before = r;
      if (moved(up)) {
        // One direction may scroll while the other hides.
        if (!up.matches(CLOTH)) {
          if (!scrolls(up, 'X') && (r.left < area.left - 2 || r.right > area.right + 2)) hidden ??= up;
          if (!scrolls(up, 'Y') && (r.top < area.top - 2 || r.bottom > area.bottom + 2)) hidden ??= up;
        }
        scroller ??= up;
      } else if (!scroller && !inside(r, area, 2)) hidden ??= up;
      r = cut(before, area);
      if (!wide(r) || !high(r)) { if (scroller) return { r, hidden, scroller }; }
    }
    return { r, hidden, scroller };
  };
  const soft = (e) => /gradient/.test(style(e).maskImage);
  const covering = (e) => e.closest(OVER);

  const bare = (e) => /^(transparent|rgba\(.*, 0\))$/.test(style(e).backgroundColor);
  const painted = (e) => e instanceof SVGElement || !bare(e) || [...e.childNodes].some((one) => one.nodeType === 3 && one.data.trim());

  // Controls
  const controls = [];
  for (let e of root.querySelectorAll(CONTROLS)) {
    if (e.matches('input') && e.closest('label')) e = e.closest('label').querySelector('input[type=checkbox], input[type=radio], input[type=file]') ? e.closest('label') : e;
    if (controls.some((c) => c.e === e) || !seen(e) || style(e).pointerEvents === 'none') continue;
    const rect = box(e.getBoundingClientRect());
    if (!wide(rect) || !high(rect)) continue;
    controls.push({ e, rect, ...shows(e, rect) });
  }
  const at = new Map(controls.map((c) => [c.e, c]));
  const fan = (c) => {
    const list = c.e.closest(HAND);
    return list && (c.e.parentElement === list || c.e.parentElement.parentElement === list) ? list : null;
  };
  for (const c of controls) {
    const { e, rect, r } = c;
    const w = wide(rect), h = high(rect);
    const inSentence = e.tagName === 'A' && style(e).display === 'inline' && (e.parentElement.textContent.trim().length > e.textContent.trim().length);
    const whole = cut(r, { left: 0, top: 0, right: W, bottom: H });
    if (wide(whole) < 0.95 * w || high(whole) < 0.95 * h) {
      if (touch && !inSentence && !fan(c) && !e.closest(CLOTH) && (w < 43.5 || h < 43.5)) found.push(`target: ${name(e)} is ${w.toFixed(0)} by ${h.toFixed(0)}`);
      continue; // it scrolls into view, or it is outside: that is found below
    }
    const N = 9, hit = [];
    let other = null, veiled = false;
    const round = parseFloat(style(e).borderTopLeftRadius) >= 12 || style(e).borderTopLeftRadius.endsWith('%');
    const probe = (x, y) => {
      if (round && Math.hypot(x - 0.5, y - 0.5) > 0.48) return true; // a corner that is none
      const top = document.elementFromPoint(rect.left + w * x, rect.top + h * y);
      const ok = top && (e.contains(top) || (top.contains(e) && !top.matches(CONTROLS)) || (top.tagName === 'LABEL' && top.control === e));
      if (!ok && top) {
        if (covering(top) && covering(top) !== covering(e)) veiled = true;
        const bar = top.closest('[data-always]'); // a bar that sticks: what is under it scrolls
        if (bar && !bar.contains(e) && style(bar).position === 'sticky') veiled = true;
        other ??= top.closest(CONTROLS) ?? top;
      }
      return ok;
    };
    let free = true;
    for (const x of [0.06, 0.28, 0.5, 0.72, 0.94]) for (const y of [0.06, 0.28, 0.5, 0.72, 0.94]) free = free && probe(x, y);
    for (let i = 0; i < N; i++) {
      hit.push([]);
      for (let j = 0; j < N; j++) hit[i].push(free || probe((j + 0.5) / N, (i + 0.5) / N));
    }
    if (veiled) continue;
    let [bw, bh, best] = [0, 0, -1];
    const on = e.closest(CLOTH);
    const need = fan(c) ? [22, 40] : on ? [Math.min(w, 20), Math.min(h, 20)] : touch ? [43.5, 43.5] : [Math.min(w, 20), Math.min(h, 20)];
    for (let i = 0; i < N; i++) for (let k = i; k < N; k++) {
      let run = 0;
      for (let j = 0; j < N; j++) {
        let all = true;
        for (let m = i; m <= k; m++) all &&= hit[m][j];
        run = all ? run + 1 : 0;
        const [x, y] = [(run * w) / N, ((k - i + 1) * h) / N];
        const fit = Math.min(x / need[0], y / need[1]);
        if (fit > best) [bw, bh, best] = [x, y, fit];
      }
    }
    if (other) {
      const list = fan(c), meets = at.get(other);
      if (best < 1 && (w >= need[0] && h >= need[1] || best < 0.3)) found.push(`overlap: ${name(e)} has ${bw.toFixed(0)} by ${bh.toFixed(0)} free under ${name(other)}`);
      else if (meets && !other.contains(e) && !e.contains(other) && !(list && fan(meets) === list)) {
        const both = cut(rect, meets.rect);
        if (wide(both) > 3 && high(both) > 3) found.push(`overlap: ${name(e)} meets ${name(other)}`);
      }
    }
    if (touch && !inSentence && (fan(c) ? h < 40 || w < 22 : on ? w < 24 || h < 24 : w < 43.5 || h < 43.5)) found.push(`target: ${name(e)} is ${w.toFixed(0)} by ${h.toFixed(0)}`);
  }

  // Text: cut, small
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = new Set();
  const lines = []; // of the board's text
  const scaled = new Map();
  for (let node; (node = walker.nextNode()); ) {
    if (!node.data.trim()) continue;
    const e = node.parentElement;
    if (!e || e.matches('script, style, option, noscript, title') || !seen(e)) continue;
    if (e.closest('.unseen')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const all = range.getBoundingClientRect();
    if (!all.width || !all.height || !e.getBoundingClientRect().width) continue;
    let px = parseFloat(style(e).fontSize);
    const svg = e.closest('svg');
    if (svg && e instanceof SVGElement) {
      const m = e.getScreenCTM();
      px *= Math.hypot(m.a, m.b);
    } else {
      const key = e.offsetParent ?? e;
      if (!scaled.has(key)) {
        let factor = 1;
        for (let up = e; up; up = up.parentElement) {
          const t = style(up).transform, z = style(up).scale;
          if (t && t !== 'none') { const m = new DOMMatrix(t); factor *= Math.hypot(m.a, m.b); }
          if (z && z !== 'none') factor *= parseFloat(z);
        }
        scaled.set(key, factor);
      }
      px *= scaled.get(key);
    }
    if (px < 11.9 && !e.closest(CLOTH)) found.push(`small: ${name(e)} is ${px.toFixed(1)} px`);
    const rect = box(all);
    texts.add(e);
    if (board?.contains(e) && e instanceof HTMLElement && inside(rect, { left: 0, top: 0, right: W, bottom: H }, 0)) {
      const show = shows(e, cut(rect, box(e.getBoundingClientRect()))).r;
      if (bare(e) && !e.closest('[role=status], [role=alert], [data-said]')) for (const line of range.getClientRects()) lines.push({ e, r: shows(e, box(line)).r });
      const top = document.elementFromPoint((show.left + show.right) / 2, (show.top + show.bottom) / 2);
      // A piece on its own place may hide what is written there, and so may a note that can be closed.
      if (top && wide(show) > 3 && high(show) > 3 && !top.closest('[role=status], [role=alert]') && !top.contains(e) && !e.parentElement.contains(top) && !covering(top) && painted(top)) found.push(`overlap: the text ${name(e)} is under ${name(top)}`);
    }
    // cut: a control that its own text runs out of
    const around = e.closest('button, .button, summary, label');
    if (around && e instanceof HTMLElement && ['SPAN', 'SMALL', 'B', 'STRONG', around.tagName].includes(e.tagName) && style(e).position === 'static') {
      const c = box(around.getBoundingClientRect());
      const shown = shows(e, rect).r; // with an ellipsis, what is left of it
      const over = Math.max(c.left - shown.left, shown.right - c.right);
      if (over > 0.5) found.push(`cut: ${name(e)} runs ${over.toFixed(0)} px out of ${name(around)}`);
      else if (parseFloat(style(around).borderLeftWidth) && over > -2.5) found.push(`cut: ${name(e)} touches the border of ${name(around)}`);
    }
    const dialog = modal && [modal, ...modal.children].find((one) => parseFloat(style(one).borderTopWidth));
    if (dialog && e instanceof HTMLElement && !dialog.scrollTop && !dialog.scrollLeft && rect.top - dialog.getBoundingClientRect().top < 6) found.push(`cut: ${name(e)} touches the edge of its dialog`);
    // cut: any box that hides what overflows
    let r = rect;
    for (let up = e; up && up !== document.documentElement; up = parent(up)) {
      if (!(up instanceof HTMLElement)) continue;
      const s = style(up);
      if (s.overflowX === 'visible' && s.overflowY === 'visible') continue;
      if (moved(up)) break;
      const area = inner(up);
      const over = Math.max(area.left - r.left, r.right - area.right, area.top - r.top - 2, r.bottom - area.bottom - 2);
      if (over > 1.5) {
        if ((s.textOverflow === 'ellipsis' || s.webkitLineClamp !== 'none') && (up.closest('[title], button, summary, a') || e.closest('[title]'))) break;
        found.push(`cut: ${name(e)} by ${over.toFixed(0)} px in ${name(up)}`);
        break;
      }
    }
  }
  for (const e of root.querySelectorAll('select, input:not([type=range], [type=checkbox], [type=radio], [type=file])')) {
    if (seen(e) && !e.readOnly && parseFloat(style(e).fontSize) < 11.9) found.push(`small: ${name(e)} is ${style(e).fontSize}`);
  }

  // Text on text, where neither stands on a ground of its own
  for (const [i, one] of lines.entries()) for (const two of lines.slice(i + 1)) {
    const both = cut(one.r, two.r);
    if (one.e !== two.e && wide(both) > 2 && high(both) > 4) found.push(`overlap: the text ${name(one.e)} meets ${name(two.e)}`);
  }

  // Pieces of the board and the hand
  if (board) {
    const area = box(board.getBoundingClientRect());
    const pieces = [];
    for (const e of board.querySelectorAll('*')) {
      if (e instanceof SVGElement && e.ownerSVGElement) continue;
      const text = texts.has(e);
      const place = style(e).borderTopStyle === 'dashed' && ![...e.children].some((one) => !one.matches('.unseen')); // where a piece will lie
      if (!(e instanceof SVGElement || e.matches(CONTROLS) || text || place) || !seen(e)) continue;
      const rect = box(e.getBoundingClientRect());
      if (!wide(rect) || !high(rect)) continue;
      pieces.push({ e, rect, ...shows(e, rect) });
    }
    const told = new Set();
    // In view without scrolling: the hand, what a hint advises, and what is said on the board.
    for (const e of board.querySelectorAll('.hand, .rack, [data-advised], [data-said]')) {
      const rect = box(e.getBoundingClientRect());
      if (!seen(e) || !wide(rect) || !high(rect)) continue;
      const r = cut(shows(e.parentElement, rect).r, { left: 0, top: 0, right: W, bottom: H });
      const missing = Math.max(wide(rect) - wide(r), high(rect) - high(r));
      if (missing > 3) found.push(`outside: ${missing.toFixed(0)} px of ${name(e)} are out of view`);
    }
    for (const { e, rect, scroller } of pieces) {
      // A cloth that a finger moves
      if (!scroller?.matches(CLOTH) || scrolls(scroller, 'X') || soft(scroller) || !e.matches(CONTROLS) || !wide(rect)) continue;
      if (style(e).pointerEvents !== 'none' && !inside(rect, inner(scroller), 4)) found.push(`edge: ${name(scroller).slice(0, 40)} does not show that there is more`);
    }
    for (const { e, rect, r, hidden, scroller } of pieces) {
      const button = e.closest(CONTROLS) ?? e.parentElement?.closest('svg') ?? e;
      if (told.has(button)) continue;
      if (hidden && (!hidden.matches(CONTROLS) || e === button)) {
        if (texts.has(e) && style(hidden).textOverflow === 'ellipsis') continue;
        told.add(button);
        found.push(`outside: ${name(e)} of ${name(hidden).slice(0, 40)}`);
      } else if (!scroller && !inside(rect, { left: 0, top: 0, right: W, bottom: H }, 2)) {
        told.add(button);
        found.push(`outside: ${name(e)} of the window, ${[rect.left, rect.top, rect.right, rect.bottom].map((x) => x.toFixed(0))}`);
      } else if (scroller && scroller !== document.documentElement) {
        const where = box(scroller.getBoundingClientRect());
        if (!told.has(scroller) && (!inside(where, { left: 0, top: 0, right: W, bottom: H }, 2))) {
          told.add(scroller);
          found.push(`outside: the scroller ${name(scroller).slice(0, 40)} of the window`);
        }
        const strip = scroller.matches(CLOTH) || scroller.scrollHeight > scroller.clientHeight + 1;
        if (strip && !told.has(scroller) && board.contains(scroller) && scroller !== board && !scroller.matches(HAND) && (wide(where) < 120 || high(where) < 120)) {
          told.add(scroller);
          found.push(`outside: the scroller ${name(scroller).slice(0, 40)} is a strip, ${wide(where).toFixed(0)} by ${high(where).toFixed(0)}`);
        }
        // What lies before the start of a scroller is out of reach.
        if (!scroller.matches(CLOTH)) {
          const start = inner(scroller);
          if (rect.left + scroller.scrollLeft < start.left - 2 || rect.top + scroller.scrollTop < start.top - 2) {
            told.add(button);
            found.push(`outside: ${name(e)} before the start of ${name(scroller).slice(0, 40)}`);
          }
        }
      }
    }
    if (large && !board.querySelector('.moves')) {
      const cloth = board.querySelector(CLOTH);
      const bounds = (some) => some.reduce((a, { r }) => ({ left: Math.min(a.left, r.left), top: Math.min(a.top, r.top), right: Math.max(a.right, r.right), bottom: Math.max(a.bottom, r.bottom) }), { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });
      const on = cloth ? pieces.filter(({ e }) => cloth.contains(e) && e !== cloth && !e.closest('.tools, .zoom')) : [];
      if (cloth && on.length > 5) {
        const b = bounds(on), c = cloth.getBoundingClientRect();
        const share = Math.max(wide(b) / c.width, high(b) / c.height);
        if (share < 0.66) found.push(`unused: the pieces take ${(100 * share).toFixed(0)} % of the cloth's width and height`);
      } else if (!cloth) {
        const N = 60, grid = new Uint8Array(N * N);
        const cell = (x, from, to) => Math.max(0, Math.min(N, Math.round((N * (x - from)) / (to - from))));
        for (const { r } of pieces) {
          const [left, right] = [r.left, r.right].map((x) => cell(x, area.left, area.right));
          for (let i = cell(r.top, area.top, area.bottom); i < cell(r.bottom, area.top, area.bottom); i++) grid.fill(1, i * N + left, i * N + Math.max(left, right));
        }
        const used = grid.reduce((sum, one) => sum + one, 0);
        if (used / N / N < 1 / 3) found.push(`unused: the pieces cover ${((100 * used) / N / N).toFixed(0)} % of the board`);
      }
    }
  }

  // Edges, of boards and dialogs
  for (const e of modal ? modal.querySelectorAll('*') : board ? [board, ...board.querySelectorAll('*')] : []) {
    if (!(e instanceof HTMLElement) || !seen(e) || e.matches('select, option, textarea')) continue;
    const more = (axis, full, room) => scrolls(e, axis) && full > room + 4;
    if ((more('X', e.scrollWidth, e.clientWidth) || more('Y', e.scrollHeight, e.clientHeight)) && !soft(e)) found.push(`edge: ${name(e).slice(0, 40)} does not show that it scrolls`);
  }

  // Wanted at once
  for (const e of root.querySelectorAll('[data-always]')) {
    const rect = box(e.getBoundingClientRect());
    if (!wide(rect) || !high(rect)) continue;
    const whole = cut(shows(e, rect).r, { left: 0, top: 0, right: W, bottom: H });
    if (wide(whole) < wide(rect) - 1 || high(whole) < high(rect) - 1) found.push(`away: of ${name(e)} only ${high(whole).toFixed(0)} of ${high(rect).toFixed(0)} px are in view`);
  }

  // Sideways
  if (document.documentElement.scrollWidth > W + 1) found.push(`scroll: the page is ${document.documentElement.scrollWidth} wide`);
  for (const e of root.querySelectorAll('*')) {
    if (e instanceof HTMLElement && e.scrollWidth > e.clientWidth + 1 && scrolls(e, 'X') && seen(e) && !e.matches(CLOTH) && !e.matches('input, textarea')) found.push(`scroll: ${name(e).slice(0, 50)} scrolls sideways, ${e.scrollWidth} in ${e.clientWidth}`);
  }
  return [...new Set(found)];
}
