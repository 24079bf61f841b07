import { plural, t } from '@lingui/core/macro'
import { ActionIcon, Alert, Card, Group, List, Text, Title, Tooltip } from '@mantine/core'
import { IconInbox, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { openPlaces } from '#domain/slots.ts'
import type { ChatPartner } from '#features/people/chat/chat.queries.ts'
import { toAppError } from '#lib/errors.ts'
import { useSessionAlive } from '#lib/session-alive.ts'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { usePreparation } from '../preparation/use-preparation.tsx'
import { archivedRequestsQuery } from './archived-requests.queries.ts'
import { EarlierRequests } from './EarlierRequests.tsx'
import { JoinRequestRow } from './JoinRequestRow.tsx'
import { joinRequestTexts, joinRequestToasts } from './join-requests.messages.ts'
import { useApproveRequest, useRejectRequest } from './join-requests.mutations.ts'
import { type PendingRequest, pendingRequestsQuery } from './join-requests.queries.ts'

/** The minimum time between two manual refreshes, in seconds. */
const REFRESH_PAUSE = 5

interface JoinRequestsCardProps {
  plan: Plan
  onChat: (partner: ChatPartner) => void
  onApproved: (request: PendingRequest) => void
}

/** Everyone asking to join a plan, for its owner. */
export function JoinRequestsCard({ plan, onChat, onApproved }: JoinRequestsCardProps) {
  const planId = plan.id
  const { data: requests, error, refetch, isFetching, dataUpdatedAt } = useQuery(pendingRequestsQuery(planId))
  const { data: earlier = [] } = useQuery(archivedRequestsQuery(planId))
  const signedIn = useSessionAlive()
  const [answeredAny, setAnsweredAny] = useState(false)
  const approve = useApproveRequest(planId)
  const reject = useRejectRequest(planId)
  const { prepare, dialog } = usePreparation(plan)

  useEffect(() => {
    if (error) joinRequestToasts.listFailed(error)
  }, [error])

  const refresh = () => {
    const passed = Math.floor((Date.now() - dataUpdatedAt) / 1000)
    if (passed < REFRESH_PAUSE) joinRequestToasts.tooEarly(REFRESH_PAUSE - passed)
    else void refetch()
  }

  return (
    <Card component="section" aria-labelledby="requests-title">
      <Group justify="space-between" mb="md" wrap="nowrap">
        <Title order={2} size="h3" id="requests-title">
          {t`Join Requests`}
        </Title>
        <Tooltip label={t`Look again`}>
          <ActionIcon aria-label={t`Refresh join requests`} loading={isFetching} onClick={refresh} my={-8}>
            <IconRefresh size={20} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {error && (
        <Alert color="beet" role="alert" mb="md" title={joinRequestTexts.listFailed}>
          {toAppError(error).message}
        </Alert>
      )}
      {!requests && !error && <RowsSkeleton rows={1} />}
      {requests?.length === 0 && (
        <Group gap="sm" c="dimmed" wrap="nowrap" mih={44} role="status">
          <IconInbox size={24} aria-hidden />
          <Text>{answeredAny ? joinRequestTexts.allDone : joinRequestTexts.none}</Text>
        </Group>
      )}
      {requests && requests.length > 0 && (
        <>
          <Text size="sm" mt={-8} mb="md">
            {placesFor(requests.length, openPlaces(plan))}
          </Text>
          <List listStyleType="none" spacing="sm" styles={{ itemWrapper: { display: 'block' } }}>
            {requests.map((request, place) => (
              <List.Item key={request.id}>
                <JoinRequestRow
                  request={request}
                  plan={plan}
                  first={place === 0}
                  onChat={onChat}
                  disabled={!signedIn}
                  onApprove={() =>
                    prepare(() => {
                      setAnsweredAny(true)
                      approve.mutate(request, { onSuccess: () => onApproved(request) })
                    })
                  }
                  onReject={() => {
                    setAnsweredAny(true)
                    reject.mutate(request)
                  }}
                />
              </List.Item>
            ))}
          </List>
        </>
      )}
      <EarlierRequests requests={earlier} />
      {dialog}
    </Card>
  )
}

/** Tells the owner how many people ask, and for how many places. */
function placesFor(people: number, open: number): string {
  return open === 0
    ? t`Every place is taken.`
    : t`${plural(open, { one: '# place', other: '# places' })} open, ${plural(people, { one: '# person asks', other: '# people ask' })}.`
}
