import { t } from '@lingui/core/macro'
import { Alert, Text } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { instantText, LEVEL_NAMES, type Level } from '#domain/standing.ts'
import { type InstantAnswer, instantQuery, type Offer } from '#features/plans/browse/market.queries.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'

/**
 * For an instant plan, loads whether a request takes a place immediately. People must see this before they send the
 * request.
 */
export function useInstant({ id, instantFrom }: Offer, coinsFirst: boolean) {
  const isNeeded = instantFrom !== null
  const query = useQuery({ ...instantQuery(id, coinsFirst), enabled: isNeeded })
  return { isNeeded, query, answer: isNeeded ? query.data : undefined }
}

interface InstantNoteProps {
  query: UseQueryResult<InstantAnswer>
  from: Level
  ownerName: string
}

/** For an instant plan, says that the request takes a place immediately, or why it does not. */
export function InstantNote({ query, from, ownerName }: InstantNoteProps) {
  return (
    <Loaded
      of={query}
      pending={<RowsSkeleton rows={1} />}
      failed={t`We couldn’t check whether you get in instantly`}
    >
      {({ refusal, level }) =>
        refusal !== 'approval' && (
          <Alert
            color={refusal ? 'gray' : 'herb'}
            icon={<IconBolt aria-hidden />}
            title={refusal ? instantText(from) : t`You get in instantly`}
          >
            <Text size="sm">
              {refusal ? whyNot(refusal, level, ownerName) : t`${ownerName} sees your name and email.`}
            </Text>
          </Alert>
        )
      }
    </Loaded>
  )
}

function whyNot(refusal: NonNullable<InstantAnswer['refusal']>, level: Level, ownerName: string): string {
  switch (refusal) {
    case 'level':
      return t`You are ${LEVEL_NAMES[level]}, so ${ownerName} decides.`
    case 'card':
      return t`Save a card, or have enough coins for the first month, to get in instantly. Otherwise ${ownerName} decides.`
    case 'open-payment':
      return t`You have another payment open, so ${ownerName} decides.`
    default:
      return t`One of your recent payments failed, so ${ownerName} decides.`
  }
}
