import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconBuildingBank, IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listOf } from '#domain/lists.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { nameOf } from './card-words.ts'
import { useChooseCard, useRemoveCard, whyNot } from './cards.mutations.ts'
import { cardsQuery, type Declined } from './cards.queries.ts'

interface CardListProps {
  userId: string
  /** Set if the list is shown to pay a payment now. */
  paying?: {
    /** The id of the card that the page will charge. */
    card: string | undefined
    declined: Declined | null
    isBusy: boolean
    /** Charges the declined card again. */
    onRetry: () => void
  }
}

/** The saved cards, with buttons to choose the one to charge first and to remove one. */
export function CardList({ userId, paying }: CardListProps) {
  const { data: cards } = useQuery(cardsQuery)
  const { data: seats = [] } = useQuery(ownSeatsQuery(userId))
  const choose = useChooseCard()
  const remove = useRemoveCard()
  const [leaving, setLeaving] = useState<string | null>(null)
  const ending = cards?.length === 1 ? seats.filter(({ settlement }) => settlement === 'potluck') : []
  if (cards?.length === 0) return <Text c="dimmed">{t`No cards yet.`}</Text>
  return (
    <Stack gap="md">
      {cards?.map(({ id, exp_month: month, exp_year: year, ...saved }, index) => (
        <Group key={id} justify="space-between" gap="xs">
          <Group gap="sm" wrap="nowrap" flex="1 1 180px" miw={0}>
            <ThemeIcon variant="light" size={44} radius="md">
              {saved.kind === 'sepa_debit' ? (
                <IconBuildingBank size={24} aria-hidden />
              ) : (
                <IconCreditCard size={24} aria-hidden />
              )}
            </ThemeIcon>
            <div>
              <Text>
                {saved.kind === 'card' ? (
                  <Trans>
                    <Text span tt="capitalize" inherit>
                      {saved.brand}
                    </Text>{' '}
                    ending {saved.last4}, until {String(month).padStart(2, '0')}/{year}
                  </Trans>
                ) : (
                  nameOf(saved)
                )}
              </Text>
              <Group gap={4}>
                {index === 0 && <Badge variant="light">{t`Default`}</Badge>}
                {paying?.card === id && <Badge variant="light" color="herb">{t`Pays this`}</Badge>}
                {paying?.declined?.card === id && <Badge variant="light" color="beet">{t`Declined`}</Badge>}
              </Group>
              {paying?.declined?.card === id && <Text size="sm">{whyNot(paying.declined.code)}</Text>}
            </div>
          </Group>
          <Group gap="xs" ms="auto">
            {paying?.declined?.card === id && (
              <Button variant="default" loading={paying.isBusy} onClick={paying.onRetry}>
                {t`Try Again`}
              </Button>
            )}
            {index > 0 && (
              <Button variant="default" loading={choose.isPending} onClick={() => choose.mutate(id)}>
                {t`Make default`}
              </Button>
            )}
            <Button variant="subtle" color="beet" px="sm" onClick={() => setLeaving(id)}>
              {t`Remove`}
            </Button>
          </Group>
        </Group>
      ))}
      <ConfirmDialog
        opened={leaving !== null}
        title={t`Remove this card?`}
        confirmLabel={t`Remove card`}
        cancelLabel={t`Keep card`}
        busy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving, { onSettled: () => setLeaving(null) })}
        onClose={() => setLeaving(null)}
      >
        {ending.length > 0
          ? t`This is your only card. Without one, you lose these places when they renew: ${listOf(ending.map(({ planName }) => planName))}.`
          : t`We will no longer charge it.`}
      </ConfirmDialog>
    </Stack>
  )
}
