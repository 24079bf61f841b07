import { useQuery } from '@tanstack/react-query'
import { isFull } from '#domain/slots.ts'
import { type AvailablePlan, keptPlacesQuery } from './browse.queries.ts'

/**
 * The plans, with the places kept for other people counted as taken. Until those are known they count as open, and the
 * database refuses a request for one.
 */
export function useKeptPlaces<P extends AvailablePlan>(plans: readonly P[]): P[] {
  const withRoom = plans.filter((plan) => !isFull(plan)).map(({ id }) => id)
  const { data } = useQuery({ ...keptPlacesQuery(withRoom), enabled: withRoom.length > 0 })
  return plans.map((plan) => ({ ...plan, currentMembers: plan.currentMembers + (data?.[plan.id] ?? 0) }))
}
