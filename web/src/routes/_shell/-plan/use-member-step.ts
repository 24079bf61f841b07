import { useQuery } from '@tanstack/react-query'
import { type MemberStep, memberStep } from '#domain/next-step.ts'
import type { Plan } from '#domain/plan.ts'
import { openPaymentsQuery } from '#features/money/payments/payments.queries.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { planProblemsQuery } from '#features/trust/problems/problems.queries.ts'

/** A member's next step; null for none, undefined until enough has loaded. */
export function useMemberStep({ id }: Plan, userId: string): MemberStep | null | undefined {
  const seats = useQuery(ownSeatsQuery(userId))
  const open = useQuery(openPaymentsQuery(id, userId))
  const entry = useQuery(vaultEntryQuery(id))
  const problems = useQuery(planProblemsQuery(id, userId))
  // A failed load shows its own error and counts as empty here.
  if (![seats, open, entry, problems].every(({ isFetched }) => isFetched)) return undefined
  return memberStep({
    seat: seats.data?.find(({ planId }) => planId === id),
    open: open.data ?? [],
    entry: entry.data ?? null,
    problems: problems.data ?? [],
  })
}
