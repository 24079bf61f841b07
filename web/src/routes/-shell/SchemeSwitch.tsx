import { t } from '@lingui/core/macro'
import { Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import classes from './Shell.module.css'

const schemes = [
  { value: 'light', label: t`Light`, icon: IconSun },
  { value: 'dark', label: t`Dark`, icon: IconMoon },
  { value: 'auto', label: t`Auto`, icon: IconDeviceDesktop },
] as const

/** {@link SchemeSwitch} as menu items, since a menu may contain only items. */
export function SchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset aria-label={t`Appearance`} className={classes.schemes}>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checkIcon={<span />}
            classNames={{ item: classes.schemeItem ?? '', itemIndicator: classes.schemeMark ?? '' }}
          >
            <Icon size={20} aria-hidden />
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </fieldset>
  )
}

/** Chooses the colour scheme: light, dark, or the device's. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div>
      <Text size="sm" c="dimmed" mb={6} id="scheme-label">
        {t`Appearance`}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="scheme-label"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={schemes.map(({ value, label }) => ({ value, label }))}
      />
    </div>
  )
}
