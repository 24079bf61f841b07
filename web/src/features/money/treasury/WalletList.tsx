import { Button, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { AdjustDialog } from './AdjustDialog.tsx'
import { Person } from './Person.tsx'
import { treasuryTexts } from './treasury.messages.ts'
import { type UserWallet, walletsQuery } from './treasury.queries.ts'

const COLUMNS = [
  { label: 'User' },
  { label: 'Balance', number: true },
  { label: 'Earned', number: true },
  { label: 'Withdrawn', number: true },
  { label: 'Actions' },
]

interface WalletListProps {
  /** Whoever looks, whose own wallet somebody else adjusts. */
  userId: string
  /** Part of a display name; empty for everybody. */
  search: string
}

/** Everybody's wallets, highest balance first, with the way to adjust them. */
export function WalletList({ userId, search }: WalletListProps) {
  const wallets = useInfiniteQuery(walletsQuery(search))
  const [chosen, setChosen] = useState<UserWallet | null>(null)

  if (wallets.isPending) return <RowsSkeleton rows={5} />
  if (!wallets.data)
    return (
      <LoadAlert
        title={treasuryTexts.walletsFailed}
        problem={wallets.error}
        onRetry={() => void wallets.refetch()}
      />
    )
  const rows = wallets.data
  if (rows.length === 0)
    return (
      <EmptyState title={treasuryTexts.noWallets}>
        {search ? 'Nobody with such a name has a wallet.' : 'A wallet opens with the first coin.'}
      </EmptyState>
    )
  return (
    <Stack gap="lg" aria-busy={wallets.isPlaceholderData}>
      <StackTable label="User Wallets" columns={COLUMNS}>
        {rows.map((wallet) => (
          <StackRow key={wallet.userId}>
            <StackCell>
              <Person userId={wallet.userId} name={wallet.name} avatarUrl={wallet.avatarUrl} />
            </StackCell>
            <StackCell label="Balance" number>
              <Money amount={wallet.balance} fw={600} />
            </StackCell>
            <StackCell label="Earned" number>
              <Money amount={wallet.earned} />
            </StackCell>
            <StackCell label="Withdrawn" number>
              <Money amount={wallet.withdrawn} />
            </StackCell>
            <StackCell>
              {wallet.userId !== userId && (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={`Adjust wallet of ${wallet.name}`}
                  onClick={() => setChosen(wallet)}
                >
                  Adjust
                </Button>
              )}
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
      <KeptRows list={wallets} failed={treasuryTexts.walletsFailed}>
        Load more wallets
      </KeptRows>
      {chosen && <AdjustDialog wallet={chosen} onClose={() => setChosen(null)} />}
    </Stack>
  )
}
