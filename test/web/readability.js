/** Runs in the page, and checks its texts' contrast. WCAG 2.1 requires 4.5 for text and 3 for large text. */
function readability() {
  const faults = [];
  const channel = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const rgb = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent?.trim() || element.closest('svg, script, noscript, .hidden, .skip, [hidden]')) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(rgb(style.color)), luminance(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = Number.parseFloat(style.fontSize) >= 24;
    if (contrast < (large ? 3 : 4.5)) faults.push(`contrast ${contrast.toFixed(2)}: ${node.textContent.trim()}`);
  }
  for (const image of document.images) if (!image.hasAttribute('alt')) faults.push(`no alt: ${image.src}`);
  for (const link of document.links) if (!link.textContent?.trim()) faults.push(`empty link: ${link.href}`);
  const levels = [...document.querySelectorAll('main h1, main h2, main h3, main h4')].map((heading) =>
    Number(heading.tagName[1]),
  );
  if (levels.filter((level) => level === 1).length !== 1) faults.push('not one h1');
  levels.forEach((level, index) => {
    if (index > 0 && level > levels[index - 1] + 1) faults.push(`h${level} after h${levels[index - 1]}`);
  });
  if (!document.documentElement.lang) faults.push('no language');
  return faults;
}
readability();
