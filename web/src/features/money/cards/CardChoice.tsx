import { t } from '@lingui/core/macro'
import { Button, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { formatMoney } from '#domain/money.ts'
import { CardName } from './CardName.tsx'
import { whyNot } from './cards.mutations.ts'
import type { Declined, SavedCard } from './cards.queries.ts'

interface CardChoiceProps {
  /** The cards that can pay, the default one first. */
  cards: readonly SavedCard[]
  /** The card that has just failed, which is charged again only if the person chooses it. */
  declined: Declined | null
  /** In EUR. */
  amount: number
  isBusy: boolean
  onPay: (card: string) => void
}

/** The choice of a card, and the button that charges it. */
export function CardChoice({ cards, declined, amount, isBusy, onPay }: CardChoiceProps) {
  const [picked, setPicked] = useState<string | null>(null)
  const wanted = picked ?? cards.find(({ id }) => id !== declined?.card)?.id
  const chosen = cards.some(({ id }) => id === wanted) ? wanted : undefined
  return (
    <Stack gap="md">
      <Radio.Group label={t`Pay with`} value={chosen ?? null} onChange={setPicked}>
        <Stack gap="sm" mt="xs">
          {cards.map((card) => (
            <Radio
              key={card.id}
              value={card.id}
              label={<CardName of={card} />}
              error={card.id === declined?.card && <span role="alert">{whyNot(declined.code)}</span>}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Button
        w={{ base: '100%', xs: 'fit-content' }}
        loading={isBusy}
        disabled={chosen === undefined}
        onClick={() => chosen && onPay(chosen)}
      >
        {t`Pay ${formatMoney(amount)}`}
      </Button>
    </Stack>
  )
}
