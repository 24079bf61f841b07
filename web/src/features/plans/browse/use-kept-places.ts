import { useQuery } from '@tanstack/react-query'
import { isFull } from '#domain/slots.ts'
import { type AvailablePlan, keptPlacesQuery } from './browse.queries.ts'

/**
 * The plans with the places that are kept for other people counted as taken: nobody else can have them.
 * While that is not known they count as open, and the database refuses who asks for one.
 */
export function useKeptPlaces<P extends AvailablePlan>(plans: readonly P[]): P[] {
  const withRoom = plans.filter((plan) => !isFull(plan)).map(({ id }) => id)
  const { data } = useQuery({ ...keptPlacesQuery(withRoom), enabled: withRoom.length > 0 })
  return plans.map((plan) => ({ ...plan, currentMembers: plan.currentMembers + (data?.[plan.id] ?? 0) }))
}
