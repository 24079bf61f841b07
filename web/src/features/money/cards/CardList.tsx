import { t } from '@lingui/core/macro'
import { Anchor, Badge, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconBuildingBank, IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listOf } from '#domain/lists.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CardName } from './CardName.tsx'
import { useChooseCard, useRemoveCard } from './cards.mutations.ts'
import { cardsQuery } from './cards.queries.ts'

interface CardListProps {
  userId: string
}

/** The saved cards, with buttons to choose the one to charge first and to remove one. */
export function CardList({ userId }: CardListProps) {
  const { data: cards } = useQuery(cardsQuery)
  const { data: seats = [] } = useQuery(ownSeatsQuery(userId))
  const choose = useChooseCard()
  const remove = useRemoveCard()
  const [leaving, setLeaving] = useState<string | null>(null)
  const ending = cards?.length === 1 ? seats.filter(({ settlement }) => settlement === 'potluck') : []
  if (cards?.length === 0) return <Text c="dimmed">{t`No cards yet.`}</Text>
  return (
    <Stack gap="md">
      {cards?.map((card, index) => (
        <Group key={card.id} justify="space-between" gap="xs" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" flex={1} miw={0}>
            <ThemeIcon variant="light" size={44} radius="md">
              {card.kind === 'sepa_debit' ? (
                <IconBuildingBank size={24} aria-hidden />
              ) : (
                <IconCreditCard size={24} aria-hidden />
              )}
            </ThemeIcon>
            <div>
              <Text>
                <CardName of={card} />
              </Text>
              {index === 0 ? (
                <Badge variant="light">{t`Default`}</Badge>
              ) : (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  mih={44}
                  onClick={() => choose.mutate(card.id)}
                >
                  {t`Make default`}
                </Anchor>
              )}
            </div>
          </Group>
          <Button variant="subtle" color="beet" px="sm" flex="none" onClick={() => setLeaving(card.id)}>
            {t`Remove`}
          </Button>
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
