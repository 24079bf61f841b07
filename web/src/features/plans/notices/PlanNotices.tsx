import { t } from '@lingui/core/macro'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Plan } from '#domain/plan.ts'
import { useLive } from '#lib/live.ts'
import { NoticeCard } from './NoticeCard.tsx'
import { noticeKeys, noticesQuery, type PlanNotice } from './notices.queries.ts'

interface PlanNoticesProps {
  plan: Plan
  userId: string
  /** The owner's buttons; without them the reader is a member. */
  actions?: (notice: PlanNotice) => ReactNode
}

/** The notices of a plan that are not over; renders nothing if there are none. */
export function PlanNotices({ plan, userId, actions }: PlanNoticesProps) {
  const { data: notices = [] } = useQuery(noticesQuery(plan.id))
  // A notice has no table that browsers may watch, but each one notifies the members.
  useLive(
    `notices-${userId}`,
    [{ table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' }],
    { keys: [noticeKeys.of(plan.id)] },
  )
  if (notices.length === 0) return null
  const todo = {
    price: t`Your share stays the same unless you accept another one.`,
    pause: t`If you lose access then, report that something is wrong.`,
  }
  return (
    <Stack gap="md" mb={actions ? 0 : 'md'}>
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} plan={plan} {...(!actions && { todo })}>
          {actions?.(notice)}
        </NoticeCard>
      ))}
    </Stack>
  )
}
