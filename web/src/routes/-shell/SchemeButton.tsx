import { t } from '@lingui/core/macro'
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Toggles light and dark, for visitors, who have no account menu. */
export function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light')
  const other = shown === 'dark' ? 'light' : 'dark'
  const Icon = shown === 'dark' ? IconSun : IconMoon
  return (
    <ActionIcon onClick={() => setColorScheme(other)} aria-label={t`Switch to ${other} appearance`}>
      <Icon size={22} />
    </ActionIcon>
  )
}
