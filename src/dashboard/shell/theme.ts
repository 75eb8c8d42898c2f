import {
  type CSSVariablesResolver,
  createTheme,
  Menu,
  Modal,
  ModalHeader,
  NavLink,
  Notification,
  Tooltip,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { md: '0.9375rem' },
  components: {
    NavLink: NavLink.extend({ styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: true } },
    }),
    // It is no banner of the page, which HTML takes it for.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    // The focus goes to the first item at once.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
  },
});

/** Texts of less weight or on a tint keep the contrast of 4.5 to 1 that WCAG asks for; some of Mantine's own have 3. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6c757d',
    '--mantine-color-green-light-color': '#216e31',
    '--mantine-color-yellow-light-color': '#8a4700',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-orange-light-color': '#a23703',
  },
  dark: { '--mantine-color-dimmed': '#a6a7ab' },
});
