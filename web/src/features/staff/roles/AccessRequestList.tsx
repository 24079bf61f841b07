import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
import classes from './AccessRequestList.module.css'
import { useAccessRequestsLive } from './access-requests.live.ts'
import { accessRequestTexts, decisionToasts } from './access-requests.messages.ts'
import { useDecideAccessRequest } from './access-requests.mutations.ts'
import { type AccessRequest, accessRequestsQuery } from './access-requests.queries.ts'

interface AccessRequestListProps {
  /** The reader, who may not decide on their own request. */
  userId: string
  /** Super-admins decide, admins read (R16). */
  mayDecide: boolean
}

/** Requests for admin access, newest first. For admins. */
export function AccessRequestList({ userId, mayDecide }: AccessRequestListProps) {
  const requests = useQuery(accessRequestsQuery)
  const { error } = requests
  useAccessRequestsLive()
  const decide = useDecideAccessRequest()

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
          {t`No admin access requests yet.`}
        </EmptyState>
      }
    >
      {(all) => (
        <Stack gap="md">
          {!mayDecide && <Text c="dimmed">{t`Super-admins approve and reject requests.`}</Text>}
          {all.map((request) => (
            <AccessRequestCard
              key={request.id}
              request={request}
              isOwn={request.userId === userId}
              decide={mayDecide ? decide : undefined}
            />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

const STATES: Record<AccessRequest['status'], { label: string; color: string }> = {
  pending: { label: t`Pending`, color: 'honey' },
  approved: { label: t`Approved`, color: 'herb' },
  rejected: { label: t({ message: 'Rejected', context: 'a request' }), color: 'beet' },
}

const ANSWERS = [
  { verdict: 'rejected', label: t`Reject`, icon: IconX, look: { variant: 'default' } },
  { verdict: 'approved', label: t`Approve`, icon: IconCheck, look: { color: 'herb' } },
] as const

interface AccessRequestCardProps {
  request: AccessRequest
  /** True for the reader's own request, which another super-admin must decide. */
  isOwn: boolean
  /** Undefined for readers who may not decide. */
  decide: ReturnType<typeof useDecideAccessRequest> | undefined
}

/** A request for admin access, with the two answers while it is pending. */
function AccessRequestCard({ request, isOwn, decide }: AccessRequestCardProps) {
  const { userId, name, email, reason, status, requestedAt, reviewedAt } = request
  const title = useId()
  const state = STATES[status]
  const sent = decide?.isPending ? decide.variables : undefined
  return (
    <SurfaceCard component="article" aria-labelledby={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <div className={classes.words}>
            <Title order={2} fz="h3" id={title}>
              <PersonLink staff userId={userId} name={name} />
            </Title>
            <Text size="sm" c="dimmed">
              <Trans>
                <bdi>{email}</bdi> · asked <RelativeDate date={requestedAt} />
              </Trans>
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
            <Trans>
              Reviewed <RelativeDate date={reviewedAt} />
            </Trans>
          </Text>
        )}
        {status === 'pending' && decide && isOwn && (
          <Text size="sm" c="dimmed">
            {accessRequestTexts.own}
          </Text>
        )}
        {status === 'pending' && decide && !isOwn && (
          <Group gap="xs" className={classes.answers}>
            {ANSWERS.map(({ verdict, label, icon: Icon, look }) => (
              <Button
                key={verdict}
                {...look}
                aria-label={`${label} ${name}`}
                leftSection={<Icon size={18} aria-hidden />}
                loading={sent?.request.id === request.id && sent.verdict === verdict}
                disabled={decide.isPending}
                onClick={() => decide.mutate({ request, verdict })}
              >
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </SurfaceCard>
  )
}
