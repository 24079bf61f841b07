import { Radio, Stack, Text } from '@mantine/core'
import type { CataloguePlan } from '#domain/catalogue.ts'
import { memberShare, potluckRefusal } from '#domain/fees.ts'
import type { Settlement } from '#domain/plan.ts'

const WAYS = [
  {
    settlement: 'potluck',
    label: 'Through Potluck',
    description:
      'Members pay by card or with coins, with a fee of 10 percent on top, and the money is held: every week of access makes its part yours, as coins. What does not work, or what you end, goes back to them by itself.',
  },
  {
    settlement: 'direct',
    label: 'Directly to you',
    description:
      'Members pay you by transfer, by a payment link or as you like it, without a fee and without coins. Potluck tells them what is due, reminds them, and writes receipts once you say that it has arrived.',
  },
] as const satisfies { settlement: Settlement; label: string; description: string }[]

interface CreateSettlementProps {
  plan: CataloguePlan
  settlement: Settlement
  /** Does anybody take payments for this site? */
  provider: boolean
  onSettlement: (settlement: Settlement) => void
}

/** How members pay: through the site where that is possible, else why not. */
export function CreateSettlement({ plan, settlement, provider, onSettlement }: CreateSettlementProps) {
  const refusal = settlementRefusal(plan, provider)
  return (
    <Radio.Group
      label="How members pay"
      value={settlement}
      onChange={(chosen) => onSettlement(chosen === 'potluck' ? chosen : 'direct')}
    >
      <Stack gap="sm" mt="xs">
        {WAYS.map(({ settlement: way, ...words }) => (
          <Radio key={way} value={way} disabled={way === 'potluck' && refusal !== null} {...words} />
        ))}
        {refusal && (
          <Text size="sm" c="dimmed">
            {refusal}
          </Text>
        )}
      </Stack>
    </Radio.Group>
  )
}

/** Why members of this plan cannot pay through the site, or null. */
export function settlementRefusal(plan: CataloguePlan, provider: boolean): string | null {
  if (!provider) return 'This site has no payment provider, so members pay you directly.'
  return potluckRefusal(memberShare(plan.price, plan.maxMembers), plan.cycle)
}
