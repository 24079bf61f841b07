import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords } from '#domain/coins.ts'
import { useCoinBalanceLive } from './wallet.live.ts'
import { walletQuery } from './wallet.queries.ts'

/** A badge with a person's coin balance; hidden at zero. */
export function CoinBalanceBadge({ userId }: { userId: string }) {
  const { data: wallet } = useQuery(walletQuery(userId))
  useCoinBalanceLive(userId)
  if (!wallet || wallet.coinBalance <= 0) return null
  return (
    <Badge size="lg" variant="light" color="honey" tt="none" flex="none">
      {coinsInWords(wallet.coinBalance)}
    </Badge>
  )
}
