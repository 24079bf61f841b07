import { t } from '@lingui/core/macro'
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { memberShare, potluckRefusal } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import type { Plan, Settlement } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { type Cards, cardsRefusals, cardsWith } from '#features/plans/sharing/cards.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { paymentTexts } from './payments.messages.ts'
import { useProposeTerms } from './payments.mutations.ts'
import { sameTerms, termsText } from './terms-text.ts'

interface ProposeTermsDialogProps {
  plan: Plan
  opened: boolean
  onClose: () => void
}

/**
 * The dialog to propose another way of paying at today's catalogue price. It applies to new members and to members who
 * agree.
 */
export function ProposeTermsDialog({ plan, opened, onClose }: ProposeTermsDialogProps) {
  const catalogue = useQuery(catalogueQuery)
  const provider = useQuery(paymentProviderQuery)
  const propose = useProposeTerms(plan, onClose)
  const close = () => {
    if (!propose.isPending) onClose()
  }
  const problem = catalogue.error ?? provider.error
  const known = catalogue.data && provider.data !== undefined
  return (
    <Dialog opened={opened} onClose={close} title={t`Propose new terms`}>
      {known ? (
        <TermsForm
          plan={plan}
          sold={catalogue.data
            .find(({ name }) => name === plan.provider)
            ?.plans.find(({ name }) => name === plan.name)}
          cards={cardsWith(provider.data)}
          busy={propose.isPending}
          onPropose={(settlement) => propose.mutate(settlement)}
          onCancel={close}
        />
      ) : problem ? (
        <LoadAlert
          title={paymentTexts.termsFailed}
          problem={problem}
          onRetry={() => void Promise.all([catalogue.refetch(), provider.refetch()])}
        />
      ) : (
        <RowsSkeleton rows={3} />
      )}
    </Dialog>
  )
}

interface TermsFormProps {
  plan: Plan
  /** Today's catalogue entry; undefined for a plan no longer in the catalogue, which keeps its price. */
  sold: { price: number; maxMembers: number } | undefined
  cards: Cards
  busy: boolean
  onPropose: (settlement: Settlement) => void
  onCancel: () => void
}

const WAYS = [
  ['direct', t`Directly to you`],
  ['potluck', t`Through Potluck`],
] as const

function TermsForm({ plan, sold, cards, busy, onPropose, onCancel }: TermsFormProps) {
  const [settlement, setSettlement] = useState(plan.settlement)
  const price = sold?.price ?? plan.totalPrice
  const memberPrice = sold ? memberShare(price, sold.maxMembers) : plan.memberPrice
  const refusal = cards === 'taken' ? potluckRefusal(memberPrice, plan) : cardsRefusals[cards]
  const same = sameTerms(plan, { settlement, memberPrice })
  const members = plan.currentMembers - 1
  return (
    <Stack gap="md">
      <Text>
        {price === plan.totalPrice
          ? t`${plan.provider} ${planName(plan.name)} still costs ${formatMoney(price)}.`
          : t`${plan.provider} ${planName(plan.name)} now costs ${formatMoney(price)} instead of ${formatMoney(plan.totalPrice)}. New terms use today’s price.`}
      </Text>
      <Radio.Group
        label={t`How members pay`}
        value={settlement}
        onChange={(chosen) => setSettlement(chosen === 'potluck' ? chosen : 'direct')}
      >
        <Stack gap="sm" mt="xs">
          {WAYS.map(([way, label]) => (
            <Radio
              key={way}
              value={way}
              label={label}
              description={termsText({ settlement: way, memberPrice }, plan)}
              disabled={way === 'potluck' && refusal !== null}
            />
          ))}
          {refusal && (
            <Text size="sm" c="dimmed">
              {refusal}
            </Text>
          )}
        </Stack>
      </Radio.Group>
      <Text size="sm">
        {same ? t`These are the current terms.` : t`They apply to new members.`}{' '}
        {!same &&
          members > 0 &&
          t`We ask each current member. Those who don’t accept keep the old terms, and you can end their place when their month ends.`}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={busy} data-autofocus>
          {t`Cancel`}
        </Button>
        <Button onClick={() => onPropose(settlement)} loading={busy} disabled={same}>
          {t`Propose terms`}
        </Button>
      </Group>
    </Stack>
  )
}
