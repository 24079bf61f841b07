import { Badge, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords } from '#domain/coins.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { PAYOUT_STATES, RETURNED } from '../payouts/payouts.messages.ts'
import classes from './CoinLine.module.css'
import { walletTexts } from './wallet.messages.ts'
import { type Withdrawal, withdrawalsQuery } from './wallet.queries.ts'

/** A person's withdrawals and what became of them, newest first. */
export function WithdrawalHistory({ userId }: { userId: string }) {
  const withdrawals = useQuery(withdrawalsQuery(userId))
  return (
    <SurfaceCard component="section" aria-labelledby="withdrawals-title">
      <Title order={2} id="withdrawals-title" mb="md">
        Withdrawal history
      </Title>
      <Loaded
        of={withdrawals}
        failed={walletTexts.failed}
        empty={<EmptyState title="No withdrawals yet">{walletTexts.processing}</EmptyState>}
      >
        {(rows) => (
          <ul className={classes.list} aria-labelledby="withdrawals-title">
            {rows.map((withdrawal) => (
              <Line key={withdrawal.id} {...withdrawal} />
            ))}
          </ul>
        )}
      </Loaded>
    </SurfaceCard>
  )
}

function Line({ amount, status, requestedAt, processedAt, completedAt, ...withdrawal }: Withdrawal) {
  const { rejectionReason, bankAccountLast4, returnedAt, returnReason } = withdrawal
  const { label, color } = returnedAt ? RETURNED : PAYOUT_STATES[status]
  const answeredAt = completedAt ?? processedAt
  return (
    <li className={classes.line}>
      <div className={classes.words}>
        <Text className={classes.amount}>{coinsInWords(amount)}</Text>
        <Text size="sm" c="dimmed">
          Requested <RelativeDate date={requestedAt} />
          {answeredAt && (
            <>
              , {status === 'completed' ? 'paid out' : 'answered'} <RelativeDate date={answeredAt} />
            </>
          )}
        </Text>
        {bankAccountLast4 && (
          <Text size="sm" c="dimmed">
            Bank account ending in {bankAccountLast4}
          </Text>
        )}
        {returnedAt && (
          <Text size="sm" mt={4} dir="auto">
            Sent back by the bank <RelativeDate date={returnedAt} />: {returnReason}. The coins are in your
            wallet again.
          </Text>
        )}
        {status === 'rejected' && rejectionReason && (
          <Text size="sm" mt={4} dir="auto">
            Reason: {rejectionReason}
          </Text>
        )}
      </div>
      <Badge variant="light" color={color} tt="none" style={{ flexShrink: 0 }}>
        {label}
      </Badge>
    </li>
  )
}
