import { t } from '@lingui/core/macro'
import { Badge, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconSeedling, IconShieldCheck, IconShieldStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { LEVEL_NAMES, type Level } from '#domain/standing.ts'
import { GONE } from '#ui/PersonLink.tsx'
import classes from './LevelBadge.module.css'
import { standingQuery } from './standing.queries.ts'

const LOOKS = {
  new: { color: 'gray', icon: IconSeedling },
  proven: { color: 'herb', icon: IconShieldCheck },
  trusted: { color: 'honey', icon: IconShieldStar },
} as const

/** The mark of a level. */
export function LevelMark({ level }: { level: Level }) {
  const { color, icon: Icon } = LOOKS[level]
  return (
    <Badge variant="light" color={color} flex="none" leftSection={<Icon size={14} aria-hidden />}>
      {LEVEL_NAMES[level]}
    </Badge>
  )
}

/**
 * A person's level as a button that opens the explanation. If one has blocked the other, the level is hidden and only
 * the button is left, since it also leads to reporting.
 */
export function LevelBadge({ userId, name, onWhy }: { userId: string; name: string; onWhy: () => void }) {
  const { data: standing, error } = useQuery(standingQuery(userId))
  if (error && !standing)
    return (
      <Text size="xs" c="dimmed">
        {t`Standing unknown`}
      </Text>
    )
  if (standing === undefined) return <Skeleton w={96} h={20} my={12} radius="xl" aria-hidden />
  if (standing === null && name === GONE) return null
  const label = t`About ${name}`
  return (
    <UnstyledButton
      className={classes.why}
      onClick={onWhy}
      aria-label={standing ? t`${LEVEL_NAMES[standing.level]}: why? ${label}` : label}
    >
      {standing && <LevelMark level={standing.level} />}{' '}
      <Text span size="sm" td="underline" c="dimmed">
        {standing ? t`Why?` : t({ message: 'About', context: 'a person' })}
      </Text>
    </UnstyledButton>
  )
}
