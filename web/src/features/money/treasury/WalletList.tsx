import { t } from '@lingui/core/macro'
import { Button, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { formatMoney } from '#domain/money.ts'
import { lazyPart } from '#lib/online.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Money } from '#ui/Money.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { personColumn } from './person-column.tsx'
import { treasuryTexts } from './treasury.messages.ts'
import { type UserWallet, walletsQuery } from './treasury.queries.ts'

const AdjustDialog = lazyPart(async () => (await import('./AdjustDialog.tsx')).AdjustDialog)

interface WalletListProps {
  /** The signed-in admin, who cannot adjust their own wallet. */
  userId: string
  /** Part of a display name; empty for all wallets. */
  search: string
}

/** All wallets, highest balance first, with the button to adjust them. */
export function WalletList({ userId, search }: WalletListProps) {
  const wallets = useInfiniteQuery(walletsQuery(search, useSorting('sort')))
  const [chosen, setChosen] = useState<UserWallet | null>(null)
  const columns: Column<UserWallet>[] = [
    personColumn,
    {
      label: t`Balance`,
      sort: 'coin_balance',
      as: 'amount',
      number: true,
      cell: ({ balance }) => <Money amount={balance} fw={600} />,
    },
    {
      label: t`Earned`,
      sort: 'total_earned',
      as: 'detail',
      number: true,
      brief: ({ earned }) => t`Earned ${formatMoney(earned)}`,
      cell: ({ earned }) => <Money amount={earned} />,
    },
    {
      label: t`Withdrawn`,
      sort: 'total_withdrawn',
      number: true,
      cell: ({ withdrawn }) => <Money amount={withdrawn} />,
    },
    {
      label: t`Actions`,
      as: 'actions',
      cell: (wallet) =>
        wallet.userId !== userId && (
          <Button
            size="sm"
            variant="default"
            aria-label={t`Adjust wallet of ${wallet.name}`}
            onClick={() => setChosen(wallet)}
          >
            {t`Adjust`}
          </Button>
        ),
    },
  ]
  return (
    <Loaded
      of={wallets}
      pending={<RowsSkeleton rows={5} />}
      failed={treasuryTexts.walletsFailed}
      empty={
        <EmptyState title={treasuryTexts.noWallets}>
          {search ? t`No wallet matches this name.` : t`Wallets appear with their first coin.`}
        </EmptyState>
      }
    >
      {(rows) => (
        <Stack gap="lg" aria-busy={wallets.isPlaceholderData}>
          <DataTable
            sorts="sort"
            label={t`User Wallets`}
            columns={columns}
            rows={rows}
            rowKey={(wallet) => wallet.userId}
          />
          <KeptRows list={wallets} failed={treasuryTexts.walletsFailed}>
            {t`Load more wallets`}
          </KeptRows>
          <Suspense>{chosen && <AdjustDialog wallet={chosen} onClose={() => setChosen(null)} />}</Suspense>
        </Stack>
      )}
    </Loaded>
  )
}
