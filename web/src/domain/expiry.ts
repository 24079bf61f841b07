/** Deadlines, such as that of a join request, and their urgency. The database enforces them; this only shows them. */

import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'

const HOUR = 3_600_000

/** Hours until a request expires, rounded up; zero or less means expired. `now` in ms. */
export function hoursLeft(requestedAt: string, now: number): number {
  return Math.ceil((Date.parse(requestedAt) + LIMITS.requestLifetimeHours * HOUR - now) / HOUR)
}

export type Urgency = 'calm' | 'soon' | 'urgent'

/** The urgency of a remaining time; it is urgent once the owner has been reminded. */
export function urgency(hours: number): Urgency {
  if (hours <= LIMITS.reminderLeadHours) return 'urgent'
  if (hours <= 12) return 'soon'
  return 'calm'
}

/** The remaining time in words. The owner's text depends on the urgency; the requester's does not. */
export function expiryText(hours: number, reader: 'owner' | 'requester'): string {
  const texts: Record<Urgency, string> = {
    calm: t`${hours}h remaining`,
    soon: t`Expiring soon: ${hours}h left`,
    urgent: t`Expiring in ${hours}h`,
  }
  return texts[reader === 'owner' ? urgency(hours) : 'soon']
}

/** The time left until a moment, in words and in hours, rounded up. `now` in ms. */
export function timeLeft(until: string, now: number): { hours: number; text: string } {
  const left = Math.max(Date.parse(until) - now, 0)
  const [hours, minutes] = [Math.ceil(left / HOUR), Math.ceil(left / 60_000)]
  if (left === 0) return { hours, text: t`Time’s up` }
  if (hours > 72)
    return { hours, text: t`${plural(Math.floor(left / HOUR / 24), { one: '# day', other: '# days' })} left` }
  return { hours, text: hours > 1 ? t`${hours}h left` : t`${minutes} min left` }
}
