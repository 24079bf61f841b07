import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords } from '#domain/coins.ts'
import { useCoinBalanceLive } from './wallet.live.ts'
import { walletQuery } from './wallet.queries.ts'

/** What a person has earned and not yet spent; nothing while that is nothing. */
export function CoinBalanceBadge({ userId }: { userId: string }) {
  const { data: wallet } = useQuery(walletQuery(userId))
  useCoinBalanceLive(userId)
  if (!wallet || wallet.balance <= 0) return null
  return (
    <Badge size="lg" variant="light" color="honey" tt="none" flex="none">
      {coinsInWords(wallet.balance)}
    </Badge>
  )
}
