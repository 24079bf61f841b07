import { Anchor, Card, Group, ScrollArea, Text, ThemeIcon, Title } from '@mantine/core'
import { type Icon, IconArrowBackUp, IconBuildingBank, IconCoins, IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { coinsInWords } from '#domain/coins.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './CoinLine.module.css'
import { walletTexts } from './wallet.messages.ts'
import { type CoinTransaction, transactionsQuery } from './wallet.queries.ts'

const TYPES: Record<CoinTransaction['type'], { label: string; icon: Icon; comesIn: boolean }> = {
  earned: { label: 'Earned', icon: IconCoins, comesIn: true },
  spent: { label: 'Spent', icon: IconShoppingBag, comesIn: false },
  withdrawn: { label: 'Withdrawn', icon: IconBuildingBank, comesIn: false },
  refunded: { label: 'Refunded', icon: IconArrowBackUp, comesIn: true },
}

/** In px. */
const HEIGHT = 400

interface TransactionHistoryProps {
  userId: string
  /** The way to the first coins, for somebody without any. */
  action: ReactNode
}

/** The last movements of a person's coins, newest first. */
export function TransactionHistory({ userId, action }: TransactionHistoryProps) {
  const { data: moves, error, isPending, refetch } = useQuery(transactionsQuery(userId))
  return (
    <SurfaceCard component="section" aria-labelledby="transactions-title">
      <Group justify="space-between" mb="md">
        <Title order={2} id="transactions-title">
          Transaction history
        </Title>
        <Anchor
          component={Link}
          to="/my-savings/statement"
          mih={44}
          display="inline-flex"
          style={{ alignItems: 'center' }}
        >
          Statement by month
        </Anchor>
      </Group>
      {isPending && <RowsSkeleton rows={5} />}
      {!moves && error && (
        <LoadAlert title={walletTexts.failed} problem={error} onRetry={() => void refetch()} />
      )}
      {moves?.length === 0 && (
        <EmptyState title="No transactions yet" action={action}>
          Coins show up here as soon as a member pays for their share.
        </EmptyState>
      )}
      {moves && moves.length > 0 && (
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
                <Line key={move.id} move={move} />
              ))}
            </ul>
          </ScrollArea>
        </Card.Section>
      )}
    </SurfaceCard>
  )
}

function Line({ move: { type, amount, description, createdAt } }: { move: CoinTransaction }) {
  const { label, icon: TypeIcon, comesIn } = TYPES[type]
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
