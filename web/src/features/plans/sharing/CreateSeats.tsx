import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import classes from './CreateSeats.module.css'

/** The maximum number of places drawn. */
const MOST_DRAWN = 12

interface CreateSeatsProps {
  open: number
  /** The number of places, including the owner's. */
  all: number
}

/** The places of a plan in a row: the owner's, the open ones and the closed ones. */
export function CreateSeats({ open, all }: CreateSeatsProps) {
  const places = Array.from({ length: Math.min(all, MOST_DRAWN) }, (_, before) => before)
  return (
    <div className={classes.seats} aria-hidden="true">
      {places.map((place) => (
        <span key={place} className={classes.seat} data-place={kindOf(place, open)}>
          {place === 0 ? t`You` : <IconUser size={18} />}
        </span>
      ))}
      {all > MOST_DRAWN && <Text c="dimmed">+{all - MOST_DRAWN}</Text>}
    </div>
  )
}

function kindOf(place: number, open: number): 'owner' | 'open' | 'closed' {
  if (place === 0) return 'owner'
  return place <= open ? 'open' : 'closed'
}
