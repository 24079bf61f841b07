import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useId } from 'react'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './AccessRequestCard.module.css'
import type { Decision } from './access-requests.mutations.ts'
import type { AccessRequest } from './access-requests.queries.ts'

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
export function AccessRequestCard({ request, onDecide, note, deciding, disabled }: AccessRequestCardProps) {
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
