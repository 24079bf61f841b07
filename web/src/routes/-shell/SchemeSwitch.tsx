import {
  ActionIcon,
  SegmentedControl,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Light, dark, or as the device has it. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div>
      <Text size="sm" c="dimmed" mb={6} id="scheme-label">
        Appearance
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="scheme-label"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'Auto' },
        ]}
      />
    </div>
  )
}

/** One tap between light and dark, for people without a menu of their own. */
export function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light')
  const other = shown === 'dark' ? 'light' : 'dark'
  const Icon = shown === 'dark' ? IconSun : IconMoon
  return (
    <ActionIcon onClick={() => setColorScheme(other)} aria-label={`Switch to ${other} appearance`}>
      <Icon size={22} />
    </ActionIcon>
  )
}
