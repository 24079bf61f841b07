import { t } from '@lingui/core/macro'
import { Radio, Stack, Text } from '@mantine/core'
import type { CataloguePlan } from '#domain/catalogue.ts'
import { memberShare, percentOf, potluckRefusal } from '#domain/fees.ts'
import type { Settlement } from '#domain/plan.ts'
import { LinkAnchor } from '#ui/links.tsx'
import { type Cards, cardsRefusals } from './cards.ts'

const ways = (feeRate: number) =>
  [
    {
      settlement: 'potluck',
      label: t`Through Potluck`,
      description: t`By card or coins, plus a ${percentOf(feeRate)}% fee. You earn coins for every week that access works.`,
    },
    {
      settlement: 'direct',
      label: t`Directly to you`,
      description: t`By bank transfer, payment link or however you like, no fee. Potluck sends reminders and receipts.`,
    },
  ] as const satisfies { settlement: Settlement; label: string; description: string }[]

interface CreateSettlementProps {
  plan: CataloguePlan
  settlement: Settlement
  cards: Cards
  /** The fee rate for new plans, such as 0.1. */
  feeRate: number
  onSettlement: (settlement: Settlement) => void
}

/** Lets the owner choose how members pay: directly, or through the site. If the site is not possible, says why. */
export function CreateSettlement({ plan, settlement, cards, feeRate, onSettlement }: CreateSettlementProps) {
  const refusal = settlementRefusal(plan, cards, feeRate)
  return (
    <Radio.Group
      label={t`How members pay`}
      value={settlement}
      onChange={(chosen) => onSettlement(chosen === 'potluck' ? chosen : 'direct')}
    >
      <Stack gap="sm" mt="xs">
        {ways(feeRate).map(({ settlement: way, ...words }) => (
          <Radio key={way} value={way} disabled={way === 'potluck' && refusal !== null} {...words} />
        ))}
        {refusal && (
          <Text size="sm" c="dimmed">
            {refusal}{' '}
            {cards === 'payouts-first' && (
              <LinkAnchor to="/account-settings/money">{t`Set up payouts`}</LinkAnchor>
            )}
          </Text>
        )}
      </Stack>
    </Radio.Group>
  )
}

/** Returns the reason why members of this plan cannot pay through the site, or null if they can. */
export function settlementRefusal(plan: CataloguePlan, cards: Cards, feeRate: number): string | null {
  if (cards !== 'taken') return cardsRefusals[cards]
  return potluckRefusal(memberShare(plan.price, plan.maxMembers), { cycle: plan.cycle, feeRate })
}
