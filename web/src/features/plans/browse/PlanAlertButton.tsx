import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { IconBell, IconBellCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useSession } from '#lib/session.ts'
import { LinkButton } from '#ui/links.tsx'
import { useLookForPlan, useStopLooking } from './alerts.mutations.ts'
import { alertsQuery } from './alerts.queries.ts'
import { alertText } from './market-filters.ts'
import type { MarketSearch } from './market-search.ts'

const LABEL = t`Tell me about new plans`
const look = {
  variant: 'light',
  leftSection: <IconBell size={18} aria-hidden />,
  style: { alignSelf: 'center' },
} as const

/** A button to start or stop alerts about plans that match a search; renders nothing if the search has no filter. */
export function PlanAlertButton({ search }: { search: MarketSearch }) {
  const session = useSession()
  const filters = useLocation({ select: ({ searchStr }) => searchStr })
  if (alertText(search) === '' || session.status === 'loading') return null
  if (session.status === 'signed-in') return <Told userId={session.user.id} search={search} />
  return (
    <LinkButton {...look} to="/signin" search={{ redirect: `/plans${filters}` }}>
      {LABEL}
    </LinkButton>
  )
}

function Told({ userId, search }: { userId: string; search: MarketSearch }) {
  const { data: alerts } = useQuery(alertsQuery(userId))
  const tell = useLookForPlan(userId)
  const stop = useStopLooking(userId)
  const own = alerts?.find((alert) => alertText(alert.search) === alertText(search))
  if (own)
    return (
      <Button
        variant="subtle"
        leftSection={<IconBellCheck size={18} aria-hidden />}
        onClick={() => stop.mutate(own)}
      >
        {t`Stop alerts`}
      </Button>
    )
  return (
    <Button {...look} loading={tell.isPending} onClick={() => tell.mutate(search)}>
      {LABEL}
    </Button>
  )
}
