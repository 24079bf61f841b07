import { plural, t } from '@lingui/core/macro'
import { ThemeIcon } from '@mantine/core'
import { type Icon, IconPlus, IconSearch, IconStack2 } from '@tabler/icons-react'
import { describeOpenPlaces } from '#domain/slots.ts'
import { PlaceLine } from '#features/money/payments/PlaceLine.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { AvatarStack } from '#ui/AvatarStack.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import type { HomePlan } from './home.queries.ts'
import classes from './Line.module.css'
import { Line, Lines } from './Line.tsx'

/** The maximum number of plans in the list. */
const MOST = 6

interface PlanListProps {
  userId: string
  plans: readonly HomePlan[]
  /** The plans whose payment is already shown elsewhere on the page. */
  told: ReadonlySet<string | null>
}

/** A person's plans, the one with the next payment first, then links to join and to share another plan. */
export function PlanList({ userId, plans, told }: PlanListProps) {
  return (
    <Lines>
      {plans.slice(0, MOST).map(({ id: planId, provider, plan, isOwner, people, places }) => (
        <Line
          key={`${planId} ${isOwner}`}
          mark={<ProviderLogo provider={provider} />}
          {...(!isOwner && { person: people[0]?.name ?? null, avatarUrl: people[0]?.avatarUrl ?? null })}
          title={
            <LinkAnchor
              inherit
              c="inherit"
              dir="auto"
              className={classes.whole}
              to={isOwner ? '/manage-shared/$planId' : '/manage-subscribed/$planId'}
              params={{ planId }}
            >
              {plan}
            </LinkAnchor>
          }
          about={
            places !== null ? (
              // Here the owner is not among the people; in a plan's places they are.
              describeOpenPlaces({ currentMembers: people.length + 1, ownerMaxMembers: places + 1 })
            ) : !told.has(planId) ? (
              <span>
                <PlaceLine userId={userId} planId={planId} pay="none" />
              </span>
            ) : people[0] ? (
              t`With ${{ owner: people[0].name }}`
            ) : (
              t`With its owner`
            )
          }
        >
          {isOwner && people.length > 0 && (
            <div className={classes.faces}>
              <AvatarStack people={people} most={3} size={30} />
            </div>
          )}
        </Line>
      ))}
      {plans.length > MOST && (
        <Way
          icon={IconStack2}
          to="/my-subscriptions"
          label={t`All ${plural(plans.length, { one: '# plan', other: '# plans' })}`}
        />
      )}
      <Way icon={IconSearch} to="/available-subscriptions" label={t`Subscribe to a Plan`} />
      <Way icon={IconPlus} to="/create" label={t`Share a Subscription`} />
    </Lines>
  )
}

interface WayProps {
  icon: Icon
  to: '/my-subscriptions' | '/available-subscriptions' | '/create'
  label: string
}

const Way = ({ icon: Picture, to, label }: WayProps) => (
  <Line
    mark={
      <ThemeIcon variant="light" color="gray" size={48} radius="md">
        <Picture size={22} aria-hidden />
      </ThemeIcon>
    }
    title={
      <LinkAnchor inherit c="inherit" className={classes.whole} to={to}>
        {label}
      </LinkAnchor>
    }
  />
)
