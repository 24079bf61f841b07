import { Alert, Text } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { instantText, LEVEL_NAMES, type Level } from '#domain/standing.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { type AvailablePlan, type Instant, instantQuery } from './browse.queries.ts'

/** Whether asking for this plan takes a place at once; nobody asks before they have read it. */
export function useInstant({ id, instantFrom }: AvailablePlan, coinsFirst: boolean) {
  const isNeeded = instantFrom !== null
  const { data, error, refetch } = useQuery({ ...instantQuery(id, coinsFirst), enabled: isNeeded })
  return { isNeeded, answer: isNeeded ? data : undefined, error, onRetry: () => void refetch() }
}

interface InstantNoteProps extends Omit<ReturnType<typeof useInstant>, 'isNeeded'> {
  from: Level
  ownerName: string
}

/** Which of the two asking comes to on a plan that lets people in at once, and why. */
export function InstantNote({ from, ownerName, answer, error, onRetry }: InstantNoteProps) {
  if (!answer)
    return error ? (
      <LoadAlert
        title="Whether you get in at once could not be looked up"
        problem={error}
        onRetry={onRetry}
      />
    ) : (
      <RowsSkeleton rows={1} />
    )
  const { refusal } = answer
  if (refusal === 'approval') return null
  return (
    <Alert
      color={refusal ? 'gray' : 'herb'}
      icon={<IconBolt aria-hidden />}
      title={refusal ? instantText(from) : 'You get in at once'}
    >
      <Text size="sm">
        {refusal
          ? whyNot(refusal, answer.level, ownerName)
          : `The place is yours as soon as you join, and charged right then. ${ownerName} will see your name and e-mail address.`}
      </Text>
    </Alert>
  )
}

function whyNot(refusal: NonNullable<Instant['refusal']>, level: Level, ownerName: string): string {
  switch (refusal) {
    case 'level':
      return `You are ${LEVEL_NAMES[level]}, so ${ownerName} decides.`
    case 'card':
      return `With a saved card, or with coins that pay the first month, you get in at once. Without, ${ownerName} decides.`
    case 'open-payment':
      return `Another payment of yours is still open, so ${ownerName} decides.`
    default:
      return `A payment of yours has failed not long ago, so ${ownerName} decides.`
  }
}
