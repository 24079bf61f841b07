import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { planLinkQuery } from './plan-link.queries.ts'

/** Where a plan is found by people who have its link: with its secret, if it is private. Undefined until that is known. */
export function useShareLink({ id, isPrivate }: Pick<Plan, 'id' | 'isPrivate'>): string | undefined {
  const { data: token } = useQuery({ ...planLinkQuery(id), enabled: isPrivate })
  if (!isPrivate) return `${location.origin}/plans/${encodeURIComponent(id)}`
  return token ? `${location.origin}/join/${token}` : undefined
}
