import { Card, Group, ScrollArea, Text, ThemeIcon, Title } from '@mantine/core'
import { type Icon, IconArrowBackUp, IconBuildingBank, IconCoins, IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { coinsInWords } from '#domain/coins.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LoneLink } from '#ui/links.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './CoinLine.module.css'
import { walletTexts } from './wallet.messages.ts'
import { type CoinTransaction, transactionsQuery } from './wallet.queries.ts'

const TYPES: Record<CoinTransaction['transactionType'], { label: string; icon: Icon; comesIn: boolean }> = {
  earned: { label: 'Earned', icon: IconCoins, comesIn: true },
  spent: { label: 'Spent', icon: IconShoppingBag, comesIn: false },
  withdrawn: { label: 'Withdrawn', icon: IconBuildingBank, comesIn: false },
  refunded: { label: 'Refunded', icon: IconArrowBackUp, comesIn: true },
}

/** In px. */
const HEIGHT = 400

interface TransactionHistoryProps {
  userId: string
  /** Leads a person without coins to their first ones. */
  action: ReactNode
}

/** The last movements of a person's coins, newest first. */
export function TransactionHistory({ userId, action }: TransactionHistoryProps) {
  const transactions = useQuery(transactionsQuery(userId))
  return (
    <SurfaceCard component="section" aria-labelledby="transactions-title">
      <Group justify="space-between" mb="md">
        <Title order={2} id="transactions-title">
          Transaction history
        </Title>
        <LoneLink to="/my-savings/statement">Statement by month</LoneLink>
      </Group>
      <Loaded
        of={transactions}
        pending={<RowsSkeleton rows={5} />}
        failed={walletTexts.failed}
        empty={
          <EmptyState title="No transactions yet" action={action}>
            Coins show up here as soon as a member pays for their share.
          </EmptyState>
        }
      >
        {(moves) => (
          <Card.Section inheritPadding>
            <ScrollArea
              type="auto"
              scrollbars="y"
              offsetScrollbars="present"
              scrollbarSize={8}
              styles={{ root: { height: HEIGHT }, content: { display: 'block' } }}
              viewportProps={{ tabIndex: 0, role: 'group', 'aria-labelledby': 'transactions-title' }}
            >
              <ul className={classes.list} aria-labelledby="transactions-title">
                {moves.map((move) => (
                  <Line key={move.id} {...move} />
                ))}
              </ul>
            </ScrollArea>
          </Card.Section>
        )}
      </Loaded>
    </SurfaceCard>
  )
}

function Line({ transactionType, amount, description, createdAt }: CoinTransaction) {
  const { label, icon: TypeIcon, comesIn } = TYPES[transactionType]
  return (
    <li className={classes.line}>
      <ThemeIcon variant="light" color={comesIn ? 'herb' : 'clay'} size={40} radius="md">
        <TypeIcon size={20} aria-hidden />
      </ThemeIcon>
      <div className={classes.words}>
        <Text dir="auto">{description}</Text>
        <Text size="sm" c="dimmed">
          {label} · <RelativeDate date={createdAt} />
        </Text>
      </div>
      <Text
        className={classes.amount}
        c={comesIn ? 'var(--mantine-color-success)' : 'var(--mantine-color-text)'}
      >
        {comesIn ? '+' : '−'}
        {coinsInWords(amount)}
      </Text>
    </li>
  )
}
