import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLive } from '#lib/live.ts'
import { LinkButton } from '#ui/links.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { precedenceTexts } from './waiting-list.messages.ts'
import { precedenceKeys, precedenceQuery } from './waiting-list.queries.ts'

interface PrecedenceNoticeProps {
  userId: string
  /** The plan of the lost place; undefined to show the notices of all lost places. */
  planId?: string
  mb?: 'md'
}

/**
 * Says that a lost place puts the person first in other waiting lists, with a link; renders nothing if there is no lost
 * place.
 */
export function PrecedenceNotice({ userId, planId, mb }: PrecedenceNoticeProps) {
  const { data: places = [] } = useQuery(precedenceQuery(userId))
  useLive(
    `precedence-${userId}`,
    // Every precedence begins with a notification to the person.
    [{ table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' }],
    { keys: [precedenceKeys.of(userId)] },
  )
  return places
    .filter((place) => planId === undefined || place.subscriptionId === planId)
    .map((place) => (
      <SurfaceCard
        key={place.seatId}
        component="section"
        aria-labelledby={`lost-${place.seatId}`}
        {...(mb && { mb })}
      >
        <Stack gap="sm">
          <Title order={2} size="h3" id={`lost-${place.seatId}`}>
            <Trans>
              Plans like {place.provider} {place.planName}
            </Trans>
          </Title>
          <Text>{precedenceTexts.why(place)}</Text>
          <LinkButton
            to="/plans-like/$seatId"
            params={{ seatId: place.seatId }}
            w="fit-content"
            variant="light"
          >
            {t`See similar plans`}
          </LinkButton>
        </Stack>
      </SurfaceCard>
    ))
}
