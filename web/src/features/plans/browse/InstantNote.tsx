import { Alert, Text } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { instantText, LEVEL_NAMES, type Level } from '#domain/standing.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { type Instant, instantQuery, type Offer } from './market.queries.ts'

/** Whether asking for this plan takes a place at once, which people have to see before they ask. */
export function useInstant({ id, instantFrom }: Offer, coinsFirst: boolean) {
  const isNeeded = instantFrom !== null
  const query = useQuery({ ...instantQuery(id, coinsFirst), enabled: isNeeded })
  return { isNeeded, query, answer: isNeeded ? query.data : undefined }
}

interface InstantNoteProps {
  query: UseQueryResult<Instant>
  from: Level
  ownerName: string
}

/** Whether the person gets in at once, on a plan that allows it, or else why not. */
export function InstantNote({ query, from, ownerName }: InstantNoteProps) {
  return (
    <Loaded
      of={query}
      pending={<RowsSkeleton rows={1} />}
      failed="Whether you get in at once could not be looked up"
    >
      {({ refusal, level }) =>
        refusal !== 'approval' && (
          <Alert
            color={refusal ? 'gray' : 'herb'}
            icon={<IconBolt aria-hidden />}
            title={refusal ? instantText(from) : 'You get in at once'}
          >
            <Text size="sm">
              {refusal
                ? whyNot(refusal, level, ownerName)
                : `The place is yours as soon as you join, and charged right then. ${ownerName} will see your name and email address.`}
            </Text>
          </Alert>
        )
      }
    </Loaded>
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
