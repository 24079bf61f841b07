import type { MantineThemeComponents } from '@mantine/core'
import classes from './theme.module.css'

// Phone first: whatever can be touched is 44 px high unless a screen asks for less on purpose.
const field = { defaultProps: { size: 'md' }, classNames: { label: classes.label, wrapper: classes.field } }

/** How Mantine's parts look here when a screen says nothing. By name, so that no part is loaded for being named. */
export const components: MantineThemeComponents = {
  Button: { defaultProps: { size: 'md' }, classNames: { root: classes.button } },
  ActionIcon: { defaultProps: { size: 44, variant: 'subtle', color: 'gray' } },
  Anchor: { defaultProps: { underline: 'hover', fw: 550 } },
  Paper: { defaultProps: { radius: 'lg' }, classNames: { root: classes.paper } },
  Container: { defaultProps: { size: 1120 } },
  Card: {
    defaultProps: { radius: 'lg', padding: 'lg', shadow: 'sm', withBorder: true },
    classNames: { root: classes.card },
  },
  Indicator: {
    vars: () => ({ root: { '--indicator-text-color': 'var(--mantine-color-clay-contrast)' } }),
  },
  Drawer: { classNames: { header: classes.dialogHeader, body: classes.drawerBody } },
  Modal: {
    defaultProps: {
      radius: 'lg',
      centered: true,
      closeButtonProps: { 'aria-label': 'Close', size: 44, iconSize: 20 },
    },
    classNames: { title: classes.dialogTitle, header: classes.dialogHeader },
  },
  // A <header>, which is the banner of the page wherever no part of the page is around it.
  ModalHeader: { defaultProps: { role: 'presentation' } },
  DrawerHeader: { defaultProps: { role: 'presentation' } },
  Notification: { classNames: { description: classes.dimmed } },
  // Nothing here opens from a place that scrolls away under it, so nothing has to be hidden for that.
  Menu: { defaultProps: { hideDetached: false } },
  MenuItem: { defaultProps: { mih: 44 } },
  TabsTab: { defaultProps: { mih: 44 } },
  Popover: { defaultProps: { radius: 'lg', shadow: 'md', hideDetached: false } },
  TextInput: field,
  PasswordInput: {
    ...field,
    defaultProps: {
      ...field.defaultProps,
      // The eye can be reached by keyboard and says what it does.
      visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password', tabIndex: 0, size: 36 },
    },
  },
  Textarea: field,
  Select: field,
  NativeSelect: field,
  NumberInput: field,
  DateInput: field,
}
