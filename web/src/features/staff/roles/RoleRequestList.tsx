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
import classes from './RoleRequestList.module.css'
import { useRoleRequestsLive } from './role-requests.live.ts'
import { decisionToasts, roleRequestTexts } from './role-requests.messages.ts'
import { useDecideRoleRequest } from './role-requests.mutations.ts'
import { type RoleRequest, roleRequestsQuery } from './role-requests.queries.ts'

interface RoleRequestListProps {
  /** The reader, who may not decide on their own request. */
  userId: string
  /** True for super-admins; admins can only read (R16). */
  mayDecide: boolean
}

/** Role requests, newest first. For admins. */
export function RoleRequestList({ userId, mayDecide }: RoleRequestListProps) {
  const requests = useQuery(roleRequestsQuery)
  const { error } = requests
  useRoleRequestsLive()
  const decide = useDecideRoleRequest()

  useEffect(() => {
    if (error) decisionToasts.listFailed()
  }, [error])

  return (
    <Loaded
      of={requests}
      pending={<CardGridSkeleton cards={2} columns={1} />}
      failed={roleRequestTexts.listFailed}
      empty={
        <EmptyState title={roleRequestTexts.none} order={2}>
          {t`When somebody asks for access, you decide here.`}
        </EmptyState>
      }
    >
      {(all) => (
        <Stack gap="md">
          {!mayDecide && <Text c="dimmed">{t`Super-admins approve and reject requests.`}</Text>}
          {all.map((request) => (
            <RoleRequestCard
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

const STATES: Record<RoleRequest['status'], { label: string; color: string }> = {
  pending: { label: t`Pending`, color: 'honey' },
  approved: { label: t`Approved`, color: 'herb' },
  rejected: { label: t({ message: 'Rejected', context: 'a request' }), color: 'beet' },
}

const ANSWERS = [
  { verdict: 'rejected', label: t`Reject`, icon: IconX, look: { variant: 'default' } },
  { verdict: 'approved', label: t`Approve`, icon: IconCheck, look: { color: 'herb' } },
] as const

interface RoleRequestCardProps {
  request: RoleRequest
  /** True for the reader's own request, which another super-admin must decide. */
  isOwn: boolean
  /** Undefined for readers who may not decide. */
  decide: ReturnType<typeof useDecideRoleRequest> | undefined
}

/** A role request, with buttons to approve or reject it while it is pending. */
function RoleRequestCard({ request, isOwn, decide }: RoleRequestCardProps) {
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
            {roleRequestTexts.own}
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
