import { t } from '@lingui/core/macro'
import { IconUser } from '@tabler/icons-react'
import { describeOpenPlaces, isFull } from '#domain/slots.ts'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import type { Offer } from './market.queries.ts'
import classes from './PlacesAtTable.module.css'

type PlanPlaces = Pick<
  Offer,
  'ownerName' | 'ownerAvatarUrl' | 'currentMembers' | 'ownerMaxMembers' | 'kept' | 'keptForYou'
>

/** The maximum number of people and free chairs drawn. */
const MOST = 8

/** The people around a plan: its owner, the taken places and the free chairs. */
export function PlacesAtTable({ plan }: { plan: PlanPlaces }) {
  const { ownerName, ownerAvatarUrl, currentMembers, ownerMaxMembers, kept } = plan
  const chairs = Array.from({ length: Math.min(ownerMaxMembers, MOST) - 1 }, (_, n) => n + 2)
  const isTaken = (chair: number) => chair <= currentMembers + kept
  return (
    <div className={classes.row}>
      <div className={classes.table} aria-hidden="true">
        <PersonAvatar name={ownerName} src={ownerAvatarUrl} size={28} />
        {chairs.map((chair) => (
          <span key={chair} className={classes.chair} data-taken={isTaken(chair) || undefined}>
            {isTaken(chair) && <IconUser size={15} aria-hidden />}
          </span>
        ))}
        {ownerMaxMembers > MOST && <span>+{ownerMaxMembers - MOST}</span>}
      </div>
      <span>{plan.keptForYou && !isFull(plan) ? t`A place is kept for you` : describeOpenPlaces(plan)}</span>
    </div>
  )
}
