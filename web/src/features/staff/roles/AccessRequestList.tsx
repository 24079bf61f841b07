import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './AccessRequestCard.module.css'
import { useAccessRequestsLive } from './access-requests.live.ts'
import { accessRequestTexts, decisionToasts } from './access-requests.messages.ts'
import { type Decision, useDecideAccessRequest } from './access-requests.mutations.ts'
import { type AccessRequest, accessRequestsQuery } from './access-requests.queries.ts'

interface AccessRequestListProps {
  /** The reader, who may not decide on their own request. */
  userId: string
  /** Super-admins decide, admins read (R16). */
  mayDecide: boolean
}

/** Everybody who asks for admin access, newest first; for admins only. */
export function AccessRequestList({ userId, mayDecide }: AccessRequestListProps) {
  const requests = useQuery(accessRequestsQuery)
  const { error } = requests
  useAccessRequestsLive()
  const { mutate, isPending, variables } = useDecideAccessRequest()

  useEffect(() => {
    if (error) decisionToasts.listFailed()
  }, [error])

  return (
    <Loaded
      of={requests}
      pending={<CardGridSkeleton cards={2} columns={1} />}
      failed={accessRequestTexts.listFailed}
      empty={
        <EmptyState title={accessRequestTexts.none} order={2}>
          Nobody has asked for admin access yet.
        </EmptyState>
      }
    >
      {(all) => (
        <Stack gap="md">
          {!mayDecide && <Text c="dimmed">Requests are approved and rejected by a super-admin.</Text>}
          {all.map((request) => (
            <AccessRequestCard
              key={request.id}
              request={request}
              onDecide={
                mayDecide && request.userId !== userId ? (verdict) => mutate({ request, verdict }) : undefined
              }
              note={mayDecide && request.userId === userId ? accessRequestTexts.own : undefined}
              deciding={isPending && variables.request.id === request.id ? variables.verdict : undefined}
              disabled={isPending}
            />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

const STATES: Record<AccessRequest['status'], { label: string; color: string }> = {
  pending: { label: 'Pending', color: 'honey' },
  approved: { label: 'Approved', color: 'herb' },
  rejected: { label: 'Rejected', color: 'beet' },
}

interface AccessRequestCardProps {
  request: AccessRequest
  /** Absent for those who may not decide on it. */
  onDecide: ((verdict: Decision['verdict']) => void) | undefined
  /** While it waits: why this one cannot be decided when others can. */
  note: string | undefined
  /** The decision on this request that is being sent. */
  deciding: Decision['verdict'] | undefined
  /** A decision is being sent, here or on another request. */
  disabled: boolean
}

/** Somebody's request for admin access, with the two answers while it waits. */
function AccessRequestCard({ request, onDecide, note, deciding, disabled }: AccessRequestCardProps) {
  const { userId, name, email, reason, status, requestedAt, reviewedAt } = request
  const title = useId()
  const state = STATES[status]
  return (
    <SurfaceCard component="article" aria-labelledby={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <div className={classes.words}>
            <Title order={2} fz="h3" id={title}>
              <PersonLink staff userId={userId} name={name} />
            </Title>
            <Text size="sm" c="dimmed">
              <bdi>{email}</bdi> · asked <RelativeDate date={requestedAt} />
            </Text>
          </div>
          <Badge variant="light" color={state.color} tt="none" style={{ flexShrink: 0 }}>
            {state.label}
          </Badge>
        </Group>
        <Text component="blockquote" className={classes.reason} dir="auto">
          {reason}
        </Text>
        {reviewedAt && (
          <Text size="sm" c="dimmed">
            Reviewed <RelativeDate date={reviewedAt} />
          </Text>
        )}
        {status === 'pending' && note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {status === 'pending' && onDecide && (
          <Group gap="xs" className={classes.answers}>
            <Button
              variant="default"
              aria-label={`Reject ${name}`}
              leftSection={<IconX size={18} aria-hidden />}
              loading={deciding === 'rejected'}
              disabled={disabled}
              onClick={() => onDecide('rejected')}
            >
              Reject
            </Button>
            <Button
              color="herb"
              aria-label={`Approve ${name}`}
              leftSection={<IconCheck size={18} aria-hidden />}
              loading={deciding === 'approved'}
              disabled={disabled}
              onClick={() => onDecide('approved')}
            >
              Approve
            </Button>
          </Group>
        )}
      </Stack>
    </SurfaceCard>
  )
}
