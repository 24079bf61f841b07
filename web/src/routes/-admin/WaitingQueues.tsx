import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type StaffQueue, staffQueuesQuery } from '#features/staff/queues/queues.queries.ts'
import { CountBadge } from '#ui/CountBadge.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { QUEUE_PAGES } from './queues.ts'
import classes from './WaitingQueues.module.css'

/** The kinds of cases that wait for staff, the longest wait first, each with a link to the page where they are decided. */
export function WaitingQueues({ userId }: { userId: string }) {
  return (
    <SectionCard titleId="to-do" title={t`To do`} gap="xs">
      <Loaded of={useQuery(staffQueuesQuery(userId))} rows={3} failed={t`The open cases could not be loaded`}>
        {(queues) => {
          const waiting = queues
            .flatMap(({ oldest, ...queue }) => (oldest === null ? [] : { ...queue, oldest }))
            .sort((one, other) => Date.parse(one.oldest) - Date.parse(other.oldest))
          if (waiting.length === 0) return <Text c="dimmed">{t`You’re all caught up.`}</Text>
          return (
            <ul className={classes.queues}>
              {waiting.map((queue) => (
                <li key={queue.kind}>
                  <Queue {...queue} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </SectionCard>
  )
}

function Queue({ kind, waiting, oldest }: StaffQueue & { oldest: string }) {
  const { label, to, search = {}, icon: Icon } = QUEUE_PAGES[kind]
  return (
    // The specification asks for an orange banner for provider requests.
    <Link
      to={to}
      search={search}
      className={classes.queue}
      data-orange={kind === 'provider-requests' || undefined}
    >
      <Icon size={20} aria-hidden />
      <span className={classes.words}>
        <span className={classes.name}>{label}</span>
        <Text component="span" size="sm" className={classes.since}>
          <Trans>
            oldest <RelativeDate date={oldest} size="sm" />
          </Trans>
        </Text>
      </span>
      <CountBadge count={waiting} />
    </Link>
  )
}
