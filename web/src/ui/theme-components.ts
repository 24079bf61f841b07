import { t } from '@lingui/core/macro'
import type { MantineThemeComponents } from '@mantine/core'
import classes from './theme.module.css'

// Touch targets are 44 px high unless a screen deliberately sets less.
const field = {
  defaultProps: { size: 'md' },
  classNames: { label: classes.label, description: classes.description, wrapper: classes.field },
}

/** Defaults of Mantine's components. Keyed by name, so that no component is loaded just for this. */
export const components: MantineThemeComponents = {
  // Most alerts are part of a page from the start. An alert that appears later gets role "alert", so that screen
  // readers read it immediately.
  Alert: { defaultProps: { role: 'note' } },
  Button: {
    defaultProps: { size: 'md' },
    classNames: { root: classes.button, inner: classes.buttonInner, label: classes.buttonLabel },
  },
  Badge: { classNames: { root: classes.badge, label: classes.badgeLabel } },
  // Icon buttons keep their size with larger text: a phone has no more room.
  ActionIcon: { defaultProps: { size: 'var(--potluck-touch)', variant: 'subtle', color: 'gray' } },
  // A URL has no spaces at which a line could break.
  Anchor: { defaultProps: { underline: 'hover', fw: 550 }, styles: { root: { overflowWrap: 'anywhere' } } },
  Paper: { defaultProps: { radius: 'lg' }, classNames: { root: classes.paper } },
  Container: { defaultProps: { size: 1120 } },
  Card: {
    defaultProps: { radius: 'lg', padding: 'lg', shadow: 'sm', withBorder: true },
    classNames: { root: classes.card },
  },
  Indicator: {
    vars: () => ({ root: { '--indicator-text-color': 'var(--mantine-color-clay-contrast)' } }),
    // With larger text, the badge grows no larger than its icon, whose size is fixed; the icon's label has the number.
    styles: {
      indicator: {
        height: 'min(var(--indicator-size), 20px)',
        minWidth: 'min(var(--indicator-size), 20px)',
        fontSize: 'min(var(--mantine-font-size-xs), 14px)',
      },
    },
  },
  Drawer: { classNames: { header: classes.dialogHeader, body: classes.drawerBody } },
  Modal: {
    defaultProps: {
      radius: 'lg',
      centered: true,
      closeButtonProps: { 'aria-label': t`Close`, size: 44, iconSize: 20 },
    },
    classNames: { title: classes.dialogTitle, header: classes.dialogHeader },
  },
  // A <header> outside of any sectioning element would count as the banner of the page.
  ModalHeader: { defaultProps: { role: 'presentation' } },
  DrawerHeader: { defaultProps: { role: 'presentation' } },
  Notification: { classNames: { description: classes.dimmed } },
  // A menu's button cannot scroll away while the menu is open, so there is nothing to hide.
  Menu: { defaultProps: { hideDetached: false } },
  MenuItem: { defaultProps: { mih: 44 } },
  TabsTab: { defaultProps: { mih: 44 } },
  Popover: { defaultProps: { radius: 'lg', shadow: 'md', hideDetached: false } },
  Checkbox: { defaultProps: { size: 'md' } },
  TextInput: field,
  PasswordInput: {
    ...field,
    defaultProps: {
      ...field.defaultProps,
      // Makes the eye button reachable by keyboard and names it.
      visibilityToggleButtonProps: { 'aria-label': t`Show or hide the password`, tabIndex: 0, size: 36 },
    },
  },
  Textarea: field,
  Select: field,
  NativeSelect: field,
  NumberInput: field,
  DateInput: field,
}
