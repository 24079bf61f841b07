import { Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import classes from './CreateSeats.module.css'

/** More seats than this no longer read as a picture. */
const MOST_DRAWN = 12

interface CreateSeatsProps {
  open: number
  /** Every place of the plan, the owner's included. */
  all: number
}

/** The places of a plan as a row: the owner's, the offered ones, and those kept closed. */
export function CreateSeats({ open, all }: CreateSeatsProps) {
  const places = Array.from({ length: Math.min(all, MOST_DRAWN) }, (_, before) => before)
  return (
    <div className={classes.seats} aria-hidden="true">
      {places.map((place) => (
        <span key={place} className={classes.seat} data-place={kindOf(place, open)}>
          {place === 0 ? 'You' : <IconUser size={18} />}
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
