import {
  ActionIcon,
  Anchor,
  Button,
  Card,
  Container,
  Drawer,
  Indicator,
  type MantineThemeComponents,
  Menu,
  Modal,
  Notification,
  NumberInput,
  Paper,
  PasswordInput,
  Popover,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core'
import classes from './theme.module.css'

// Phone first: whatever can be touched is 44 px high unless a screen asks for less on purpose.
const field = { defaultProps: { size: 'md' }, classNames: { label: classes.label, wrapper: classes.field } }

/** How Mantine's parts look here when a screen says nothing. */
export const components: MantineThemeComponents = {
  Button: Button.extend({ defaultProps: { size: 'md' }, classNames: { root: classes.button } }),
  ActionIcon: ActionIcon.extend({ defaultProps: { size: 44, variant: 'subtle', color: 'gray' } }),
  Anchor: Anchor.extend({ defaultProps: { underline: 'hover', fw: 550 } }),
  Paper: Paper.extend({ defaultProps: { radius: 'lg' }, classNames: { root: classes.paper } }),
  Container: Container.extend({ defaultProps: { size: 1120 } }),
  Card: Card.extend({ defaultProps: { radius: 'lg', padding: 'lg', shadow: 'sm', withBorder: true } }),
  Indicator: Indicator.extend({
    vars: () => ({ root: { '--indicator-text-color': 'var(--mantine-color-clay-contrast)' } }),
  }),
  Drawer: Drawer.extend({ classNames: { header: classes.dialogHeader, body: classes.drawerBody } }),
  Modal: Modal.extend({
    defaultProps: { radius: 'lg', centered: true },
    classNames: { title: classes.dialogTitle, header: classes.dialogHeader, close: classes.dialogClose },
  }),
  Notification: Notification.extend({ classNames: { description: classes.dimmed } }),
  // Nothing here opens from a place that scrolls away under it, so nothing has to be hidden for that.
  Menu: Menu.extend({ defaultProps: { hideDetached: false } }),
  Popover: Popover.extend({ defaultProps: { radius: 'lg', shadow: 'md', hideDetached: false } }),
  TextInput: TextInput.extend(field),
  PasswordInput: PasswordInput.extend(field),
  Textarea: Textarea.extend(field),
  Select: Select.extend(field),
  NumberInput: NumberInput.extend(field),
  // From @mantine/dates, which only the screens that need it load.
  DateInput: field,
}
