import { Badge } from '@mantine/core'
import { IconSeedling, IconShieldCheck, IconShieldStar } from '@tabler/icons-react'
import { LEVEL_NAMES, type Level } from '#domain/standing.ts'

const LOOKS = {
  new: { color: 'gray', icon: IconSeedling },
  proven: { color: 'herb', icon: IconShieldCheck },
  trusted: { color: 'honey', icon: IconShieldStar },
} as const

/** A badge with the name of a level of standing. */
export function LevelMark({ level }: { level: Level }) {
  const { color, icon: Icon } = LOOKS[level]
  return (
    <Badge variant="light" color={color} flex="none" leftSection={<Icon size={14} aria-hidden />}>
      {LEVEL_NAMES[level]}
    </Badge>
  )
}
