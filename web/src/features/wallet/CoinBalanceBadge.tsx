import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCoinBalanceLive } from './wallet.live.ts'
import { coinBalanceQuery } from './wallet.queries.ts'

/** What a person has earned and not yet spent; nothing while that is nothing (PLAN-15). */
export function CoinBalanceBadge({ userId }: { userId: string }) {
  const { data: coins = 0 } = useQuery(coinBalanceQuery(userId))
  useCoinBalanceLive(userId)
  if (coins <= 0) return null
  return (
    <Badge size="lg" variant="light" color="honey" tt="none" flex="none">
      {coins.toFixed(2)} {coins === 1 ? 'coin' : 'coins'}
    </Badge>
  )
}
