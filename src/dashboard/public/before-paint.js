// Sets the color scheme before the first paint, so that a dark page does not flash white. Mantine owns the storage key.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // The browser may block storage.
  }
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = stored === 'light' || stored === 'dark' ? stored : isDark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();

// Trusted Types policy: allows only strings without `<` as HTML. Mantine assigns its style texts as HTML.
window.trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
});
