import { IconUser } from '@tabler/icons-react'
import { counted } from '#domain/plural.ts'
import { isFull } from '#domain/slots.ts'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import type { AvailablePlan } from './browse.queries.ts'
import classes from './PlacesAtTable.module.css'

type Table = Pick<AvailablePlan, 'ownerName' | 'ownerAvatarUrl' | 'currentMembers' | 'ownerMaxMembers'>

/** More chairs than this do not fit. */
const MOST = 8

/** The people around a plan: its owner, the taken places and the free chairs. */
export function PlacesAtTable({ plan }: { plan: Table }) {
  const { ownerName, ownerAvatarUrl, currentMembers, ownerMaxMembers } = plan
  const chairs = Array.from({ length: Math.min(ownerMaxMembers, MOST) - 1 }, (_, n) => n + 2)
  return (
    <div className={classes.row}>
      <div className={classes.table} aria-hidden="true">
        <PersonAvatar name={ownerName} src={ownerAvatarUrl} size={32} />
        {chairs.map((chair) => (
          <span key={chair} className={classes.chair} data-taken={chair <= currentMembers || undefined}>
            {chair <= currentMembers && <IconUser size={16} aria-hidden />}
          </span>
        ))}
      </div>
      <span>{placesText(plan)}</span>
    </div>
  )
}

function placesText(plan: Table): string {
  const { currentMembers, ownerMaxMembers } = plan
  if (isFull(plan)) return `Full, ${counted(ownerMaxMembers, 'person', 'people')}`
  return `${ownerMaxMembers - currentMembers} of ${counted(ownerMaxMembers, 'place')} open`
}
