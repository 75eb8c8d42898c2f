import {
  type CSSVariablesResolver,
  createTheme,
  DrawerHeader,
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
    NavLink: NavLink.extend({
      styles: { root: { borderRadius: 'var(--mantine-radius-md)' } },
      // The default color under the pointer leaves the text of the chosen item a contrast of 4.06.
      vars: () => ({ root: { '--nl-hover': 'var(--nl-bg)' }, children: {} }),
    }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: true } },
    }),
    // Without this role, screen readers announce the header of a dialog as the banner of the page.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'presentation' } }),
    // When a menu opens, its first item receives the focus, and not an invisible placeholder.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
  },
});

/**
 * Raises the contrast of dimmed texts, errors of fields and badges to 4.5:1, the minimum of WCAG AA. Some default colors of Mantine have
 * only 3:1.
 */
export const accessibleColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-error': 'var(--mantine-color-red-text)',
    '--mantine-color-placeholder': '#6c757d',
    '--mantine-color-green-light-color': '#216e31',
    '--mantine-color-yellow-light-color': '#8a4700',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-orange-light-color': '#a23703',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-error': 'var(--mantine-color-red-text)',
  },
});
