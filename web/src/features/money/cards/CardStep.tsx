import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { debitTakesDays, nameOf } from './card-words.ts'
import { cardsQuery } from './cards.queries.ts'
import { keepRequest, type RequestDraft } from './request-before-card.ts'

interface CardStepProps {
  /** The page to return to once a card is saved. */
  path: string
  planName: string
  /** The request form's values so far. */
  draft: RequestDraft
  /** True if coins cover the whole first month. */
  covered: boolean
}

/**
 * The card step of a join request: shows the card that will be charged or, without a card, a button to save one and
 * come back.
 */
export function CardStep({ path, planName, draft, covered }: CardStepProps) {
  const { data: cards } = useQuery(cardsQuery)
  const navigate = useNavigate()
  if (!cards) return null
  const [card] = cards
  const brand = (
    <Text span inherit tt="capitalize">
      {card?.brand}
    </Text>
  )
  const toCards = () => {
    keepRequest({ path, planName, ...draft })
    void navigate({ to: '/cards', search: {} })
  }
  return (
    <Stack gap="sm">
      <SimulationNotice />
      {card ? (
        <Text size="sm">
          {card.kind !== 'card' ? (
            covered ? (
              t`When your coins run out, you pay with: ${nameOf(card)}.`
            ) : (
              t`You pay with: ${nameOf(card)}.`
            )
          ) : covered ? (
            <Trans>
              When your coins run out, we charge your {brand} ending {card.last4}.
            </Trans>
          ) : (
            <Trans>
              We charge your {brand} ending {card.last4}.
            </Trans>
          )}{' '}
          {card.kind === 'sepa_debit' && debitTakesDays}
        </Text>
      ) : covered ? (
        <Text size="sm">{t`Your coins cover the first month. Save a card before they run out.`}</Text>
      ) : (
        <Alert color="honey" py="xs" icon={<IconCreditCard aria-hidden />} title={t`No card saved`}>
          <Text size="sm" mb="xs">
            <Trans>
              Save one now, and it’s charged then. Without a card, your place is kept for{' '}
              {LIMITS.mendingTimeHours} hours.
            </Trans>
          </Text>
          <Button size="compact-md" variant="default" onClick={toCards}>
            {t`Save a card`}
          </Button>
        </Alert>
      )}
    </Stack>
  )
}
