import { t } from '@lingui/core/macro'
import { Skeleton, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { LEVEL_NAMES } from '#domain/standing.ts'
import { standingQuery } from '#features/trust/standing/standing.queries.ts'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { LevelMark } from '#ui/LevelMark.tsx'
import { GONE } from '#ui/PersonLink.tsx'
import classes from './Level.module.css'

const PersonDialog = lazy(() => onceOnline(() => import('./PersonDialog.tsx')))

/** A person's level beside their name; opens the dialog about the person. */
export function Level({ userId, name }: { userId: string; name: string }) {
  const [asked, { open, close }] = useDisclosure()
  return (
    <>
      <LevelBadge userId={userId} name={name} onWhy={open} />
      <LazyDialog opened={asked}>
        {(opened) => <PersonDialog userId={userId} name={name} opened={opened} onClose={close} />}
      </LazyDialog>
    </>
  )
}

/**
 * A person's level, and a button that explains it. If a block hides the level from the reader, shows only the button,
 * so that the reader can still report the person.
 */
function LevelBadge({ userId, name, onWhy }: { userId: string; name: string; onWhy: () => void }) {
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
      {standing ? (
        <LevelMark level={standing.level} />
      ) : (
        <Text span size="sm" td="underline" c="dimmed">
          {t({ message: 'About', context: 'a person' })}
        </Text>
      )}
    </UnstyledButton>
  )
}
