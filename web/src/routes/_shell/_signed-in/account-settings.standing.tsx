import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import PersonReviews from '#features/people/person/PersonReviews.tsx'
import { StandingCard } from '#features/trust/standing/StandingSummary.tsx'
import { useUser } from '#lib/session.ts'
import { AccountSettings } from './-AccountSettings.tsx'

/** The signed-in person's standing and reviews. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/standing')({ component: Standing })

function Standing() {
  const user = useUser()
  return (
    <AccountSettings title={t`Standing and reviews`}>
      <StandingCard userId={user.id}>
        <PersonReviews userId={user.id} name={user.name || 'you'} />
      </StandingCard>
    </AccountSettings>
  )
}
