import { t } from '@lingui/core/macro'
import { Card, ScrollArea, Text, ThemeIcon, Title } from '@mantine/core'
import { type Icon, IconArrowBackUp, IconBuildingBank, IconCoins, IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { coinsInWords } from '#domain/coins.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { walletTexts } from './wallet.messages.ts'
import { type CoinTransaction, transactionsQuery } from './wallet.queries.ts'

const TYPES: Record<CoinTransaction['transactionType'], { label: string; icon: Icon; comesIn: boolean }> = {
  earned: { label: t`Earned`, icon: IconCoins, comesIn: true },
  spent: { label: t`Spent`, icon: IconShoppingBag, comesIn: false },
  withdrawn: { label: t`Withdrawn`, icon: IconBuildingBank, comesIn: false },
  refunded: { label: t`Refunded`, icon: IconArrowBackUp, comesIn: true },
}

const COLUMNS: Column<CoinTransaction>[] = [
  {
    label: t`For`,
    as: 'title',
    mark: ({ transactionType }) => {
      const { icon: TypeIcon, comesIn } = TYPES[transactionType]
      return (
        <ThemeIcon variant="light" color={comesIn ? 'herb' : 'clay'} size={40} radius="md">
          <TypeIcon size={20} aria-hidden />
        </ThemeIcon>
      )
    },
    cell: ({ description }) => <bdi>{description}</bdi>,
  },
  { label: t`Type`, as: 'detail', cell: ({ transactionType }) => TYPES[transactionType].label },
  { label: t`When`, as: 'detail', cell: ({ createdAt }) => <RelativeDate date={createdAt} /> },
  {
    label: t`Amount`,
    as: 'amount',
    cell: ({ transactionType, amount }) => {
      const { comesIn } = TYPES[transactionType]
      return (
        <Text span inherit {...(comesIn && { c: 'var(--mantine-color-success)' })}>
          {comesIn ? '+' : '−'}
          {coinsInWords(amount)}
        </Text>
      )
    },
  },
]

/** In px. */
const HEIGHT = 400

interface TransactionHistoryProps {
  userId: string
  /** A link for a person without coins, shown when the list is empty. */
  action: ReactNode
}

/** The last movements of a person's coins, newest first. */
export function TransactionHistory({ userId, action }: TransactionHistoryProps) {
  const transactions = useQuery(transactionsQuery(userId))
  return (
    <SurfaceCard component="section" aria-labelledby="transactions-title">
      <Title order={2} size="h3" id="transactions-title" mb="md">
        {t`Transaction history`}
      </Title>
      <Loaded
        of={transactions}
        pending={<RowsSkeleton rows={5} />}
        failed={walletTexts.failed}
        empty={
          <EmptyState title={t`No transactions yet`} action={action}>
            {t`Coins appear here when a member pays.`}
          </EmptyState>
        }
      >
        {(moves) => (
          <Card.Section>
            <ScrollArea
              type="auto"
              scrollbars="y"
              offsetScrollbars="present"
              scrollbarSize={8}
              styles={{
                root: { height: HEIGHT },
                content: { display: 'block', paddingInline: 'var(--card-padding)' },
              }}
              viewportProps={{ tabIndex: 0, role: 'group', 'aria-labelledby': 'transactions-title' }}
            >
              <DataTable
                lines
                label={t`Transaction history`}
                columns={COLUMNS}
                rows={moves}
                rowKey={({ id }) => id}
              />
            </ScrollArea>
          </Card.Section>
        )}
      </Loaded>
    </SurfaceCard>
  )
}
