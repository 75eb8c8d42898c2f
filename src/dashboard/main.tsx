import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/dropzone/styles.css';
import './shell/dashboard.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { reloadWhenOutdated } from './shell/reload-when-outdated.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element');
const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
// The library that locks scrolling behind dialogs creates a style element and reads its nonce from here.
Object.assign(window, { __webpack_nonce__: styleNonce });
createRoot(root).render(
  <StrictMode>
    <App styleNonce={styleNonce} />
  </StrictMode>,
);
reloadWhenOutdated();
