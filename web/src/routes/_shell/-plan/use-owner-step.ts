import { useQuery } from '@tanstack/react-query'
import { MINIMUM_WITHDRAWAL } from '#domain/coins.ts'
import { type OwnerStep, ownerStep } from '#domain/next-step.ts'
import type { Plan } from '#domain/plan.ts'
import { isPaidDirectly } from '#domain/start-steps.ts'
import { openInvitationsQuery } from '#features/joining/invitations/invitations.queries.ts'
import { archivedRequestsQuery } from '#features/joining/join-requests/archived-requests.queries.ts'
import { pendingRequestsQuery } from '#features/joining/join-requests/join-requests.queries.ts'
import { openPaymentsQuery } from '#features/money/payments/payments.queries.ts'
import { planSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { wishQuery } from '#features/money/payments/wishes.ts'
import { bankAccountQuery, walletQuery } from '#features/money/wallet/wallet.queries.ts'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { planProblemsQuery } from '#features/trust/problems/problems.queries.ts'
import { useNow } from '#ui/use-now.ts'

/** An owner's next step; null for none, undefined until enough has loaded. */
export function useOwnerStep(plan: Plan, userId: string): OwnerStep | null | undefined {
  const now = useNow()
  const requests = useQuery(pendingRequestsQuery(plan.id))
  const earlier = useQuery(archivedRequestsQuery(plan.id))
  const invited = useQuery(openInvitationsQuery(plan.id))
  const seats = useQuery(planSeatsQuery(plan.id))
  const problems = useQuery(planProblemsQuery(plan.id, userId))
  const payments = useQuery(openPaymentsQuery(plan.id))
  const entry = useQuery(vaultEntryQuery(plan.id))
  const direct = isPaidDirectly(plan, seats.data ?? [])
  const wish = useQuery({ ...wishQuery(plan.ownerId), enabled: direct })
  const wallet = useQuery({ ...walletQuery(userId), enabled: plan.settlement === 'potluck' })
  const coins = wallet.data?.coinBalance ?? 0
  const bank = useQuery({ ...bankAccountQuery(userId), enabled: coins >= MINIMUM_WITHDRAWAL })
  // A failed load shows its own error and counts as empty here.
  if (![requests, earlier, invited, seats, problems, payments, entry].every(({ isFetched }) => isFetched))
    return undefined
  if ([wish, wallet, bank].some(({ isLoading }) => isLoading)) return undefined
  return ownerStep(
    {
      plan,
      requests: requests.data ?? [],
      seats: seats.data ?? [],
      problems: problems.data ?? [],
      payments: payments.data ?? [],
      found: [requests, earlier, invited].some(({ data }) => data?.length !== 0),
      hasEntry: entry.data !== null,
      passwordDue: entry.data?.changeDueSince ?? null,
      saysHowPaid: wish.data !== null,
      strandedCoins: bank.data === null ? coins : 0,
    },
    now,
  )
}
