import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/dropzone/styles.css';
import './shell/dashboard.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the dashboard');
const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
// What locks the page behind a dialog makes its style by itself.
Object.assign(window, { __webpack_nonce__: styleNonce });
createRoot(root).render(
  <StrictMode>
    <App styleNonce={styleNonce} />
  </StrictMode>,
);
